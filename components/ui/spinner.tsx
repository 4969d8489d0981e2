import { LoaderCircle } from "lucide-react";
import { cn } from "@/components/ui/cn";

/** Something is under way here. The caller says what, in words. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden className={cn("size-3.5 animate-turn", className)} />;
}
