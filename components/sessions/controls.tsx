"use client";

import { Check, ChevronDown, ChevronUp, List, ListCollapse } from "lucide-react";
import { kindWords, markWords } from "@/components/sessions/labels";
import { markFrom } from "@/components/sessions/timeline-pages";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { formatCount } from "@/components/ui/format/count";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { IconButton } from "@/components/ui/icon-button";
import { Mark } from "@/components/ui/mark";
import { type EventKind, eventKind, type MarkKind, markKind, type OutlineView } from "@/server/sessions/schema";

/** The kinds of events that are shown; none chosen is all. */
export function Kinds({ kinds, onChange }: { kinds: readonly EventKind[]; onChange: (next: EventKind[]) => void }) {
  return (
    <fieldset className="flex min-w-0 items-center gap-1 max-sm:-mx-3 max-sm:overflow-x-auto max-sm:px-3 sm:flex-wrap">
      <legend className="sr-only">Kinds of events</legend>
      {eventKind.options.map((kind) => {
        const { label, icon: Icon } = kindWords[kind];
        const isOn = kinds.includes(kind);
        return (
          <button
            key={kind}
            type="button"
            aria-pressed={isOn}
            onClick={() => onChange(isOn ? kinds.filter((one) => one !== kind) : [...kinds, kind])}
            className={cn(
              "inline-flex h-7 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-md border px-2 text-sm transition-colors",
              isOn ? "border-accent-line bg-accent-soft text-accent-text" : "text-muted hover:bg-hover hover:text-text",
            )}
          >
            <Icon aria-hidden className="size-3.5" strokeWidth={1.75} /> {label}
          </button>
        );
      })}
      {kinds.length > 0 ? (
        <Button size="sm" variant="ghost" onClick={() => onChange([])}>
          All kinds
        </Button>
      ) : null}
    </fieldset>
  );
}

export interface JumpsProps {
  outline: OutlineView;
  /** From where: the selected row, else the first in sight. */
  row: number;
  onJump: (row: number) => void;
}

/** To the next and the previous denial, error and compaction. */
export function Jumps({ outline, row, onJump }: JumpsProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {markKind.options.map((kind) => (
        <Jump key={kind} kind={kind} outline={outline} row={row} onJump={onJump} />
      ))}
    </div>
  );
}

function Jump({ kind, outline, row, onJump }: JumpsProps & { kind: MarkKind }) {
  const { tone, one, many, key } = markWords[kind];
  const count = outline.marks.filter((mark) => mark.kind === kind).length;
  const [previous, next] = [markFrom(outline.marks, kind, row, "previous"), markFrom(outline.marks, kind, row, "next")];
  const go = (to: number | null) => () => {
    if (to !== null) onJump(to);
  };
  useHotkey(`n ${key}`, go(next), { label: `Next ${one}`, group: "Timeline" });
  useHotkey(`p ${key}`, go(previous), { label: `Previous ${one}`, group: "Timeline" });
  return (
    <span className="flex items-center gap-1">
      {count === 0 ? (
        <span className="text-faint text-sm">no {many}</span>
      ) : (
        <>
          <Mark tone={tone} look="plain" label={`${formatCount(count)} ${count === 1 ? one : many}`} />
          <IconButton
            icon={ChevronUp}
            size="sm"
            label={`Previous ${one}`}
            keys={`p ${key}`}
            disabled={previous === null}
            onClick={go(previous)}
          />
          <IconButton
            icon={ChevronDown}
            size="sm"
            label={`Next ${one}`}
            keys={`n ${key}`}
            disabled={next === null}
            onClick={go(next)}
          />
        </>
      )}
    </span>
  );
}

/** Folds every sub-session away, or unfolds them. */
export function FoldAll({ isFolded, count, onClick }: { isFolded: boolean; count: number; onClick: () => void }) {
  if (count === 0) return null;
  return (
    <Button size="sm" variant="ghost" onClick={onClick}>
      <ListCollapse aria-hidden /> {isFolded ? "Unfold" : "Fold"} {formatCount(count)}{" "}
      {count === 1 ? "sub-session" : "sub-sessions"}
    </Button>
  );
}

/** Between the story of a session and the flat list of its events. */
export function RawSwitch({ isRaw, onChange }: { isRaw: boolean; onChange: (isRaw: boolean) => void }) {
  return (
    <Button size="sm" variant="ghost" aria-pressed={isRaw} onClick={() => onChange(!isRaw)}>
      {isRaw ? <Check aria-hidden /> : <List aria-hidden />} Raw events
    </Button>
  );
}
