/**
 * An attempt joined with what came before and after it, from the rows of its session as they are stored now: the same rows
 * give the same record, whatever order they arrived in.
 */
import { z } from "zod";
import { storedHooks } from "../recording/schema.ts";
import type { CompactionRow, Run } from "./attempts.ts";
import { inputOf } from "./inputs.ts";
import { type Inputs, isTroubled, measured, NONE, wantedInputs } from "./measures.ts";
import type { AfterMissing, CostState, JoinedView, NextTurns } from "./schema.ts";
import * as sessions from "./session-repository.ts";
import { type SessionEvent, type Turns, turnsOf } from "./turns.ts";

const BEFORE_EVENTS_MAX = 1_500;
const AFTER_EVENTS_MAX = 1_000;
export const INPUT_BYTES_MAX = 64 * 1024;

export interface Joined {
  readonly view: JoinedView;
  readonly before: readonly SessionEvent[];
  readonly isCut: boolean;
}

const eventKey = (row: CompactionRow): sessions.EventKey => ({ occurredAt: row.occurred_at, id: row.dispatch_id });

/** `next` is where the session's next applied compaction begins: what happens from there on is not this one's doing. */
export async function join(
  db: sessions.Queries,
  workspaceId: string,
  attempt: Run,
  next: CompactionRow | null,
): Promise<Joined> {
  const [first] = attempt;
  const last = attempt.at(-1) ?? first;
  const key = { agentId: first.agent_id, sessionId: first.session_id };
  const [start, end, until] = [eventKey(first), eventKey(last), next && eventKey(next)];
  const isApplied = last.event === "after_compaction";
  const isAlone = key.sessionId === "";
  const [before, after, calls, extras] = await Promise.all([
    isAlone ? [] : sessions.listBefore(db, workspaceId, key, start, BEFORE_EVENTS_MAX),
    isAlone || !isApplied ? [] : sessions.listAfter(db, workspaceId, key, end, until, AFTER_EVENTS_MAX),
    isAlone ? null : sessions.findCalls(db, workspaceId, key, start, end, until),
    sessions.listExtras(db, workspaceId, attempt.map(eventKey)),
  ]);
  const turns = turnsOf(before, after);
  const inputs = await readInputs(db, workspaceId, [...before, ...after], wantedInputs(turns));
  const windows = measured(turns, inputs);
  const afterwards = isApplied ? windows.after : NONE;
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
    isTroubled: isApplied ? isTroubled(windows.before, afterwards) : null,
  };
  return { view, before, isCut: before.length === BEFORE_EVENTS_MAX };
}

/** The inputs of the wanted events, read in one go. */
export async function readInputs(
  db: sessions.Queries,
  workspaceId: string,
  events: readonly SessionEvent[],
  wanted: readonly string[],
): Promise<Inputs> {
  const among = new Set(wanted);
  const keys = events.filter(({ id }) => among.has(id));
  const texts = await sessions.listInputs(db, workspaceId, keys, INPUT_BYTES_MAX);
  return new Map([...texts].map(([id, text]) => [id, inputOf(text)]));
}

function tokensAfter(
  isApplied: boolean,
  calls: sessions.NearCalls | null,
  next: CompactionRow | null,
): { tokensAfter: bigint | null; afterMissing: AfterMissing } {
  if (!isApplied) return { tokensAfter: null, afterMissing: "not_applied" };
  if (!calls?.has_next) return { tokensAfter: null, afterMissing: next === null ? "no_call_yet" : "compacted_again" };
  if (!calls.has_usage || calls.tokens_after === null) return { tokensAfter: null, afterMissing: "no_usage" };
  return { tokensAfter: BigInt(calls.tokens_after), afterMissing: "" };
}

function costOf(attempt: Run, calls: sessions.NearCalls | null): { costNano: bigint | null; costState: CostState } {
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
