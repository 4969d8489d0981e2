/** The rules whose findings block publication. An administrator can override them with a reason, which is recorded. */

export const VETO_HITS_OVERFLOW = "veto-hits-overflow";
export const GATE_LONGER_THAN_CALLER = "gate-longer-than-caller";
/** Not a rule of the linter: only the server can look for programs, in the sandbox of the hooks. */
export const GATE_PROGRAM_MISSING = "gate-program-missing";

export const BLOCKING_RULES = [VETO_HITS_OVERFLOW, GATE_LONGER_THAN_CALLER, GATE_PROGRAM_MISSING] as const;
export type BlockingRule = (typeof BLOCKING_RULES)[number];

export function isBlockingRule(rule: string): rule is BlockingRule {
  return BLOCKING_RULES.some((one) => one === rule);
}
