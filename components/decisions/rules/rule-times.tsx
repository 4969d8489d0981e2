"use client";

import { useMemo } from "react";
import { prepareTime } from "@/components/charts/prepare/time-model";
import { TimeSeries } from "@/components/charts/time-series";
import { barWords } from "@/components/decisions/approval-sources/approval-sources-model";
import type { TimeRange } from "@/components/layout/time-range/range";
import { useDowntime } from "@/components/layout/use-downtime";
import { COUNTS_EVERY_MS } from "@/components/trpc/refresher";
import { usePaceWords } from "@/components/trpc/use-pace-words";
import { useNow } from "@/components/ui/format/clock";
import { toneLook } from "@/components/ui/tone";
import type { RuleDetail } from "@/server/decisions/rules/schema";

const SERIES = {
  denied: { label: "Denied", colour: toneLook.deny.css, of: ["denied"] },
  asked: { label: "Asked", colour: toneLook.ask.css, of: ["asked"] },
  errors: { label: "Errors", colour: toneLook.error.css, of: ["failed", "timed_out"] },
  allowed: { label: "Allowed", colour: toneLook.allow.css, of: ["allowed"] },
  other: { label: "Anything else", colour: "var(--line-strong)", of: ["acted", "silent", "canceled"] },
} as const;
const NAMES = Object.keys(SERIES) as (keyof typeof SERIES)[]; // holds: a literal of this module
const pick = <Part extends "label" | "colour">(part: Part) =>
  Object.fromEntries(NAMES.map((name) => [name, SERIES[name][part]]));

/** The rule's outcomes and its latency, bar by bar; where it did not run, its latency is a gap. */
export function RuleTimes({ detail, range: { to, isLive } }: { detail: RuleDetail; range: TimeRange }) {
  const nowMs = Math.min(useNow(10_000) ?? to.getTime(), to.getTime());
  const down = useDowntime(detail);
  const pace = usePaceWords(isLive, COUNTS_EVERY_MS);
  const [did, took] = useMemo(() => {
    const span = { from: detail.from, to: detail.to, stepMs: detail.bucketMs, nowMs, down };
    const rows = detail.points.flatMap(({ at, outcomes }) =>
      NAMES.map((series) => ({
        at,
        series,
        value: SERIES[series].of.reduce((sum, word) => sum + (outcomes[word] ?? 0), 0),
      })),
    );
    const counts = {
      rows,
      unit: "count",
      absent: "zero",
      order: NAMES,
      colours: pick("colour"),
      labels: pick("label"),
    } as const;
    const p95 = detail.points.map((point) => ({ at: point.at, series: "p95", value: point.p95 }));
    return [prepareTime({ ...span, ...counts }), prepareTime({ ...span, rows: p95, unit: "ms", absent: "gap" })];
  }, [detail, nowMs, down]);
  const aside = `per ${barWords(detail.bucketMs)}`;
  return (
    <>
      <TimeSeries
        title="Results"
        aside={aside}
        model={did}
        height={150}
        emptyText="The rule has not run in this range"
      />
      <TimeSeries
        title="Latency, p95"
        aside={pace === null ? aside : `${aside}, updated ${pace}`}
        model={took}
        kind="lines"
        height={130}
        emptyText="The rule did not run in this range"
      />
    </>
  );
}
