/** The effect that an exception would have had in the last seven days: on recorded calls, and on requests to people. */
import { truncateToLine } from "@quarterdeck/hooks/contract/truncate-text";
import type { Administrator } from "../access/actor.ts";
import { needsOthers } from "../approvals/index.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database, Pool } from "../platform/db.ts";
import { HOOK_KEY_MAX, indexKeyText } from "../recording/index.ts";
import * as past from "./effect-repository.ts";
import { type ExampleCall, exampleOf, jsonOf, patternOf } from "./example-call.ts";
import { findRules } from "./find-rules.ts";
import { type CallEffect, type DraftException, effectOn, liftsRecorded } from "./recorded-call.ts";
import { createRecordedRules, type FindRecordedRule } from "./recorded-rules.ts";
import {
  EFFECT_EXAMPLES_MAX,
  EFFECT_LOOKED_MAX,
  type EffectOnCalls,
  type EffectOnRequests,
  type ExceptionEffect,
  type ExceptionReach,
} from "./schema.ts";

/** Calls that are read at a time. */
const CALLS_AT_ONCE = 50;
/** Time limit: after it, only the calls checked until then are counted. */
const BUDGET_MS = 2_000;
/** The part of a rule's name that the reason of a decision holds (server/hooks/engine/explain.ts). */
const DECIDED_RULE_CHARS_MAX = 80;
/** A longer input is not compared. */
const INPUT_BYTES_MAX = 131_072;
/** The same for a request, of which thousands are in memory at once; commands for people are shorter. */
const REQUEST_BYTES_MAX = 16_384;

/**
 * No call is run again: recorded verdicts are compared with the exception by the same function that lifts verdicts.
 * Errors: `approval_not_found`, `approval_own_agent`, `exception_refused`, `forbidden`, `invalid_input`.
 */
export async function effect(
  db: Pick<Database, "pool" | "prisma">,
  reader: Administrator,
  reach: ExceptionReach,
  budgetMs: number = BUDGET_MS,
): Promise<ExceptionEffect> {
  const { pool } = db;
  const { workspaceId } = reader;
  const example = await exampleOf(db, reader, reach);
  const rules = await findRules(pool, workspaceId, example);
  if (typeof rules === "string") throw new AppError("exception_refused", undefined, { says: rules });
  const pattern = await patternOf(pool, workspaceId, example, reach);
  const draft: DraftException = {
    exception: { ...pattern, rules, lifts: example.lifts },
    isOfPlainInput: pattern.command === null && example.isWhole,
    findRule: createRecordedRules(pool, workspaceId),
    needsOthers: othersNeeded(pool, reader, example.toolName),
  };
  const [calls, requests] = await Promise.all([
    effectOnCalls(pool, workspaceId, draft, example, budgetMs),
    example.lifts === "question" ? effectOnRequests(pool, workspaceId, draft) : null,
  ]);
  return { calls, requests };
}

/** The rules about who answers are read once for calls that reach equally far. */
function othersNeeded(pool: Pool, { workspaceId, id }: Administrator, toolName: string): DraftException["needsOthers"] {
  const known = new Map<string, Promise<boolean>>();
  return (radii) => {
    const key = [...new Set(radii)].sort().join(" ");
    const asking = known.get(key) ?? needsOthers(pool, workspaceId, { toolName, radii, personId: id });
    known.set(key, asking);
    return asking;
  };
}

async function effectOnCalls(
  pool: Pool,
  workspaceId: string,
  draft: DraftException,
  example: ExampleCall,
  budgetMs: number,
): Promise<EffectOnCalls> {
  const untilMs = performance.now() + budgetMs;
  const named = await namedRules(draft.findRule, example);
  const found = await past.listPastOutcomes(pool, workspaceId, named, EFFECT_LOOKED_MAX + 1);
  const outcomes = found.slice(0, EFFECT_LOOKED_MAX);
  const words = draft.exception.lifts === "verdict" ? ["denied", "asked"] : ["asked"];
  const isWanted = ({ toolName, outcome }: past.PastOutcome) =>
    toolName === draft.exception.toolName && words.includes(outcome);
  const tally = createTally();
  let looked = 0;
  while (looked < outcomes.length && (looked === 0 || performance.now() < untilMs)) {
    const next = outcomes.slice(looked, looked + CALLS_AT_ONCE);
    looked += next.length;
    const keys = [...new Map(next.filter(isWanted).map((one) => [one.id, one])).values()];
    const calls = keys.length === 0 ? [] : await past.listPastCalls(pool, workspaceId, keys, INPUT_BYTES_MAX);
    for (const call of calls) tally.add(call, await effectOn(draft, call));
  }
  const rules = named.map(({ policy, hook }) => ({ policy, rule: truncateToLine(hook, DECIDED_RULE_CHARS_MAX) }));
  return { ...tally.counts(), rules, looked, isWhole: looked === found.length };
}

/** The rules of the example by the names under which outcomes are on record. */
async function namedRules(findRule: FindRecordedRule, { askedBy, askedAt, toolName }: ExampleCall) {
  const named = new Map<string, past.OutcomeRule>();
  for (const rule of askedBy) {
    const found = await findRule(rule, toolName, askedAt);
    if (found === null) continue;
    const one = {
      policy: indexKeyText(rule.policy, HOOK_KEY_MAX),
      hook: indexKeyText(found.hook.name, HOOK_KEY_MAX),
    };
    named.set(JSON.stringify(one), one);
  }
  return [...named.values()];
}

/** Counts calls, each once however many gates it passed: one gate that holds it back is enough. */
function createTally() {
  const byCall = new Map<string, { readonly call: past.PastCall; readonly effect: Exclude<CallEffect, "none"> }>();
  const all = () => [...byCall.values()];
  const count = (wanted: CallEffect) => all().filter(({ effect }) => effect === wanted).length;
  return {
    add(call: past.PastCall, effect: CallEffect): void {
      const { id, agentId, sessionId, toolUseId } = call;
      const key = JSON.stringify(toolUseId === null ? [id] : [agentId, sessionId, toolUseId]);
      if (effect !== "none" && (effect === "stopped" || !byCall.has(key))) byCall.set(key, { call, effect });
    },
    counts() {
      const passing = all().filter(({ effect }) => effect === "denied" || effect === "asked");
      const inSession = passing.filter(({ call }) => call.sessionId !== "");
      return {
        ...{ denied: count("denied"), asked: count("asked"), stopped: count("stopped"), unknown: count("unknown") },
        agents: new Set(passing.map(({ call }) => call.agentId)).size,
        sessions: new Set(inSession.map(({ call }) => JSON.stringify([call.agentId, call.sessionId]))).size,
        examples: passing.slice(0, EFFECT_EXAMPLES_MAX).map(({ call, effect }) => ({
          ...{ occurredAt: call.occurredAt, id: call.id, agentName: call.agentName, excerpt: call.excerpt ?? "" },
          verdict: effect === "denied" ? ("denied" as const) : ("asked" as const),
          isDecision: call.excerpt !== null,
        })),
      };
    },
  };
}

/** The requests that the exception would have made unnecessary, by their end. */
async function effectOnRequests(pool: Pool, workspaceId: string, draft: DraftException): Promise<EffectOnRequests> {
  const { exception } = draft;
  // An exact input is compared by its digest.
  const bytesMax = exception.command === null ? 0 : REQUEST_BYTES_MAX;
  const found = await past.listPastRequests(pool, workspaceId, exception.toolName, {
    limit: EFFECT_LOOKED_MAX + 1,
    bytesMax,
  });
  const looked = found.slice(0, EFFECT_LOOKED_MAX);
  const matched: past.PastRequest[] = [];
  for (const one of looked) if (await isSpared(draft, one)) matched.push(one);
  const ended = (...states: string[]) => matched.filter(({ state }) => states.includes(state)).length;
  return {
    matched: matched.length,
    allowed: ended("approved", "withdrawn"),
    denied: ended("denied"),
    lapsed: ended("lapsed"),
    looked: looked.length,
    isWhole: found.length <= EFFECT_LOOKED_MAX,
  };
}

/** True if the exception covers each of the rules that asked. */
async function isSpared({ exception, findRule, needsOthers }: DraftException, one: past.PastRequest): Promise<boolean> {
  const input = one.isWhole && one.input !== null ? jsonOf(one.input) : null;
  const call = { ...one, toolName: exception.toolName, input };
  if (one.askedBy.length === 0 || one.peopleNeeded > 1) return false;
  for (const ref of one.askedBy) {
    const rule = await findRule(ref, exception.toolName, one.askedAt);
    if (rule === null || !liftsRecorded(exception, rule, "ask", call)) return false;
  }
  return !(await needsOthers([one.risk]));
}
