"use client";

import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import { useTheme } from "next-themes";
import { Toaster as Sonner } from "sonner";

/** `toast("Saved")`, `toast.success`, `toast.error`, with `{ description, action: { label: "Undo", onClick } }`. */
export { toast } from "sonner";

/** Where toasts appear; mounted once. */
export function Toaster() {
  const { resolvedTheme } = useTheme();
  return (
    <Sonner
      theme={resolvedTheme === "dark" ? "dark" : "light"}
      position="bottom-right"
      gap={8}
      offset={16}
      icons={{
        success: <CircleCheck className="size-4 text-allow" />,
        error: <CircleAlert className="size-4 text-deny" />,
        warning: <TriangleAlert className="size-4 text-ask" />,
        info: <Info className="size-4 text-observe" />,
      }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-start gap-2 rounded-lg bg-raised p-3 text-base text-text shadow-overlay sm:w-90 [&_[data-icon]]:mt-0.5",
          content: "flex-1",
          title: "font-medium",
          description: "text-muted text-sm",
          actionButton: "h-6 shrink-0 rounded-md border border-line-strong px-2 text-sm hover:bg-hover",
          cancelButton: "h-6 shrink-0 rounded-md px-2 text-muted text-sm hover:bg-hover",
        },
      }}
    />
  );
}
