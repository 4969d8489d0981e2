/**
 * The rules that match a call, and for each other rule the first unmet condition. Uses the evaluator's conditions. A condition on
 * the session or agent is unknown if these are not given. Pure.
 */
import type { ReadCall } from "../calls/call.ts";
import { extensionKindsOf } from "../calls/extensions.ts";
import type { Condition, Rule } from "../contract/rules/schema.ts";
import { asList, isWithin, named, unmetByCall } from "../handlers/rules/evaluate.ts";
import { metSentence, unmetSentence } from "./condition-words.ts";
import type { RuleReading } from "./schema.ts";

export interface ReadingWorld {
  readonly call: ReadCall;
  /** Null if unknown. */
  readonly agent: string | null;
  readonly tags: readonly string[] | null;
  readonly secondsSince: ((mark: string) => number | null) | null;
}

/** A call without a session: tags and marks are unknown. */
export const callWithoutSession = (call: ReadCall, agent: string | null = null): ReadingWorld => ({
  ...{ call, agent },
  tags: null,
  secondsSince: null,
});

interface Judgement {
  /** Null: not known. */
  readonly isMet: boolean | null;
  readonly says: string;
}

const SAYS_MAX = 1_000;

export function readRules(rules: readonly Rule[], world: ReadingWorld): RuleReading[] {
  return rules.map((rule, index) => {
    const { deny, ask, allow, mark } = rule;
    const { isMet, says } = judge(rule, world);
    return {
      index,
      state: isMet === null ? "unknown" : isMet ? "matched" : "not_matched",
      verdict: deny !== undefined ? "deny" : ask !== undefined ? "ask" : allow !== undefined ? "allow" : null,
      reason: deny ?? ask ?? allow ?? "",
      mark: mark ?? null,
      says: says.length > SAYS_MAX ? `${says.slice(0, SAYS_MAX - 1)}…` : says,
    };
  });
}

/** The deciding rule, as in the evaluator: the first that denies, else asks, else allows. Null while a stricter one is unknown. */
export function decisiveRule(readings: readonly RuleReading[]): RuleReading | null {
  for (const verdict of ["deny", "ask", "allow"] as const) {
    const matched = readings.find((one) => one.verdict === verdict && one.state === "matched");
    if (matched) return matched;
    if (readings.some((one) => one.verdict === verdict && one.state === "unknown")) return null;
  }
  return null;
}

function judge(condition: Condition, world: ReadingWorld): Judgement {
  const unmet = unmetByCall(condition, world.call);
  if (unmet !== null) return { isMet: false, says: unmetSentence(unmet, condition, world.call) };
  const parts = [
    ...[ofAgent(condition, world), ofTags(condition, world), ofMark(condition, world)],
    ofExtensions(condition, world),
    ...nested(condition, world),
  ];
  const failed = parts.find((one) => one?.isMet === false);
  if (failed) return failed;
  const unknown = parts.find((one) => one?.isMet === null);
  return unknown ?? { isMet: true, says: metSentence(condition, world.call) };
}

const met = (isMet: boolean | null, says: string): Judgement => ({ isMet, says });

function ofAgent({ agent: wanted }: Condition, { agent }: ReadingWorld): Judgement | null {
  if (wanted === undefined) return null;
  if (agent === null) return met(null, `It depends on the agent: ${orList(wanted)}.`);
  return met(named(wanted, agent), `The agent is "${agent}".`);
}

function ofTags({ tag }: Condition, { tags }: ReadingWorld): Judgement | null {
  if (tag === undefined) return null;
  if (tags === null) return met(null, `It depends on the agent's tags: ${orList(tag)}.`);
  return met(
    tags.some((one) => named(tag, one)),
    `The agent has no tag ${orList(tag)}.`,
  );
}

function ofMark({ after, within }: Condition, { secondsSince }: ReadingWorld): Judgement | null {
  if (after === undefined) return null;
  const limit = within === undefined ? "" : ` within ${within}`;
  if (secondsSince === null) return met(null, `It depends on the session's mark "${after}"${limit}.`);
  const seconds = secondsSince(after);
  return met(
    isWithin(seconds, within),
    seconds === null ? `The session has no mark "${after}".` : `The mark "${after}" is older than ${within}.`,
  );
}

/** A reading knows no machine of an agent. */
function ofExtensions({ unaccepted }: Condition, { call }: ReadingWorld): Judgement | null {
  if (unaccepted === undefined) return null;
  // Tools of some clients do not show that they are of an MCP server.
  const isOwn = extensionKindsOf(call.tool, null).size === 0 && call.kind !== "other";
  return isOwn
    ? met(false, "The call uses no skill, plugin, slash command or MCP server.")
    : met(null, "It depends on the accepted versions of skills, plugins, slash commands and MCP servers.");
}

function nested({ all, any, not }: Condition, world: ReadingWorld): (Judgement | null)[] {
  const ofAll = all ? firstOf(all.map((one) => judge(one, world))) : null;
  return [ofAll, any ? anyOf(any.map((one) => judge(one, world))) : null, not ? inverse(judge(not, world)) : null];
}

/** The first unmet part, else the first unknown one. */
const firstOf = (parts: readonly Judgement[]): Judgement | null =>
  parts.find(({ isMet }) => isMet === false) ?? parts.find(({ isMet }) => isMet === null) ?? null;

function anyOf(parts: readonly Judgement[]): Judgement | null {
  if (parts.some(({ isMet }) => isMet)) return null;
  const unknown = parts.find(({ isMet }) => isMet === null);
  return unknown ?? met(false, `None of ${parts.length} alternatives is met. ${parts[0]?.says ?? ""}`);
}

function inverse({ isMet, says }: Judgement): Judgement {
  if (isMet === null) return { isMet, says };
  return met(!isMet, "The condition under `not` is met.");
}

/** `"a" or "b"`. */
function orList(wanted: string | readonly string[]): string {
  return asList(wanted)
    .map((one) => `"${one}"`)
    .join(" or ");
}
