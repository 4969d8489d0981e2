/**
 * The approval sources of calls (yolo mode, a rule, a hook, a judge, a person, or no approver), from the recorder's
 * sums.
 */
import { APPROVAL_SOURCE_KINDS, type ApprovalSourceKind } from "@quarterdeck/hooks/contract/approval-sources";
import type { Database } from "../platform/db.ts";
import { findCountingStart, hourChartBucketsOf, hourRollupRangeOf } from "../recording/index.ts";
import * as sums from "./approval-sources-repository.ts";
import {
  APPROVAL_SOURCE_LINES_MAX,
  type ApprovalSourceSeries,
  type ApprovalSourcesInput,
  type ApprovalSourcesView,
  type DecisionRange,
} from "./schema.ts";

const SOURCES_MAX = 60;

export async function approvalSources(
  db: Database,
  workspaceId: string,
  input: ApprovalSourcesInput,
): Promise<ApprovalSourcesView> {
  const stretch = hourRollupRangeOf(input);
  const [rows, sources, since] = await Promise.all([
    sums.listLines(db.pool, workspaceId, stretch, input.verdict, APPROVAL_SOURCE_LINES_MAX),
    sums.listSources(db.pool, workspaceId, stretch, input.verdict, SOURCES_MAX),
    findCountingStart(db.pool, workspaceId),
  ]);
  const kinds: Partial<Record<ApprovalSourceKind, number>> = {};
  const lines = new Map<string, { agent: string; tool: string; total: number; kinds: typeof kinds }>();
  let [total, rest] = [0, 0];
  for (const row of rows) {
    const [kind, count] = [kindOf(row.kind), Number(row.count)];
    total += count;
    kinds[kind] = (kinds[kind] ?? 0) + count;
    if (row.agent === null || row.tool === null) {
      rest += count;
      continue;
    }
    const key = `${row.agent}\0${row.tool}`;
    const line = lines.get(key) ?? { agent: row.agent, tool: row.tool, total: 0, kinds: {} };
    lines.set(key, line);
    line.total += count;
    line.kinds[kind] = (line.kinds[kind] ?? 0) + count;
  }
  return {
    from: stretch.from,
    to: stretch.to,
    total,
    kinds,
    sources: sources.map(({ source, by_judge, verdict, kind, count }) => ({
      source,
      byJudge: by_judge,
      verdict,
      kind: kindOf(kind),
      count: Number(count),
    })),
    lines: [...lines.values()].sort((a, b) => b.total - a.total),
    rest,
    judgesSince: since !== null && since > stretch.from ? since : null,
  };
}

export async function approvalSourceSeries(
  db: Database,
  workspaceId: string,
  input: ApprovalSourcesInput,
): Promise<ApprovalSourceSeries> {
  const buckets = hourChartBucketsOf(input);
  const points = await sums.listPoints(db.pool, workspaceId, buckets, input.verdict);
  const { from, to, bucketMs } = buckets;
  return {
    from,
    to,
    bucketMs,
    points: points.map(({ at, kind, count }) => ({ at, kind: kindOf(kind), count: Number(count) })),
  };
}

export interface FinalDecisionCount {
  readonly kind: ApprovalSourceKind;
  readonly verdict: string;
  readonly count: number;
}

/** The final decisions by kind of source and verdict, for the full hours that cover a range. */
export async function countFinalDecisions(db: Database, workspaceId: string, range: DecisionRange) {
  const stretch = hourRollupRangeOf(range);
  const rows = await sums.countFinalDecisions(db.pool, workspaceId, stretch);
  const counts = rows.map(
    ({ kind, verdict, count }): FinalDecisionCount => ({ kind: kindOf(kind), verdict, count: Number(count) }),
  );
  return { from: stretch.from, to: stretch.to, counts };
}

const kindOf = (word: string): ApprovalSourceKind => APPROVAL_SOURCE_KINDS.find((kind) => kind === word) ?? "unknown";
