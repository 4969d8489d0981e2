/** The calls over time by approval source, ready to draw. */

import { APPROVAL_SOURCE_KINDS, type ApprovalSourceKind } from "@quarterdeck/hooks/contract/approval-sources";
import { prepareTime, type Span, type TimeModel } from "@/components/charts/prepare/time-model";
import { approvalSourceLabels } from "@/components/decisions/approval-sources/labels";
import type { ApprovalSourceSeries } from "@/server/decisions/schema";

const LABELS = Object.fromEntries(APPROVAL_SOURCE_KINDS.map((kind) => [kind, approvalSourceLabels[kind].label]));

/** Colours of their own, so that none is taken for a verdict. */
export const approvalSourceColours: Readonly<Record<ApprovalSourceKind, string>> = {
  yolo: "var(--series-4)",
  rule: "var(--series-2)",
  hook: "var(--series-1)",
  judge: "var(--series-6)",
  person: "var(--series-3)",
  nobody: "var(--line-strong)",
  unknown: "var(--series-other)",
};

export function approvalSourcesModel(
  { from, to, bucketMs, points }: ApprovalSourceSeries,
  nowMs: number,
  down: readonly Span[] = [],
): TimeModel {
  const seen = new Set(points.map(({ kind }) => kind));
  return prepareTime({
    rows: points.map(({ at, kind, count }) => ({ at, series: kind, value: count })),
    from,
    to,
    stepMs: bucketMs,
    unit: "count",
    absent: "zero",
    nowMs,
    down,
    limit: APPROVAL_SOURCE_KINDS.length,
    order: APPROVAL_SOURCE_KINDS.filter((kind) => seen.has(kind)),
    colours: approvalSourceColours,
    labels: LABELS,
  });
}

/** The length of time of one bar: "hour", "6 hours", "day". */
export function barWords(bucketMs: number): string {
  const [size, word] = bucketMs % 86_400_000 === 0 ? [86_400_000, "day"] : [3_600_000, "hour"];
  return bucketMs === size ? word : `${bucketMs / size} ${word}s`;
}
