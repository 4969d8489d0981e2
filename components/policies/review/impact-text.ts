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

/** The whole of it in a line or two: first what changes, then what does not, then what cannot be said. */
export function impactSummary({ sampled, unchanged, changes, unknown, notReached }: ImpactView): string {
  if (sampled === 0)
    return "Nothing was recorded in the last 7 days that this policy could decide, so nothing can be said.";
  const changed = changes.reduce((sum, { count }) => sum + count, 0);
  const unsaid = unknown.reduce((sum, { count }) => sum + count, 0);
  const of = `of ${counted(sampled, "recorded event")}`;
  const parts = [
    changed === 0
      ? `Nothing changes in ${unchanged} ${of}`
      : `${changed} ${of} would end otherwise, ${unchanged} as before`,
    ...(unsaid > 0 ? [`${unsaid} cannot be told`] : []),
    ...(notReached > 0 ? [`${notReached} were not reached in time`] : []),
  ];
  return `${parts.join("; ")}.`;
}
