"use client";

import { useEffect, useRef, useState } from "react";
import { formatCount, plural } from "@/components/ui/format/count";
import { arrivals } from "@/components/ui/table/hold-rows";
import { callOutcomeOf } from "@/server/decisions/call-outcome-schema";
import type { CallView } from "@/server/decisions/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

const PAUSE_MS = 10_000;

interface AnnounceCallsProps {
  /** The newest first; null while the answer is awaited, as each minute when the range moves on. */
  rows: readonly CallView[] | null;
  /** Names the question that the rows answer; the rows of another question are not new. */
  question: string;
}

/** Reads new calls aloud, at most every ten seconds: "12 new calls, 3 denied". */
export function AnnounceCalls({ rows, question }: AnnounceCallsProps) {
  const [text, setText] = useState("");
  const before = useRef<{ question: string; ids: ReadonlySet<string> }>({ question, ids: new Set() });
  const fresh = useRef({ calls: 0, denied: 0 });
  const due = useRef<ReturnType<typeof setTimeout> | null>(null);
  const lastMs = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    // Synchronises with the list: its new rows are counted until they are announced.
    if (rows === null) return;
    const { question: last, ids } = before.current;
    before.current = { question, ids: new Set(rows.map(eventKeyText)) };
    if (last !== question || ids.size === 0) return;
    const added = arrivals(ids, rows, eventKeyText);
    if (added.size === 0) return;
    const arrived = rows.slice(0, added.size);
    fresh.current.calls += arrived.length;
    fresh.current.denied += arrived.filter(({ chain }) => callOutcomeOf(chain) === "denied").length;
    due.current ??= setTimeout(
      () => {
        const { calls, denied } = fresh.current;
        setText(`${plural(calls, "new call")}, ${formatCount(denied)} denied`);
        fresh.current = { calls: 0, denied: 0 };
        lastMs.current = performance.now();
        due.current = null;
      },
      Math.max(0, PAUSE_MS - (performance.now() - lastMs.current)),
    );
  }, [rows, question]);
  useEffect(
    () => () => {
      if (due.current !== null) clearTimeout(due.current);
      due.current = null;
    },
    [],
  );

  return (
    <output aria-live="polite" aria-label="New calls" className="sr-only">
      {text}
    </output>
  );
}
