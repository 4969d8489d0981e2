/** The facts for linting a policy, in addition to its text. */
import type { ClientKnown } from "../client-known.ts";
import type { JudgeKnown } from "../judge-prompt.ts";

/** A tool that agents of the fleet have used, with its recent number of uses. */
export interface ToolSeen {
  readonly name: string;
  readonly count: number;
}

/** Finds secrets in a text, each with a description ("an AWS access key"). */
export type FindSecrets = (
  text: string,
) => readonly { readonly start: number; readonly end: number; readonly kind: string }[];

export interface LintContext {
  /** The tools in use. If empty, rules about use report nothing. */
  readonly tools: readonly ToolSeen[];
  readonly findSecrets?: FindSecrets;
  /** The workspace's judge prompts. Without them, rules about judges report nothing. */
  readonly judges?: readonly JudgeKnown[];
  /** The clients that the policy binds. Without them, rules about clients report nothing. */
  readonly clients?: readonly ClientKnown[];
}
