"use client";

import { Archive, ArchiveRestore, Clock } from "lucide-react";
import { kindLabel } from "@/components/notices/labels";
import { snoozeTimes } from "@/components/notices/snooze-times";
import type { Filing } from "@/components/notices/use-filing";
import { cn } from "@/components/ui/cn";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { Menu } from "@/components/ui/menu";
import type { NoticeBox, NoticeView } from "@/server/notices/schema";

interface NoticeRowProps {
  notice: NoticeView;
  box: NoticeBox;
  /** The row that the keys act on. */
  isCurrent: boolean;
  filing: Filing;
}

/** One notice with the acts of its box. */
export function NoticeRow({
  notice: { key, kind, title, says, path, at, isDone },
  box,
  isCurrent,
  filing,
}: NoticeRowProps) {
  return (
    <li
      data-current={isCurrent ? "" : undefined}
      className="flex items-start gap-3 px-3 py-2 data-current:bg-selected max-sm:flex-wrap"
    >
      <span
        aria-hidden
        className={cn("mt-1.5 size-2 shrink-0 rounded-full", isDone ? "border border-line-strong" : "bg-accent")}
      />
      <div className="min-w-0 flex-1">
        <p className={cn("break-words", isDone ? "text-muted" : "font-medium")}>
          <Link href={path} className="hover:underline">
            {title}
          </Link>
          {isDone ? null : <span className="sr-only">, unread</span>}
        </p>
        {says === "" ? null : <p className="break-words text-muted text-sm">{says}</p>}
      </div>
      <p className="shrink-0 text-right text-faint text-sm">
        {kindLabel(kind)}
        <br />
        <RelativeTime at={at} />
      </p>
      <div className="flex shrink-0 items-center">
        {box === "archived" ? null : (
          <Menu
            trigger={<IconButton icon={Clock} label={`Snooze ${title}`} keys="h" disabled={filing.isBusy} />}
            items={snoozeTimes(Date.now()).map(({ label, until }) => ({
              ...{ label, onSelect: () => filing.snooze([key], until) },
            }))}
          />
        )}
        {box === "inbox" ? null : (
          <IconButton
            icon={ArchiveRestore}
            label={`Move ${title} to the inbox`}
            disabled={filing.isBusy}
            onClick={() => filing.putBack([key])}
          />
        )}
        {box === "archived" ? null : (
          <IconButton
            icon={Archive}
            label={`Archive ${title}`}
            keys="e"
            disabled={filing.isBusy}
            onClick={() => filing.archive([key])}
          />
        )}
      </div>
    </li>
  );
}
