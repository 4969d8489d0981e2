/** The performance of each rule: its verdicts, its duration, its cost, and how often people overturned it. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { z } from "zod";
import * as judges from "../../judges/index.ts";
import type { Database } from "../../platform/db.ts";
import { hooksInForce } from "../../policies/index.ts";
import {
  findCountingStart,
  HOOK_KEY_MAX,
  hourChartBucketsOf,
  hourRollupRangeOf,
  indexKeyText,
  type LatencyCount,
  latencyPercentile,
} from "../../recording/index.ts";
import { HOOK_OUTCOMES, type HookOutcomeWord, storedHooks } from "../../recording/schema.ts";
import * as rules from "./rule-performance-repository.ts";
import {
  RULE_CARDS_MAX,
  type RuleCard,
  type RuleCards,
  type RuleDetail,
  type RuleDetailInput,
  type RuleKey,
  type RuleOutcomeView,
  type RuleRange,
} from "./schema.ts";

type Growing = { -readonly [Key in keyof RuleCard]: RuleCard[Key] };

/** Every rule in force, and every other that did anything in the range. */
export async function listRuleCards(db: Database, workspaceId: string, range: RuleRange): Promise<RuleCards> {
  const stretch = hourRollupRangeOf(range);
  const hours = { from: stretch.from, to: stretch.to };
  const [cells, overturned, inForce, asked, since] = await Promise.all([
    rules.listRuleCounts(db.pool, workspaceId, stretch, RULE_CARDS_MAX),
    rules.listOverturnedOutcomes(db.pool, workspaceId, hours, RULE_CARDS_MAX * 2),
    hooksInForce(db, workspaceId),
    judges.summariseJudges(db, workspaceId, hours),
    findCountingStart(db.pool, workspaceId),
  ]);
  const known = new Map<string, Growing>();
  const cardOf = (rule: RuleKey): Growing => {
    const key = keyOf(rule);
    const card = known.get(key) ?? emptyCard(rule);
    known.set(key, card);
    return card;
  };
  for (const { policy, policyId, event, name, type, matcher, monitoredUntil } of inForce) {
    const card = cardOf({ policy: indexKeyText(policy, HOOK_KEY_MAX), event, hook: indexKeyText(name, HOOK_KEY_MAX) });
    Object.assign(card, {
      policyId,
      type,
      monitoredUntil,
      matcher: card.inForce > 0 && card.matcher !== matcher ? null : matcher,
    });
    card.inForce += 1;
  }
  const latencies = new Map<string, LatencyCount[]>();
  for (const row of cells) {
    const [card, key, count] = [cardOf(row), keyOf(row), Number(row.count)];
    const outcome = outcomeOf(row.outcome);
    card.outcomes[outcome] += count;
    if (outcome !== "skipped") card.fired += count;
    latencies.set(key, [...(latencies.get(key) ?? []), { bucket: row.latency, count }]);
  }
  for (const row of overturned) {
    const card = known.get(keyOf(row));
    if (card && (row.outcome === "denied" || row.outcome === "asked")) card.overturned[row.outcome] += row.count;
  }
  for (const { policy, hook, ledger } of asked.judges)
    for (const card of known.values())
      if (card.policy === policy && card.hook === hook && ledger.calls > 0) {
        const { calls, unpriced, unanswered, nano } = ledger;
        card.judge = { calls, unpriced, unanswered, nano };
      }
  for (const [key, counts] of latencies) {
    const card = known.get(key);
    if (card) card.latency = latencyOf(counts);
  }
  const fired = new Set(cells.map(keyOf)).size;
  return {
    ...hours,
    countedSince: since !== null && since > stretch.from ? since : null,
    cards: [...known.values()],
    isWhole: fired < RULE_CARDS_MAX,
  };
}

const keyOf = ({ policy, event, hook }: RuleKey): string => `${policy}\0${event}\0${hook}`;

function emptyCard({ policy, event, hook }: RuleKey): Growing {
  // Holds: every word of the fixed list is set.
  const outcomes = Object.fromEntries(HOOK_OUTCOMES.map((word) => [word, 0])) as RuleCard["outcomes"];
  return {
    policy,
    event,
    hook,
    policyId: null,
    inForce: 0,
    monitoredUntil: null,
    type: "",
    matcher: null,
    fired: 0,
    outcomes,
    latency: { p50: null, p95: null, p99: null },
    overturned: { denied: 0, asked: 0 },
    judge: null,
  };
}

const latencyOf = (counts: readonly LatencyCount[]): RuleCard["latency"] => ({
  p50: latencyPercentile(counts, 0.5),
  p95: latencyPercentile(counts, 0.95),
  p99: latencyPercentile(counts, 0.99),
});

const outcomeOf = (word: string): HookOutcomeWord => HOOK_OUTCOMES.find((known) => known === word) ?? "acted";

const SHOWN = 10;
const REFUSALS = { outcomes: ["denied", "asked"], isOverturned: false };
const ERRORS = { outcomes: ["failed", "timed_out"], isOverturned: false };
const OVERTURNED = { outcomes: ["denied", "asked"], isOverturned: true };

/** One rule over time, with its newest denials, failures and overturned verdicts. */
export async function getRuleDetail(
  db: Database,
  workspaceId: string,
  { rule, ...range }: RuleDetailInput,
): Promise<RuleDetail> {
  const buckets = hourChartBucketsOf(range);
  const newest = (wanted: rules.Wanted) => rules.listNewestOutcomes(db.pool, workspaceId, rule, range, wanted, SHOWN);
  const [points, refusals, errors, overturned] = await Promise.all([
    rules.listOutcomePoints(db.pool, workspaceId, rule, buckets),
    newest(REFUSALS),
    newest(ERRORS),
    newest(OVERTURNED),
  ]);
  const at = new Map<number, rules.PointRow[]>();
  for (const point of points) at.set(point.at.getTime(), [...(at.get(point.at.getTime()) ?? []), point]);
  return {
    from: buckets.from,
    to: buckets.to,
    bucketMs: buckets.bucketMs,
    points: [...at].map(([ms, rows]) => ({
      at: new Date(ms),
      outcomes: rows.reduce<Partial<Record<HookOutcomeWord, number>>>((sums, row) => {
        const word = outcomeOf(row.outcome);
        return Object.assign(sums, { [word]: (sums[word] ?? 0) + Number(row.count) });
      }, {}),
      p95: latencyPercentile(
        rows.map((row) => ({ bucket: row.latency, count: Number(row.count) })),
        0.95,
      ),
    })),
    refusals: refusals.map(viewOf),
    errors: errors.map(viewOf),
    overturned: overturned.map(viewOf),
  };
}

const FAILURE_SHOWN_MAX = 400;
const stored = z.string().transform((text) => storedHooks.parse(JSON.parse(text)));

function viewOf(row: rules.OutcomeRow): RuleOutcomeView {
  const failure = row.hooks === null ? undefined : stored.parse(row.hooks)[row.place]?.failure;
  return {
    occurredAt: row.occurred_at,
    id: row.dispatch_id,
    agentName: row.agent_name,
    tool: row.tool_name,
    outcome: outcomeOf(row.outcome),
    revision: row.revision,
    excerpt: row.excerpt ?? "",
    failure: failure === undefined ? null : truncateText(failure, FAILURE_SHOWN_MAX),
    overturnedBy: row.overturned_by,
    isDecision: row.excerpt !== null,
  };
}
