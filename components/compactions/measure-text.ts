/** The labels of the counts of turns, and of their totals. */
import { formatCount, formatShare, plural } from "@/components/ui/format/count";
import type { AfterMissing, CostState, JoinedView, Measure, Measures, NextTurns } from "@/server/compactions/schema";

export interface RateWords {
  readonly what: Measure;
  readonly of: Measure;
  readonly label: string;
  readonly out: string;
  readonly says: string;
}

export const rates: readonly RateWords[] = [
  {
    what: "denied",
    of: "calls",
    label: "Denied calls",
    out: "tool calls",
    says: "Tool calls that a rule, a judge, a halt or a person denied. After a compaction they show a lost instruction.",
  },
  {
    what: "failed",
    of: "finished",
    label: "Failed calls",
    out: "tool calls with a result",
    says: "Tool calls that returned an error. Two or more errors count as trouble.",
  },
  {
    what: "errors",
    of: "turns",
    label: "Errors",
    out: "turns",
    says: "on_error events: the model or the runtime failed.",
  },
  {
    what: "loops",
    of: "calls",
    label: "Looping calls",
    out: "tool calls",
    says: "Calls of the same tool with the same arguments, from the third within ten turns.",
  },
  {
    what: "repeats",
    of: "prompts",
    label: "Repeated questions",
    out: "questions",
    says: "A prompt or question that repeats an earlier one, ignoring case and punctuation.",
  },
  {
    what: "rereads",
    of: "reads",
    label: "Files read again",
    out: "files read",
    says: "Files that the agent reads again in the session. Reading again is expected after a summary and does not count as trouble.",
  },
];

/** "4 of 10", and as a share; null when the total is zero. */
export function rateOf(measures: Measures, { what, of }: RateWords): { text: string; share: string | null } | null {
  if (measures[of] === 0) return null;
  return {
    text: `${formatCount(measures[what])} of ${formatCount(measures[of])}`,
    share: formatShare(measures[what], measures[of]),
  };
}

const AFTER_MISSING: Readonly<Record<AfterMissing, string>> = {
  "": "",
  not_applied: "No summary was applied.",
  no_call_yet: "No model call of the session was recorded after the compaction.",
  compacted_again: "The context was compacted again before the next model call.",
  no_usage: "The next model call did not report its usage.",
};
export const afterMissingSays = (missing: AfterMissing): string => AFTER_MISSING[missing];

const COSTS: Readonly<Record<Exclude<CostState, "told">, string>> = {
  unpriced: "A model wrote the summary, but the price of that call is unknown.",
  no_call: "No model was called for the summary.",
  not_told: "Agents report no cost for the model call that writes a summary, because it does not pass through a hook.",
};
export const costSays = (state: CostState): string => (state === "told" ? "" : COSTS[state]);

const NEXT: Readonly<Record<NextTurns, string>> = {
  full: "",
  cut: "then the context was compacted again",
  ended: "then the session ended",
  open: "more may come",
  none: "",
};

/** The next turns as text: "the next 10 turns", "4 turns, then the session ended". */
export function nextTurnsWords({ after, nextTurns }: Pick<JoinedView, "after" | "nextTurns">): string {
  const rest = NEXT[nextTurns];
  if (nextTurns === "full") return `the next ${plural(after.turns, "turn")}`;
  return rest === "" ? plural(after.turns, "turn") : `${plural(after.turns, "turn")}, ${rest}`;
}

/** The judgement in a sentence. */
export function troubleSentence(joined: JoinedView, troubles: readonly string[]): string {
  const { isTroubled, before, after, nextTurns } = joined;
  if (nextTurns === "none") return "No summary was applied, so there is nothing to compare.";
  if (isTroubled === null) return `Not enough data: ${nextTurnsWords(joined)}; three are needed.`;
  const against = before.turns === 0 ? "" : ` than in the ${plural(before.turns, "turn")} before`;
  const turns = nextTurns === "full" ? nextTurnsWords(joined) : `the ${plural(after.turns, "turn")} after`;
  const compared = `${turns}${against}${NEXT[nextTurns] === "" ? "" : `; ${NEXT[nextTurns]}`}.`;
  if (!isTroubled) return `Trouble was not more frequent in ${compared}`;
  const worse = rates.filter(({ what }) => troubles.includes(what)).map(({ label }) => label.toLowerCase());
  const list = worse.length < 2 ? worse.join("") : `${worse.slice(0, -1).join(", ")} and ${worse.at(-1)}`;
  return after.turns === 0 ? "" : `More ${list} in ${compared}`;
}
