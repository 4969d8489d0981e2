import type { ComponentProps } from "react";
import { cn } from "@/components/ui/cn";
import { controlLook } from "@/components/ui/input";

export function Textarea({ className, mono, rows = 3, ...rest }: ComponentProps<"textarea"> & { mono?: boolean }) {
  return (
    <textarea rows={rows} className={cn(controlLook, "py-1.5", mono && "font-mono text-sm", className)} {...rest} />
  );
}
