/** The changes that a draft would make, in sentences; pure. */
import { counted } from "@/components/policies/labels";
import type { Tone } from "@/components/ui/tone";
import type { ChangedEvent, ImpactChange, ImpactView } from "@/server/backtest/schema";

type Verdict = ImpactChange["from"];

const SAYS: Record<Verdict, Record<Verdict, string>> = {
  none: {
    none: "answers differently without a decision",
    allow: "allows calls that it left undecided before",
    ask: "requires approval for calls that it left undecided before",
    deny: "denies calls that it left undecided before",
  },
  allow: {
    none: "leaves calls undecided that it allowed before",
    allow: "allows as before, with a different answer",
    ask: "requires approval for calls that it allowed before",
    deny: "denies calls that it allowed before",
  },
  ask: {
    none: "leaves calls undecided that required approval before",
    allow: "allows calls that required approval before",
    ask: "requires approval as before, with a different answer",
    deny: "denies calls that required approval before",
  },
  deny: {
    none: "leaves calls undecided that it denied before",
    allow: "allows calls that it denied before",
    ask: "requires approval for calls that it denied before",
    deny: "denies as before, with a different answer",
  },
};

/** "denies calls that it allowed before: 12 of 500 events, 3 already denied". */
export function changeWords({ from, to, count, alreadyDenied }: ImpactChange, sampled: number): string {
  return `${SAYS[from][to]}: ${count} of ${counted(sampled, "event")}${deniedWords(alreadyDenied)}`;
}

/** "×16, 16 already denied"; empty for a single call that was not denied. */
export const callCountWords = ({ count, alreadyDenied }: Pick<ChangedEvent, "count" | "alreadyDenied">): string =>
  `${count > 1 ? `×${count}` : ""}${count > 1 || alreadyDenied === 0 ? deniedWords(alreadyDenied) : "already denied"}`;

const deniedWords = (alreadyDenied: number): string => (alreadyDenied === 0 ? "" : `, ${alreadyDenied} already denied`);

const TONES: Record<Verdict, Tone> = { none: "unknown", allow: "allow", ask: "ask", deny: "deny" };
export const changeTone = ({ from, to }: ImpactChange): Tone =>
  to === "none" && from !== "none" ? "allow" : TONES[to];

/** The impact in one or two lines: the changes, the unchanged part, then the unknown part. */
export function impactSummary(view: ImpactView): string {
  const { sampled, reached, unchanged, changes, unknown, notReached } = view;
  if (sampled === 0) return "No recorded calls for this policy in the last 7 days, so its impact is unknown.";
  const changed = changes.reduce((sum, { count }) => sum + count, 0);
  const unsaid = unknown.reduce((sum, { count }) => sum + count, 0);
  const isUnreached = reached === 0;
  if (isUnreached && changed + unsaid + notReached === 0)
    return `0 of ${counted(sampled, "recorded call")} reach this policy. Impact unknown.`;
  const of = `of ${counted(sampled, "recorded event")}`;
  const parts = [
    changed === 0
      ? `This policy would answer ${unchanged} ${of} as before`
      : `This policy would answer ${changed} ${of} differently, ${unchanged} as before`,
    ...(unsaid > 0 ? [`${unsaid} have an unknown effect`] : []),
    ...(notReached > 0 ? [`${notReached} were not reached in time`] : []),
  ];
  const reach = isUnreached ? " No recorded call reaches this policy's rules, so their effect is unknown." : "";
  return `${parts.join("; ")}.${reach}`;
}

/** The number of events that reach the text's rules, and the treatment of early-lane hooks. */
export function reachSummary({ sampled, reached, replayed, neverEarly }: ImpactView): string {
  const calls = [
    `${reached} of ${counted(sampled, "recorded event")} ${reached === 1 ? "reaches" : "reach"} the rules of this policy.`,
    ...(neverEarly === 0 ? [] : [neverEarlySentence(neverEarly)]),
  ].join(" ");
  if (replayed === 0) return calls;
  return `${calls} ${replayed === reached ? "All" : replayed} were recorded without an early check: rules of the early check were replayed on that record of the same call.`;
}

/** The calls that rules of the early lane match, of agents that may not ask through it. */
const neverEarlySentence = (count: number): string =>
  `${counted(count, "call")} of agents without a recorded early check ${count === 1 ? "is" : "are"} left out: the effect of early rules on ${count === 1 ? "it" : "them"} is unknown.`;

/** "40 tool calls", "12 tool calls and 3 other events": the sampled events, each call once. */
export function sampledCallsText({ tools, others }: ImpactView["calls"]): string {
  if (others === 0) return counted(tools, "tool call");
  return tools === 0
    ? counted(others, "event")
    : `${counted(tools, "tool call")} and ${counted(others, "other event")}`;
}

/**
 * "This pack would deny 3 and require approval for 11 of the 40 calls that its rules would see, out of 500 tool calls in the last
 * 24 h." Not known when nothing reaches the pack.
 */
export function packImpactText(view: ImpactView): { readonly text: string; readonly isKnown: boolean } {
  const { sampled, calls, neverEarly } = view;
  if (sampled === 0) return { isKnown: false, text: "No recorded calls for this pack in the last 24 h." };
  const leftOut = neverEarly === 0 ? "" : ` ${neverEarlySentence(neverEarly)}`;
  const all = `${sampledCallsText(calls)} in the last 24 h.`;
  if (calls.reached === 0) return { isKnown: false, text: `The pack's rules would check 0 of ${all}${leftOut}` };
  const { denied, asked, reached, unknown } = calls;
  const rest = unknown === 0 ? "" : ` ${unknown} of them ${unknown === 1 ? "is" : "are"} not known.`;
  return {
    isKnown: unknown < reached,
    text: `This pack would deny ${denied} and require approval for ${asked} of the ${counted(reached, "call")} that its rules would see, out of ${all}${rest}${leftOut}`,
  };
}
