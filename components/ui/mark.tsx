import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { type Tone, toneLook } from "@/components/ui/tone";

export interface MarkProps {
  tone: Tone;
  /** The word next to the icon; a mark is never a colour alone. */
  label: ReactNode;
  /** `tag` has a background and a border, `plain` is icon and word on the page, `large` heads a card. */
  look?: "tag" | "plain" | "large";
  className?: string;
}

/** An icon, a word and a colour with the same meaning. */
export function Mark({ tone, label, look = "tag", className }: MarkProps) {
  const { icon: Icon, tag, text } = toneLook[tone];
  return (
    <span
      data-tone={tone}
      className={cn(
        "inline-flex shrink-0 items-center whitespace-nowrap font-medium",
        look === "tag" && ["min-h-5 gap-1 rounded-sm border px-1.5 text-xs", tag],
        look === "plain" && ["gap-1.5 text-sm", text],
        look === "large" && ["min-h-7 gap-1.5 rounded-md border px-2.5 text-base font-semibold", tag],
        className,
      )}
    >
      <Icon aria-hidden className={cn("shrink-0", look === "large" ? "size-4" : "size-3")} strokeWidth={2.5} />
      {label}
    </span>
  );
}
