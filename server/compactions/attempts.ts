/**
 * Events of one session's compactions, folded into attempts. An attempt is a run of events that only go forward
 * (pre_compact, before_compaction, after_compaction); any of the three may be missing, and a veto ends it.
 */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { AttemptOutcome, AttemptView, Intervention } from "./schema.ts";

export interface CompactionRow {
  readonly dispatch_id: string;
  readonly occurred_at: Date;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly session_id: string;
  readonly event: string;
  readonly reason: string;
  readonly input_tokens: string | null;
  readonly output_tokens: string | null;
  readonly context_limit: string | null;
  readonly effect: string;
  readonly effect_text: string;
  readonly summary_start: string | null;
  readonly summary_bytes: number | null;
}

export const COMPACTION_EVENTS = ["pre_compact", "before_compaction", "after_compaction"] as const;
const RANKS: ReadonlyMap<string, number> = new Map(COMPACTION_EVENTS.map((event, rank) => [event, rank]));
const rankOf = (row: CompactionRow) => RANKS.get(row.event) ?? 0;

/** True if `row` begins an attempt, `before` being the event before it in its session. repository.ts says it in SQL. */
export function isAttemptStart(row: CompactionRow, before: CompactionRow | undefined): boolean {
  return before === undefined || rankOf(row) <= rankOf(before) || before.effect === "vetoed";
}

/**
 * The rows of the attempt that begins with the first row; `rows` belong to one session in time order, and are not
 * empty.
 */
export function firstAttemptRows(rows: readonly CompactionRow[]): readonly CompactionRow[] {
  const end = rows.findIndex((row, at) => at > 0 && isAttemptStart(row, rows[at - 1]));
  return end < 0 ? rows : rows.slice(0, end);
}

export type AttemptRows = readonly [CompactionRow, ...CompactionRow[]];

/** A session's events in time order, attempt by attempt. */
export function splitIntoAttempts(rows: readonly CompactionRow[]): AttemptRows[] {
  const runs: [CompactionRow, ...CompactionRow[]][] = [];
  for (const [index, row] of rows.entries()) {
    const current = runs.at(-1);
    if (!current || isAttemptStart(row, rows[index - 1])) runs.push([row]);
    else current.push(row);
  }
  return runs;
}

/** An attempt without an end counts as running only this long: a summary takes minutes. */
const RUNNING_MS = 10 * 60_000;

/** A docker-agent sends it for a model whose definition it does not have. */
const UNKNOWN_LIMIT = "0";

/** One attempt from its rows, in time order. */
export function toAttemptView(rows: readonly [CompactionRow, ...CompactionRow[]], nowMs: number): AttemptView {
  const [first] = rows;
  const last = rows.at(-1) ?? first;
  const outcome = outcomeOf(last, nowMs);
  const inputTokens = latest(rows, (row) => row.input_tokens);
  const outputTokens = latest(rows, (row) => row.output_tokens);
  const isSaid = inputTokens !== null || outputTokens !== null;
  const isOver = outcome === "applied" || outcome === "vetoed";
  const veto = rows.find((row) => row.effect === "vetoed");
  return {
    id: first.dispatch_id,
    occurredAt: first.occurred_at,
    agentId: first.agent_id,
    agentName: first.agent_name,
    sessionId: first.session_id,
    reason: reasonOf(rows),
    outcome,
    interventions: INTERVENTIONS.filter((effect) => rows.some((row) => row.effect === effect)),
    vetoedBecause: veto?.effect_text ?? null,
    inputTokens,
    outputTokens,
    tokensBefore: isSaid ? (inputTokens ?? 0n) + (outputTokens ?? 0n) : null,
    contextLimit: latest(rows, ({ context_limit }) => (context_limit === UNKNOWN_LIMIT ? null : context_limit)),
    durationMs: isOver ? last.occurred_at.getTime() - first.occurred_at.getTime() : null,
    summaryStart: last.summary_start,
    summaryBytes: last.summary_bytes,
    events: rows.map((row) => row.event),
  };
}

const INTERVENTIONS = ["steered", "replaced", "vetoed"] as const satisfies readonly Intervention[];

function outcomeOf(last: CompactionRow, nowMs: number): AttemptOutcome {
  if (last.effect === "vetoed") return "vetoed";
  if (last.event === "after_compaction") return "applied";
  return nowMs - last.occurred_at.getTime() < RUNNING_MS ? "running" : "unfinished";
}

/** The two later events hold the canonical reason; pre_compact says `auto` for a threshold. */
function reasonOf(rows: readonly CompactionRow[]): string {
  const canonical = rows.findLast((row) => row.event !== "pre_compact" && row.reason !== "");
  if (canonical) return canonical.reason;
  const source = rows.find((row) => row.event === "pre_compact")?.reason ?? "";
  return source === "auto" ? "threshold" : source;
}

function latest(rows: readonly CompactionRow[], pick: (row: CompactionRow) => string | null): bigint | null {
  const row = rows.findLast((each) => pick(each) !== null);
  const digits = row ? pick(row) : null;
  return digits === null ? null : BigInt(digits);
}

const SUMMARY_CHARACTERS_MAX = 512 * 1024;

/** The summary that an attempt ended with, or its beginning; null without one. */
export function summaryOf(steps: readonly { readonly summary: string | null }[]): string | null {
  const summary = steps.findLast((step) => step.summary !== null)?.summary ?? null;
  return summary === null ? null : truncateText(summary, SUMMARY_CHARACTERS_MAX, "");
}
