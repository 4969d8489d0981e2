/**
 * An attempt joined with the events before and after it, from the stored rows of its session: the same rows give the
 * same record, in whatever order they arrived.
 */
import { z } from "zod";
import type { EventKey } from "../recording/event-key-schema.ts";
import { storedHooks } from "../recording/schema.ts";
import { type AttemptRows, type CompactionRow, summaryOf } from "./attempts.ts";
import type { AfterMissing, CostState, JoinedView, NextTurns } from "./schema.ts";
import * as sessions from "./session-repository.ts";
import { parseInput } from "./stored-input.ts";
import { hasMoreTroubles, type InputById, listInputsToRead, measureTurns, ZERO_MEASURES } from "./turn-measures.ts";
import { type SessionEvent, splitIntoTurns, type Turns } from "./turns.ts";

const BEFORE_EVENTS_MAX = 1_500;
const AFTER_EVENTS_MAX = 1_000;
export const INPUT_BYTES_MAX = 64 * 1024;

export interface JoinedAttempt {
  readonly view: JoinedView;
  readonly before: readonly SessionEvent[];
  readonly isCut: boolean;
  readonly summary: string | null;
}

const eventKey = (row: CompactionRow): EventKey => ({ occurredAt: row.occurred_at, id: row.dispatch_id });

/** `next` is where the session's next applied compaction begins: what happens from there on is not this one's doing. */
export async function joinAttempt(
  db: sessions.Queries,
  workspaceId: string,
  attempt: AttemptRows,
  next: CompactionRow | null,
): Promise<JoinedAttempt> {
  const [first] = attempt;
  const last = attempt.at(-1) ?? first;
  const key = { agentId: first.agent_id, sessionId: first.session_id };
  const [start, end, until] = [eventKey(first), eventKey(last), next && eventKey(next)];
  const isApplied = last.event === "after_compaction";
  const isAlone = key.sessionId === "";
  const [before, after, calls, extras] = await Promise.all([
    isAlone ? [] : sessions.listSessionEventsBefore(db, workspaceId, key, start, BEFORE_EVENTS_MAX),
    isAlone || !isApplied ? [] : sessions.listSessionEventsAfter(db, workspaceId, key, end, until, AFTER_EVENTS_MAX),
    isAlone ? null : sessions.findNearbyCalls(db, workspaceId, key, start, end, until),
    sessions.listAttemptExtras(db, workspaceId, attempt.map(eventKey)),
  ]);
  const turns = splitIntoTurns(before, after);
  const inputs = await readInputs(db, workspaceId, [...before, ...after], listInputsToRead(turns));
  const windows = measureTurns(turns, inputs);
  const afterwards = isApplied ? windows.after : ZERO_MEASURES;
  const hooks = extras.flatMap((extra) => storedHooks.parse(JSON.parse(extra.hooks ?? "[]")));
  const view: JoinedView = {
    modelId: calls?.model_before ?? calls?.model_after ?? "",
    ...tokensAfter(isApplied, calls, next),
    hooksRun: hooks.filter(({ outcome }) => outcome !== "skipped").length,
    hooksFailed: hooks.filter(({ outcome }) => outcome === "failed").length,
    ...costOf(attempt, calls),
    ...secretsOf(extras, isApplied && last.summary_bytes !== null),
    nextTurns: nextTurnsOf(isApplied && !isAlone, turns, after.length === AFTER_EVENTS_MAX, next),
    before: windows.before,
    after: afterwards,
    isTroubled: isApplied ? hasMoreTroubles(windows.before, afterwards) : null,
  };
  return { view, before, isCut: before.length === BEFORE_EVENTS_MAX, summary: summaryOf(extras) };
}

/** The inputs of the wanted events, read in one go. */
export async function readInputs(
  db: sessions.Queries,
  workspaceId: string,
  events: readonly SessionEvent[],
  wanted: readonly string[],
): Promise<InputById> {
  const among = new Set(wanted);
  const keys = events.filter(({ id }) => among.has(id));
  const texts = await sessions.listStoredInputs(db, workspaceId, keys, INPUT_BYTES_MAX);
  return new Map([...texts].map(([id, text]) => [id, parseInput(text)]));
}

function tokensAfter(
  isApplied: boolean,
  calls: sessions.NearbyCalls | null,
  next: CompactionRow | null,
): { tokensAfter: bigint | null; afterMissing: AfterMissing } {
  if (!isApplied) return { tokensAfter: null, afterMissing: "not_applied" };
  if (!calls?.has_next) return { tokensAfter: null, afterMissing: next === null ? "no_call_yet" : "compacted_again" };
  if (!calls.has_usage || calls.tokens_after === null) return { tokensAfter: null, afterMissing: "no_usage" };
  return { tokensAfter: BigInt(calls.tokens_after), afterMissing: "" };
}

function costOf(
  attempt: AttemptRows,
  calls: sessions.NearbyCalls | null,
): { costNano: bigint | null; costState: CostState } {
  if (calls !== null && calls.calls > 0)
    return calls.calls_unpriced > 0 || calls.cost_nano === null
      ? { costNano: null, costState: "unpriced" }
      : { costNano: BigInt(calls.cost_nano), costState: "told" };
  const noCall = attempt.some(({ effect }) => effect === "vetoed" || effect === "replaced");
  return { costNano: null, costState: noCall ? "no_call" : "not_told" };
}

const secretCounts = z.array(z.tuple([z.string(), z.number().int().nonnegative()]));

function secretsOf(
  extras: readonly sessions.AttemptExtras[],
  hasSummary: boolean,
): Pick<JoinedView, "secrets" | "secretRules"> {
  if (!hasSummary) return { secrets: null, secretRules: [] };
  const counted = extras.findLast(({ secrets }) => secrets !== null)?.secrets;
  if (counted === null || counted === undefined) {
    const marks = extras.findLast((extra) => extra.marks !== null)?.marks ?? 0;
    return { secrets: marks, secretRules: [] };
  }
  const secretRules = secretCounts.parse(JSON.parse(counted));
  return { secrets: secretRules.reduce((sum, [, count]) => sum + count, 0), secretRules };
}

function nextTurnsOf(isApplied: boolean, turns: Turns, isCut: boolean, next: CompactionRow | null): NextTurns {
  if (!isApplied) return "none";
  if (turns.isFull || isCut) return "full";
  if (next !== null) return "cut";
  return turns.isEnded ? "ended" : "open";
}
