import { CircleAlert, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

export interface NoticeProps {
  kind?: "info" | "warning" | "danger";
  children: ReactNode;
  icon?: LucideIcon;
  action?: ReactNode;
  className?: string;
}

const looks = {
  info: { icon: Info, look: "border-observe-line bg-observe-soft text-observe" },
  warning: { icon: TriangleAlert, look: "border-ask-line bg-ask-soft text-ask" },
  danger: { icon: CircleAlert, look: "border-deny-line bg-deny-soft text-deny" },
} as const;

/** A sentence about everything below it: stale data, demo data, a policy not in force. */
export function Notice({ kind = "info", children, icon, action, className }: NoticeProps) {
  const Icon = icon ?? looks[kind].icon;
  return (
    <div
      role="status"
      className={cn(
        "flex min-h-8 flex-wrap items-center gap-2 rounded-md border px-2.5 py-1.5 text-sm",
        looks[kind].look,
        className,
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <div className="min-w-0 flex-1 basis-48">{children}</div>
      {action}
    </div>
  );
}
