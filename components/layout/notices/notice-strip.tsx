"use client";

import { ChevronDown, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type PageNotice, useNotices } from "@/components/layout/notices/notices-context";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { IconButton } from "@/components/ui/icon-button";
import { useLocalStorage } from "@/components/ui/use-local-storage";

const LOOKS = {
  info: "border-observe-line bg-observe-soft text-observe",
  warning: "border-ask-line bg-ask-soft text-ask",
  danger: "border-deny-line bg-deny-soft text-deny",
} as const;
/** From the gravest. */
const KINDS = ["danger", "warning", "info"] as const;
const NONE: readonly string[] = [];
const DISMISSED_MAX = 50;

/** Below the header of every page: the gravest notice in one line, and a button in the colour of the next one. */
export function NoticeStrip() {
  const notices = useNotices().toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  const [dismissed, setDismissed] = useLocalStorage<readonly string[]>("notices.dismissed", NONE, isTexts);
  const [isOpen, setIsOpen] = useState(false);
  const shown = notices.filter(({ occurrence }) => occurrence === undefined || !dismissed.includes(occurrence));
  const others = shown.slice(1);
  if (shown.length === 0) return null;
  const gravest = KINDS.find((kind) => others.some((notice) => notice.kind === kind)) ?? "info";
  const dismiss = (occurrence: string) => setDismissed([occurrence, ...dismissed].slice(0, DISMISSED_MAX));
  return (
    <ul aria-label="Notices" data-no-print className="shrink-0">
      {shown.slice(0, isOpen ? undefined : 1).map((notice, index) => (
        <li key={notice.id}>
          <NoticeLine notice={notice} onDismiss={dismiss}>
            {index === 0 && others.length > 0 ? (
              <Button size="sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)} className={LOOKS[gravest]}>
                {isOpen ? "Show one" : `${others.length} more`}
                <ChevronDown aria-hidden className={isOpen ? "rotate-180" : ""} />
              </Button>
            ) : null}
          </NoticeLine>
        </li>
      ))}
    </ul>
  );
}

interface NoticeLineProps {
  notice: PageNotice;
  onDismiss: (occurrence: string) => void;
  children: ReactNode;
}

function NoticeLine({ notice, onDismiss, children }: NoticeLineProps) {
  const { label, kind, icon: Icon, text, action, occurrence } = notice;
  return (
    <section
      aria-label={label}
      className={cn(
        "flex min-h-9 flex-wrap items-center gap-x-2.5 gap-y-1 border-b px-4 py-1 text-sm md:px-6",
        LOOKS[kind],
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <div className="min-w-0 flex-1 basis-44">{text}</div>
      <div className="flex items-center gap-1">
        {action}
        {children}
        {occurrence === undefined ? null : (
          <IconButton icon={X} size="sm" label={`Dismiss: ${label}`} onClick={() => onDismiss(occurrence)} />
        )}
      </div>
    </section>
  );
}

const isTexts = (stored: unknown): stored is readonly string[] =>
  Array.isArray(stored) && stored.every((text) => typeof text === "string");
