/** The rules in hooks of type `rules`, each with its path, by event and lane. */
import { RULE_VERDICTS, type Rule, type RuleVerdict } from "../rules/schema.ts";
import { coversMatcher } from "./matchers.ts";
import type { HookPath, LintedHook, LintedPolicy } from "./policy.ts";

export interface PlacedRule {
  readonly rule: Rule;
  readonly linted: LintedHook;
  /** Below `hooks`. */
  readonly at: HookPath;
  readonly index: number;
  /** Null for a rule that only sets a mark. */
  readonly verdict: RuleVerdict | null;
  /** The hook has other rules. */
  readonly isOneOfSeveral: boolean;
  /** True if this rule's hook runs for every tool that the other rule's hook runs for. */
  selects(other: PlacedRule): boolean;
}

/** The limit of rules, because the number of pairs is quadratic. */
const RULES_MAX = 300;

/** Rules that decide together: those of one event and lane. */
export function listPlacedRules({ hooks }: LintedPolicy): PlacedRule[][] {
  const byPass = new Map<string, PlacedRule[]>();
  for (const linted of hooks) {
    const { event, lane } = linted.entry;
    const pass = `${event} ${lane}`;
    byPass.set(pass, [...(byPass.get(pass) ?? []), ...rulesOf(linted)].slice(0, RULES_MAX));
  }
  return [...byPass.values()];
}

/** Every rule, one by one. */
export function listRules({ hooks }: LintedPolicy): PlacedRule[] {
  return hooks.flatMap(rulesOf);
}

function rulesOf(linted: LintedHook): PlacedRule[] {
  const { hook, at, entry } = linted;
  const rules = hook.type === "rules" ? (hook.rules ?? []) : [];
  return rules.map(
    (rule, index): PlacedRule => ({
      ...{ rule, linted, index },
      at: [...at, "rules", index],
      verdict: RULE_VERDICTS.find((verdict) => rule[verdict] !== undefined) ?? null,
      isOneOfSeveral: rules.length > 1,
      selects: (other) => linted === other.linted || coversMatcher(entry.matcher, other.linted.entry.matcher),
    }),
  );
}

/** True if the first verdict counts when both are given. */
export function stricterVerdict(one: RuleVerdict | null, other: RuleVerdict | null): boolean {
  if (one === null || other === null) return false;
  return RULE_VERDICTS.indexOf(one) < RULE_VERDICTS.indexOf(other);
}

/** `rule 1`, or `rule 1 of hooks.pre_tool_use[0].hooks[1]` for a rule of another hook. */
export function ruleName({ linted, index }: PlacedRule, seenFrom: PlacedRule): string {
  if (linted === seenFrom.linted) return `rule ${index + 1}`;
  const [event, entry, , hook] = linted.at;
  return `rule ${index + 1} of ${event}[${entry}].hooks[${hook}]`;
}
