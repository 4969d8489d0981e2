/** Runs the rules over a hooks block. Pure; the same in a browser, on the server and on the command line. */
import type { Profile } from "../events.ts";
import type { HooksConfig } from "../hook.ts";
import { type Problem, problemAt } from "../problem.ts";
import type { Repair, Severity } from "../text/text-problems.ts";
import type { LintContext } from "./context.ts";
import { lintedPolicy } from "./policy.ts";
import { LINT_RULES } from "./rules.ts";

/** A finding is placed like a problem, and names the rule that found it. */
export interface Finding extends Problem {
  readonly rule: string;
  readonly severity: Severity;
  readonly why: string;
  readonly fix: string;
  readonly repair?: Repair;
}

/** A list a person can read. What a rule says again and again is cut per rule first, so that no rule drowns the others. */
const FINDINGS_MAX = 200;
const PER_RULE_MAX = 20;

/** The findings of the rules for a block that could be read, rule by rule in the table's order. */
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
