/** The tables of judges' calls: one row for each, and sums per minute, hour and day. */
import type { Send } from "../platform/db.ts";
import { insertRows, type Table } from "./insert-rows.ts";
import type { JudgeRow } from "./judge-rows.ts";
import type { ProjectedRecord } from "./tables.ts";

interface Asked {
  readonly entry: ProjectedRecord;
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
    label: ["text", (a) => a.judge.label],
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
  readonly judge: JudgedEntry["judges"][number];
  readonly sums: Record<(typeof SUMS)[number], bigint>;
}
export interface JudgeSums {
  readonly minutes: readonly JudgeBucket[];
  readonly hours: readonly JudgeBucket[];
  readonly days: readonly JudgeBucket[];
}

/** As much of an entry as its judges are summed by. */
export interface JudgedEntry {
  readonly record: { readonly workspaceId: string };
  readonly occurredAt: string;
  readonly judges: readonly Pick<JudgeRow, "policy" | "hook" | "model" | "cause" | "pricing" | "costNano" | "usage">[];
}

/** Sums that entries are added to; sorted by their keys, so that concurrent batches lock rows in one order. */
export function createJudgeSums() {
  const minutes = new Map<string, JudgeBucket>();
  const hours = new Map<string, JudgeBucket>();
  const days = new Map<string, JudgeBucket>();
  return {
    add({ record, occurredAt, judges }: JudgedEntry): void {
      const { workspaceId } = record;
      for (const judge of judges) {
        add(minutes, { workspaceId, bucket: `${occurredAt.slice(0, 16)}:00Z`, judge });
        add(hours, { workspaceId, bucket: `${occurredAt.slice(0, 13)}:00:00Z`, judge });
        add(days, { workspaceId, bucket: `${occurredAt.slice(0, 10)}T00:00:00Z`, judge });
      }
    },
    result: (): JudgeSums => ({ minutes: sorted(minutes), hours: sorted(hours), days: sorted(days) }),
  };
}

export function judgeSumsOf(entries: readonly ProjectedRecord[]): JudgeSums {
  const sums = createJudgeSums();
  for (const entry of entries) sums.add(entry);
  return sums.result();
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

/** Most batches hold none. */
export function writeJudgeSums(send: Send, { minutes, hours, days }: JudgeSums): void {
  void insertRows(send, judgeTables.minute, minutes);
  void insertRows(send, judgeTables.hour, hours);
  void insertRows(send, judgeTables.day, days);
}
