/** What judges were asked in one dispatch, as rows and as sums. The words stay in the dispatch's own row. */
import type { Table } from "./columns.ts";
import type { DispatchRecord } from "./record.ts";
import type { StoredHook } from "./schema.ts";
import { keyText } from "./storable.ts";
import type { Entry } from "./tables.ts";

export type Pricing = "priced" | "free" | "unpriced" | "unanswered";

export interface JudgeRow {
  /** Among the hooks of its dispatch. */
  readonly place: number;
  readonly policy: string;
  readonly revision: number;
  readonly hook: string;
  readonly model: string;
  readonly provider: string;
  readonly verdict: string;
  /** "" when it answered as asked. */
  readonly cause: string;
  readonly pricing: Pricing;
  readonly costNano: bigint | null;
  readonly usage: NonNullable<NonNullable<StoredHook["judge"]>["usage"]> | null;
  readonly latencyMs: number | null;
}

const NONE: readonly JudgeRow[] = [];
/** Four texts of a rollup's key fit one index row together. */
export const JUDGE_KEY_MAX = 128;

export function projectJudges({ hooks }: DispatchRecord): readonly JudgeRow[] {
  if (!hooks.some((hook) => hook.judge)) return NONE;
  return hooks.flatMap((hook, place) => (hook.judge ? [rowOf(hook, hook.judge, place)] : []));
}

function rowOf(hook: StoredHook, judge: NonNullable<StoredHook["judge"]>, place: number): JudgeRow {
  return {
    place,
    policy: keyText(hook.policy, JUDGE_KEY_MAX),
    revision: hook.revision,
    hook: keyText(hook.name, JUDGE_KEY_MAX),
    model: keyText(judge.model, JUDGE_KEY_MAX),
    provider: keyText(judge.provider ?? ""),
    verdict: hook.outcome === "failed" ? "failed" : hook.said,
    cause: keyText(judge.cause ?? "", JUDGE_KEY_MAX),
    pricing: pricingOf(judge.costNano),
    costNano: typeof judge.costNano === "string" ? BigInt(judge.costNano) : null,
    usage: judge.usage ?? null,
    latencyMs: judge.latencyMs ?? null,
  };
}

/** Of a stored cost: digits, null for an answer without a price, undefined for no answer. */
export function pricingOf(costNano: string | null | undefined): Pricing {
  if (costNano === undefined) return "unanswered";
  if (costNano === null) return "unpriced";
  return costNano === "0" ? "free" : "priced";
}

interface Asked {
  readonly entry: Entry;
  readonly judge: JudgeRow;
}

export const judgeCallTable: Table<Asked> = {
  name: "judge_call",
  columns: {
    workspace_id: ["uuid", (a) => a.entry.record.workspaceId],
    occurred_at: ["timestamptz", (a) => a.entry.occurredAt],
    dispatch_id: ["uuid", (a) => a.entry.record.id],
    place: ["int4", (a) => a.judge.place],
    agent_id: ["uuid", (a) => a.entry.record.agentId],
    agent_name: ["text", (a) => a.entry.agentName],
    session_id: ["text", (a) => a.entry.projection.sessionId],
    event: ["text", (a) => a.entry.record.event],
    tool_name: ["text", (a) => a.entry.projection.toolName],
    policy: ["text", (a) => a.judge.policy],
    revision: ["int4", (a) => a.judge.revision],
    hook: ["text", (a) => a.judge.hook],
    model: ["text", (a) => a.judge.model],
    provider: ["text", (a) => a.judge.provider],
    verdict: ["text", (a) => a.judge.verdict],
    cause: ["text", (a) => a.judge.cause],
    pricing: ["text", (a) => a.judge.pricing],
    cost_nano: ["int8", (a) => a.judge.costNano],
    input_tokens: ["int8", (a) => a.judge.usage?.inputTokens],
    output_tokens: ["int8", (a) => a.judge.usage?.outputTokens],
    cached_input_tokens: ["int8", (a) => a.judge.usage?.cachedInputTokens],
    cache_write_tokens: ["int8", (a) => a.judge.usage?.cacheWriteTokens],
    reasoning_tokens: ["int8", (a) => a.judge.usage?.reasoningTokens],
    latency_ms: ["float8", (a) => a.judge.latencyMs],
  },
};

const SUMS = [
  "calls",
  "priced",
  "free",
  "unpriced",
  "unanswered",
  "cost_nano",
  "input_tokens",
  "output_tokens",
] as const;
interface JudgeBucket {
  readonly workspaceId: string;
  readonly bucket: string;
  readonly judge: JudgeRow;
  readonly sums: Record<(typeof SUMS)[number], bigint>;
}
export interface JudgeSums {
  readonly minutes: readonly JudgeBucket[];
  readonly hours: readonly JudgeBucket[];
  readonly days: readonly JudgeBucket[];
}

/** Sorted by their keys, so that concurrent batches lock rows in one order. */
export function judgeSumsOf(entries: readonly Entry[]): JudgeSums {
  const minutes = new Map<string, JudgeBucket>();
  const hours = new Map<string, JudgeBucket>();
  const days = new Map<string, JudgeBucket>();
  for (const { record, occurredAt, judges } of entries)
    for (const judge of judges) {
      const { workspaceId } = record;
      add(minutes, { workspaceId, bucket: `${occurredAt.slice(0, 16)}:00Z`, judge });
      add(hours, { workspaceId, bucket: `${occurredAt.slice(0, 13)}:00:00Z`, judge });
      add(days, { workspaceId, bucket: `${occurredAt.slice(0, 10)}T00:00:00Z`, judge });
    }
  return { minutes: sorted(minutes), hours: sorted(hours), days: sorted(days) };
}

function add(into: Map<string, JudgeBucket>, one: Omit<JudgeBucket, "sums">): void {
  const { policy, hook, model, cause, pricing, costNano, usage } = one.judge;
  const key = JSON.stringify([one.workspaceId, one.bucket, policy, hook, model, cause]);
  const known = into.get(key);
  const sums =
    known?.sums ??
    ({
      calls: 0n,
      priced: 0n,
      free: 0n,
      unpriced: 0n,
      unanswered: 0n,
      cost_nano: 0n,
      input_tokens: 0n,
      output_tokens: 0n,
    } satisfies JudgeBucket["sums"]);
  sums.calls += 1n;
  sums[pricing] += 1n;
  sums.cost_nano += costNano ?? 0n;
  sums.input_tokens += BigInt(
    (usage?.inputTokens ?? 0) + (usage?.cachedInputTokens ?? 0) + (usage?.cacheWriteTokens ?? 0),
  );
  sums.output_tokens += BigInt(usage?.outputTokens ?? 0);
  if (!known) into.set(key, { ...one, sums });
}

function sorted(sums: Map<string, JudgeBucket>): JudgeBucket[] {
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}

const tableOf = (unit: "minute" | "hour" | "day"): Table<JudgeBucket> => ({
  name: `judge_${unit}`,
  columns: {
    workspace_id: ["uuid", (b) => b.workspaceId],
    bucket: ["timestamptz", (b) => b.bucket],
    policy: ["text", (b) => b.judge.policy],
    hook: ["text", (b) => b.judge.hook],
    model: ["text", (b) => b.judge.model],
    cause: ["text", (b) => b.judge.cause],
    ...Object.fromEntries(SUMS.map((name) => [name, ["int8", (b: JudgeBucket) => b.sums[name]] as const])),
  },
  tail: `ON CONFLICT (workspace_id, bucket, policy, hook, model, cause) DO UPDATE SET
    ${SUMS.map((name) => `${name} = judge_${unit}.${name} + excluded.${name}`).join(", ")}`,
});
export const judgeTables = { minute: tableOf("minute"), hour: tableOf("hour"), day: tableOf("day") };
