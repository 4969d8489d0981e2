/** A linter rule: its description, and one function that checks. */
import type { ClientKnown } from "../client-known.ts";
import type { JudgeKnown } from "../judge-prompt.ts";
import type { Repair, Severity } from "../text/text-problems.ts";
import type { ToolSeen } from "./context.ts";
import type { HookPath, LintedPolicy } from "./policy.ts";

/** The id of the rule that publishing checks too. */
export const GATE_ONLY_LABELS = "gate-only-labels";

/** A message of a rule, at a path below `hooks`. */
export interface Said {
  readonly at: HookPath;
  readonly message: string;
  /** Its paths are also below `hooks`. */
  readonly repair?: Repair;
}

/** A sample policy, with the tools in use, the judge prompts, and the clients that it binds. */
export interface Example {
  readonly policy: string;
  readonly tools?: readonly ToolSeen[];
  readonly judges?: readonly JudgeKnown[];
  readonly clients?: readonly ClientKnown[];
}

export interface Rule {
  /** Kebab-case; the anchor in the documents. */
  readonly id: string;
  /**
   * `error`: a gate does not work as written. `warning`: it probably does not do what was intended. `advice`: it works, but there
   * is a better way.
   */
  readonly severity: Severity;
  /** The rule's finding, as a heading. */
  readonly title: string;
  readonly why: string;
  /** The action to take, in words. */
  readonly fix: string;
  /** The rule reports the first example and not the second. Both are tested and shown in the documents. */
  readonly firing: Example;
  readonly silent: Example;
  check(policy: LintedPolicy): Iterable<Said>;
}

/** A repair that sets a value at a path below `hooks`. */
export function createSetRepair(place: HookPath, value: string | number | boolean, label: string): Repair {
  return { kind: "set", segments: ["hooks", ...place], value, label };
}

/** A repair that removes the value at a path below `hooks`. */
export function createRemoveRepair(place: HookPath, label: string): Repair {
  return { kind: "remove", segments: ["hooks", ...place], label };
}

/** A repair that adds an item to the list at a path below `hooks`. */
export function createAddRepair(
  place: HookPath,
  value: Extract<Repair, { readonly kind: "add" }>["value"],
  label: string,
): Repair {
  return { kind: "add", segments: ["hooks", ...place], value, label };
}
