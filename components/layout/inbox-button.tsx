"use client";

import { Bell } from "lucide-react";
import { usePathname } from "next/navigation";
import { useAttention } from "@/components/layout/attention";
import { inbox } from "@/components/layout/nav";
import { formatCount } from "@/components/ui/format/count";
import { Link } from "@/components/ui/link";
import { Tooltip } from "@/components/ui/tooltip";

/** The bell in the header of every page: opens the inbox, and shows the number of unread notices. */
export function InboxButton() {
  const { unreadNotices } = useAttention();
  const isHere = usePathname() === inbox.href;
  const words = unreadNotices ? `Inbox: ${unreadNotices.words}` : "Inbox";
  return (
    <Tooltip content={words} side="bottom">
      <Link
        href={inbox.href}
        aria-label={words}
        aria-current={isHere ? "page" : undefined}
        className="relative inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-text aria-[current]:bg-selected aria-[current]:text-accent-text"
      >
        <Bell aria-hidden className="size-4" strokeWidth={1.75} />
        {unreadNotices ? (
          <span
            aria-hidden
            className="absolute top-0 right-0 min-w-4 rounded-full bg-accent px-1 text-center font-medium text-on-accent text-xs leading-4 tabular-nums"
          >
            {formatCount(unreadNotices.count)}
          </span>
        ) : null}
      </Link>
    </Tooltip>
  );
}
