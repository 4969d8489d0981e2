/** Runs the rules over a hooks block. Pure; the same in a browser, on the server and on the command line. */
import type { Profile } from "../events.ts";
import type { HooksConfig } from "../hook.ts";
import { type Problem, problemAt } from "../problem.ts";
import type { Repair, Severity } from "../text/text-problems.ts";
import type { LintContext } from "./context.ts";
import { lintedPolicy } from "./policy.ts";
import { LINT_RULES } from "./rules.ts";

/** A finding has a location, like a problem, and the id of its rule. */
export interface Finding extends Problem {
  readonly rule: string;
  readonly severity: Severity;
  readonly why: string;
  readonly fix: string;
  readonly repair?: Repair;
}

/** The limit on findings, so that the list stays readable. The limit per rule applies first, so no rule fills the list. */
const FINDINGS_MAX = 200;
const PER_RULE_MAX = 20;

/** The findings of all rules for a parsed block, rule by rule in the table's order. */
export function lintHooks(hooks: HooksConfig, profile: Profile, context: LintContext): Finding[] {
  const policy = lintedPolicy(hooks, profile, context);
  const findings: Finding[] = [];
  for (const rule of LINT_RULES) {
    const { id, severity, why, fix } = rule;
    let said = 0;
    for (const { at, message, repair } of rule.check(policy)) {
      findings.push({ ...problemAt(at, message), rule: id, severity, why, fix, ...(repair ? { repair } : {}) });
      said += 1;
      if (said === PER_RULE_MAX || findings.length === FINDINGS_MAX) break;
    }
    if (findings.length === FINDINGS_MAX) break;
  }
  return findings;
}
