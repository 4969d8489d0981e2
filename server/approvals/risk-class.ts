/** Computes a call's risk class from the hooks and a table of tools, and the people to ask. Pure. */
import { compileMatcher } from "@quarterdeck/hooks/contract/matcher";
import type { ApproverRules } from "./approver-rules-schema.ts";
import { isAtLeast, type RiskClass } from "./risk-class-schema.ts";

/** The blast radii of `safer_shell`. It says `unknown` of a command that it cannot read. */
const CLASS_OF_RADIUS: ReadonlyMap<string, RiskClass> = new Map([
  ["low", "low"],
  ["medium", "medium"],
  ["unknown", "medium"],
  ["high", "high"],
  ["critical", "critical"],
]);
/** The class of a call for which no rule or hook names one. */
const UNSAID: RiskClass = "medium";

const graver = (one: RiskClass, other: RiskClass): RiskClass => (isAtLeast(one, other) ? one : other);

/** The graver of two blast radii; unknown names are ignored. */
export function graverRadius(one: string, other: string): string {
  const [known, said] = [CLASS_OF_RADIUS.get(one), CLASS_OF_RADIUS.get(other)];
  if (said === undefined) return one === "" ? other : one;
  return known !== undefined && isAtLeast(known, said) ? one : other;
}

/** The gravest class that is said of the call. */
export function riskClassOf(
  call: { readonly toolName: string; readonly risk: string },
  rules: ApproverRules,
): RiskClass {
  const radius = CLASS_OF_RADIUS.get(call.risk);
  const said = rules.toolRisks.flatMap(({ tool, risk }) => {
    const matcher = compileMatcher(tool);
    // A pattern that does not compile is refused when it is set. If a later release cannot compile it, it counts as a
    // match, which is the safe side.
    return !matcher.ok || matcher.matches(call.toolName) ? [risk] : [];
  });
  const all = radius === undefined ? said : [radius, ...said];
  const [first, ...rest] = all;
  return first === undefined ? UNSAID : rest.reduce(graver, first);
}

/** One list of people, asked `fromSeconds` after the question. */
export interface RouteStep {
  readonly name: string;
  readonly people: readonly string[];
  readonly fromSeconds: number;
}

/** The needs of a call by the rules of its workspace. */
export interface ApprovalNeeds {
  readonly riskClass: RiskClass;
  readonly peopleNeeded: number;
  readonly needsConfirmation: boolean;
  /** Null: everyone who may answer is asked. */
  readonly route: readonly RouteStep[] | null;
  /** Milliseconds until the last list of the route has had its time. */
  readonly routeMs: number | null;
  readonly remindAfterMs: number | null;
}

export function needsOf(
  call: { readonly toolName: string; readonly risk: string; readonly peopleNeeded: number },
  rules: ApproverRules,
): ApprovalNeeds {
  const riskClass = riskClassOf(call, rules);
  const isFrom = (from: RiskClass | null) => from !== null && isAtLeast(riskClass, from);
  const route: RouteStep[] = [];
  let fromSeconds = 0;
  for (const { name, people, from, forSeconds } of rules.lists) {
    if (!isAtLeast(riskClass, from)) continue;
    route.push({ name, people, fromSeconds });
    fromSeconds += forSeconds;
  }
  const { remindAfterSeconds } = rules;
  return {
    riskClass,
    peopleNeeded: isFrom(rules.twoPeopleFrom) ? 2 : call.peopleNeeded,
    needsConfirmation: isFrom(rules.confirmFrom),
    route: route.length === 0 ? null : route,
    routeMs: route.length === 0 ? null : fromSeconds * 1_000,
    remindAfterMs: remindAfterSeconds === null ? null : remindAfterSeconds * 1_000,
  };
}

/** True if `other` needs more than the people asked under `one` can give. */
export const needsMore = (one: ApprovalNeeds, other: ApprovalNeeds): boolean =>
  other.peopleNeeded > one.peopleNeeded ||
  (other.needsConfirmation && !one.needsConfirmation) ||
  (other.route ?? []).length > (one.route ?? []).length;

/** The lists asked after `elapsedSeconds`, including those asked before. */
export const reachedLists = (route: readonly RouteStep[], elapsedSeconds: number): readonly RouteStep[] =>
  route.filter(({ fromSeconds }) => fromSeconds <= elapsedSeconds);
