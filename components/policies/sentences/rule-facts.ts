/** The recent results of a rule in words, and the reason that it cannot fire. Pure. */
import { displayName, type HookDefinition } from "@quarterdeck/hooks/contract/hook";
import { notRunText } from "@/components/policies/reach-text";
import { plural } from "@/components/ui/format/count";
import type { PolicyReachView, RuleReach } from "@/server/decisions/rules/policy-reach-schema";
import type { RuleCard } from "@/server/decisions/rules/schema";
import type { PolicyHoldView, RuleGap } from "@/server/policies/effective/policy-hold-schema";

/** The facts of the revision in force, as far as they are loaded. */
export interface PolicyFacts {
  readonly isInForce: boolean;
  readonly reach: PolicyReachView | undefined;
  /** The results of this policy's rules in 24 hours. */
  readonly cards: readonly RuleCard[] | undefined;
  readonly hold: PolicyHoldView | undefined;
}

export interface RulePlace {
  readonly event: string;
  readonly matcher: string | undefined;
  readonly isEarly: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The name that records use for a hook of the text. */
const nameOf = ({ fields }: RulePlace): string => displayName(fields as HookDefinition); // holds: it reads texts with a fallback

const isSame = (place: RulePlace, event: string, name: string, matcher: string | null): boolean =>
  event === place.event && name === nameOf(place) && (matcher ?? "") === (place.matcher ?? "");

export function findReach(place: RulePlace, { reach }: PolicyFacts): RuleReach | undefined {
  const lane = place.isEarly ? "preempt_yolo" : "default";
  return reach?.rules.find((one) => one.lane === lane && isSame(place, one.event, one.name, one.matcher));
}

export function findGap(place: RulePlace, { hold }: PolicyFacts): RuleGap | undefined {
  return hold?.gaps.find((one) => one.isEarly === place.isEarly && isSame(place, one.event, one.name, one.matcher));
}

/** "This rule cannot apply to 1 of 2 agents: mia laptop names its shell tool Bash." */
export function gapText({ agents, of, reasons }: RuleGap): string {
  const more = agents - reasons.length;
  const rest = more > 0 ? `; and ${more} more` : "";
  return `This rule cannot apply to ${agents} of ${plural(of, "agent")}: ${reasons.join("; ")}${rest}.`;
}

/** "16 denied in 24 h · never overturned"; null while it is not known. */
export function resultText(place: RulePlace, facts: PolicyFacts, nowMs: number | null): string | null {
  if (!facts.isInForce || facts.reach === undefined || nowMs === null) return null;
  const reach = findReach(place, facts);
  if (reach === undefined) return facts.reach.rulesLeftOut > 0 ? null : "Rule not in force yet";
  if (reach.lastRan === null && reach.ran === 0) return notRunText(facts.reach.publishedAt, nowMs);
  if (reach.ran === 0) return "0 in 24 h";
  const name = nameOf(place);
  const card = facts.cards?.find(({ event, hook }) => event === place.event && hook === name);
  if (card === undefined) return `ran ${plural(reach.ran, "time")} in 24 h`;
  return cardText(card, reach.ran);
}

const COUNTED = [
  ["denied", "denied"],
  ["asked", "sent to a person"],
  ["allowed", "allowed"],
  ["failed", "failed"],
  ["timed_out", "timed out"],
  ["tolerated", "failed and allowed"],
] as const;

function cardText({ outcomes, overturned }: RuleCard, ran: number): string {
  const counts = COUNTED.flatMap(([key, word]) =>
    outcomes[key] > 0 ? [`${outcomes[key].toLocaleString("en")} ${word}`] : [],
  );
  const decided = outcomes.denied + outcomes.asked;
  const back = overturned.denied + overturned.asked;
  const overturn = decided === 0 ? [] : [back === 0 ? "never overturned" : `${plural(back, "time")} overturned`];
  const head = counts.length === 0 ? `ran ${plural(ran, "time")} in 24 h, decided 0` : `${counts.join(", ")} in 24 h`;
  return [head, ...overturn].join(" · ");
}
