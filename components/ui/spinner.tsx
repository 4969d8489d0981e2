import { LoaderCircle } from "lucide-react";
import { cn } from "@/components/ui/cn";

/** Shows that work is under way. The caller names it in words. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden className={cn("size-3.5 animate-turn", className)} />;
}
