/** A rule of the linter: data about itself, and one function that looks. */
import type { ClientKnown } from "../client-known.ts";
import type { JudgeKnown } from "../judge-prompt.ts";
import type { Repair, Severity } from "../text/text-problems.ts";
import type { ToolSeen } from "./context.ts";
import type { HookPath, LintedPolicy } from "./policy.ts";

/** Something a rule has to say, at a place below `hooks`. */
export interface Said {
  readonly at: HookPath;
  readonly message: string;
  /** Places below `hooks`, too. */
  readonly repair?: Repair;
}

/** A policy as an author would write it, with the tools that are known to be in use, the judge prompts there are, and the clients it binds. */
export interface Example {
  readonly policy: string;
  readonly tools?: readonly ToolSeen[];
  readonly judges?: readonly JudgeKnown[];
  readonly clients?: readonly ClientKnown[];
}

export interface Rule {
  /** Kebab-case; the anchor in the documents. */
  readonly id: string;
  /** `error`: a gate does not hold as it stands. `warning`: it will probably not do what was meant. `advice`: it does, and there is a better way. */
  readonly severity: Severity;
  /** The rule's finding, as a heading. */
  readonly title: string;
  readonly why: string;
  /** The action to take, in words. */
  readonly fix: string;
  /** The rule speaks of the first and has nothing to say of the second. Tested, and shown in the documents. */
  readonly firing: Example;
  readonly silent: Example;
  check(policy: LintedPolicy): Iterable<Said>;
}

/** The repair that puts a value at a place below `hooks`. */
export function createSetRepair(place: HookPath, value: string | number | boolean, label: string): Repair {
  return { kind: "set", segments: ["hooks", ...place], value, label };
}

/** The repair that takes away what is at a place below `hooks`. */
export function createRemoveRepair(place: HookPath, label: string): Repair {
  return { kind: "remove", segments: ["hooks", ...place], label };
}
