"use client";

import type { KeyboardEvent, PointerEvent } from "react";
import { markWords } from "@/components/sessions/labels";
import { rowOfSlot, slotOfRow } from "@/components/sessions/timeline-pages";
import { formatCount } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { toneLook } from "@/components/ui/tone";
import { type MarkKind, markKind, type OutlineView } from "@/server/sessions/schema";

export interface StripProps {
  outline: OutlineView;
  /** The first row in sight. */
  row: number;
  onJump: (row: number) => void;
}

/**
 * The whole session as one line: the number of events over time, the marks and the current position. A press moves
 * there.
 */
export function Strip({ outline, row, onJump }: StripProps) {
  const { slots, marks, slotMs } = outline;
  const count = (slots.at(-1)?.slot ?? 0) + 1;
  const most = slots.reduce((max, { rows }) => Math.max(max, rows), 1);
  const here = slotOfRow(slots, row);
  const atX = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const slot = Math.floor(((event.clientX - left) / Math.max(width, 1)) * count);
    onJump(rowOfSlot(slots, Math.min(Math.max(slot, 0), count - 1)));
  };
  const byKey = (event: KeyboardEvent) => {
    const to = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (event.key === "End") return onJump(outline.rows - 1);
    // Moves backwards over an empty stretch to the event before it.
    const target = to < here ? (slots.findLast(({ slot }) => slot <= Math.max(to, 0))?.at ?? 0) : rowOfSlot(slots, to);
    onJump(target);
  };
  const places = marks.map(({ at, kind }) => ({ kind, slot: slotOfRow(slots, at) }));
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label="Position in the session"
      aria-valuemin={1}
      aria-valuemax={Math.max(outline.rows, 1)}
      aria-valuenow={Math.min(row + 1, Math.max(outline.rows, 1))}
      aria-valuetext={`event ${formatCount(row + 1)} of ${formatCount(outline.rows)}, ${formatDuration(here * slotMs)} after the start`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        atX(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) atX(event);
      }}
      onKeyDown={byKey}
      className="relative h-12 shrink-0 cursor-pointer touch-none overflow-hidden rounded-md border bg-sunken"
    >
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${count} 48`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full"
      >
        {slots.map(({ slot, rows }) => {
          const height = 2 + (Math.log1p(rows) / Math.log1p(most)) * 24;
          return <rect key={slot} x={slot} y={48 - height} width={0.86} height={height} fill="var(--line-strong)" />;
        })}
        {distinct(places).map(({ kind, slot }) => (
          <rect
            key={`${kind} ${slot}`}
            x={slot}
            y={3 + markKind.options.indexOf(kind) * 6}
            width={0.86}
            height={5}
            fill={toneLook[markWords[kind].tone].css}
          />
        ))}
        <rect x={here} y={0} width={1} height={48} fill="var(--accent)" opacity={0.35} />
      </svg>
    </div>
  );
}

function distinct(places: readonly { kind: MarkKind; slot: number }[]) {
  return [...new Map(places.map((place) => [`${place.kind} ${place.slot}`, place])).values()];
}
