/** The figures of one rule by revision. The lines, the earlier runs and the uncounted ones come to the rule's figures. */
import type { Database } from "../../platform/db.ts";
import { hourRollupRangeOf, type LatencyCount, latencyPercentile } from "../../recording/index.ts";
import { HOOK_OUTCOMES, type HookOutcomeWord } from "../../recording/schema.ts";
import * as revisions from "./revision-repository.ts";
import type { RevisionLine, RuleRevisions, RunFigures } from "./revision-schema.ts";
import type { RuleDetailInput } from "./schema.ts";

export async function getRuleRevisions(
  { pool }: Database,
  workspaceId: string,
  { rule, ...range }: RuleDetailInput,
): Promise<RuleRevisions> {
  const [rows, countedSince] = await Promise.all([
    revisions.listRevisionCounts(pool, workspaceId, hourRollupRangeOf(range), rule),
    revisions.findRevisionStart(pool, workspaceId),
  ]);
  const byRevision = new Map<number | null, revisions.RevisionCountRow[]>();
  for (const row of rows) byRevision.set(row.revision, [...(byRevision.get(row.revision) ?? []), row]);
  const numbers = [...byRevision.keys()].flatMap((one) => one || []);
  const published = rule.policy === "" ? [] : await revisions.listPublished(pool, workspaceId, rule.policy, numbers);
  const known = new Map(published.map((one) => [one.number, one]));
  const mergedUpTo = Math.max(0, ...rows.map((row) => row.merged_up_to ?? 0));
  const all = [...new Set([...numbers, ...known.keys()])].filter((one) => one > mergedUpTo).sort((a, b) => b - a);
  const counted = figuresOf(rows.filter(({ revision }) => revision !== null));
  const whole = figuresOf(byRevision.get(null) ?? []);
  const earlier = byRevision.get(0);
  return {
    lines: all.map((revision) => ({
      revision,
      ...statusOf(known.get(revision)),
      ...figuresOf(byRevision.get(revision) ?? []),
    })),
    earlier: earlier === undefined ? null : figuresOf(earlier),
    uncounted: { fired: whole.fired - counted.fired, countedSince },
  };
}

function statusOf(
  row: revisions.PublishedRow | undefined,
): Pick<RevisionLine, "publishedAt" | "state" | "inForceSince"> {
  if (row === undefined) return { publishedAt: null, state: "past", inForceSince: null };
  const state = row.is_live ? "live" : row.is_canary ? "canary" : "past";
  return { publishedAt: row.published_at, state, inForceSince: row.in_force_since };
}

function figuresOf(rows: readonly revisions.RevisionCountRow[]): RunFigures {
  const outcomes: Partial<Record<HookOutcomeWord, number>> = {};
  const latencies: LatencyCount[] = [];
  let fired = 0;
  for (const row of rows) {
    const count = Number(row.count);
    const word = HOOK_OUTCOMES.find((known) => known === row.outcome) ?? "acted";
    outcomes[word] = (outcomes[word] ?? 0) + count;
    latencies.push({ bucket: row.latency, count });
    if (word !== "skipped") fired += count;
  }
  const percentile = (share: number) => latencyPercentile(latencies, share);
  return { fired, outcomes, latency: { p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) } };
}
