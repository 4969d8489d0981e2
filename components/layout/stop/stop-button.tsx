"use client";

import { OctagonX } from "lucide-react";
import { PermittedButton } from "@/components/access/permitted-button";
import { type StopTarget, useStop } from "@/components/layout/stop/stop-context";
import { cn } from "@/components/ui/cn";

const ANYTHING: StopTarget = {};

interface StopButtonProps {
  target?: StopTarget;
  label?: string;
  /** Read aloud after the label, for a row of a list: "the group ops". */
  subject?: string;
  size?: "sm" | "md";
  /** Only the icon on a narrow screen. */
  isNarrowing?: boolean;
  className?: string;
}

/** Opens the dialog that halts agents, set to a target. */
export function StopButton(props: StopButtonProps) {
  const { target = ANYTHING, label = "Stop…", subject, size = "md", isNarrowing, className } = props;
  const stop = useStop();
  if (stop === null) return null;
  return (
    <PermittedButton
      to="halt:write"
      size={size}
      aria-haspopup="dialog"
      aria-label={subject === undefined ? undefined : `${label} ${subject}`}
      onClick={() => stop(target)}
      className={cn("text-deny", isNarrowing && "max-md:w-8 max-md:px-0", className)}
    >
      <OctagonX aria-hidden />
      <span className={isNarrowing ? "max-md:sr-only" : undefined}>{label}</span>
    </PermittedButton>
  );
}
