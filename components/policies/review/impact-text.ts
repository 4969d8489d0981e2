/** The changes that a draft would make, in sentences; pure. */
import { counted } from "@/components/policies/labels";
import type { Tone } from "@/components/ui/tone";
import type { ImpactChange, ImpactView } from "@/server/backtest/schema";

type Verdict = ImpactChange["from"];

const SAYS: Record<Verdict, Record<Verdict, string>> = {
  none: {
    none: "has another answer, though it decides nothing either way",
    allow: "allows by itself what it left to others before",
    ask: "asks about what it let through before",
    deny: "denies what it let through before",
  },
  allow: {
    none: "leaves to others what it allowed before",
    allow: "allows as before, with another answer",
    ask: "asks about what it allowed before",
    deny: "denies what it allowed before",
  },
  ask: {
    none: "lets through what it asked about before",
    allow: "allows what it asked about before",
    ask: "asks as before, with another answer",
    deny: "denies what it asked about before",
  },
  deny: {
    none: "lets through what it denied before",
    allow: "allows what it denied before",
    ask: "asks about what it denied before",
    deny: "denies as before, with another answer",
  },
};

/** "denies what it allowed before: 12 of 500 events". */
export function changeWords({ from, to, count }: ImpactChange, sampled: number): string {
  return `${SAYS[from][to]}: ${count} of ${counted(sampled, "event")}`;
}

const TONES: Record<Verdict, Tone> = { none: "unknown", allow: "allow", ask: "ask", deny: "deny" };
export const changeTone = ({ from, to }: ImpactChange): Tone =>
  to === "none" && from !== "none" ? "allow" : TONES[to];

/** The impact in one or two lines: the changes, the unchanged part, then the unknown part. */
export function impactSummary(view: ImpactView): string {
  const { sampled, reached, unchanged, changes, unknown, notReached } = view;
  if (sampled === 0)
    return "Nothing was recorded in the last 7 days that this policy could decide, so its impact is unknown.";
  const changed = changes.reduce((sum, { count }) => sum + count, 0);
  const unsaid = unknown.reduce((sum, { count }) => sum + count, 0);
  const isUnreached = reached === 0;
  if (isUnreached && changed + unsaid + notReached === 0)
    return `0 of ${counted(sampled, "recorded call")} reach this policy. Impact unknown.`;
  const of = `of ${counted(sampled, "recorded event")}`;
  const parts = [
    changed === 0
      ? `Nothing changes in ${unchanged} ${of}`
      : `This policy would answer ${changed} ${of} differently, ${unchanged} as before`,
    ...(unsaid > 0 ? [`${unsaid} have an unknown effect`] : []),
    ...(notReached > 0 ? [`${notReached} were not reached in time`] : []),
  ];
  const reach = isUnreached ? " No recorded call reaches this text: the effect of its own rules is unknown." : "";
  return `${parts.join("; ")}.${reach}`;
}

/** The number of events that reach the text's rules, and the treatment of early-lane hooks. */
export function reachSummary({ sampled, reached, replayed, neverEarly }: ImpactView): string {
  const calls = [
    `${reached} of ${counted(sampled, "recorded event")} ${reached === 1 ? "reaches" : "reach"} its rules.`,
    ...(neverEarly === 0 ? [] : [neverEarlySentence(neverEarly)]),
  ].join(" ");
  if (replayed === 0) return calls;
  return `${calls} ${replayed === reached ? "All" : replayed} were recorded without an early check: rules of the early check were replayed on that record of the same call.`;
}

/** The calls that rules of the early lane match, of agents that may not ask through it. */
const neverEarlySentence = (count: number): string =>
  `${counted(count, "call")} of agents without a recorded early check ${count === 1 ? "is" : "are"} left out: the effect of early rules on ${count === 1 ? "it" : "them"} is unknown.`;

/**
 * "This would deny 3 and ask about 11 of the 40 calls that its rules would see, out of 500 recorded calls of your last
 * 24 h." Not known when nothing reaches the pack.
 */
export function packImpactText(view: ImpactView): { readonly text: string; readonly isKnown: boolean } {
  const { sampled, reached, changes, unknown, notReached, neverEarly } = view;
  if (sampled === 0)
    return { isKnown: false, text: "No call was recorded in your last 24 h that this pack could decide." };
  const leftOut = neverEarly === 0 ? "" : ` ${neverEarlySentence(neverEarly)}`;
  if (reached === 0)
    return {
      isKnown: false,
      text: `Its rules would see 0 of ${counted(sampled, "recorded call")} in your last 24 h.${leftOut}`,
    };
  const ends = (to: Verdict) => changes.reduce((sum, one) => sum + (one.to === to ? one.count : 0), 0);
  const unsaid = unknown.reduce((sum, { count }) => sum + count, 0) + notReached;
  const rest = unsaid === 0 ? "" : ` ${unsaid} of them ${unsaid === 1 ? "is" : "are"} not known.`;
  return {
    isKnown: unsaid < reached,
    text: `This would deny ${ends("deny")} and ask about ${ends("ask")} of the ${counted(reached, "call")} that its rules would see, out of ${counted(sampled, "recorded call")} of your last 24 h.${rest}${leftOut}`,
  };
}
