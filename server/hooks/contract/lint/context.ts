/** The facts a policy is linted against, beyond its own text. */
import type { ClientKnown } from "../client-known.ts";
import type { JudgeKnown } from "../judge-prompt.ts";

/** A tool that agents of the fleet have used, and how often of late. */
export interface ToolSeen {
  readonly name: string;
  readonly count: number;
}

/** Places of secrets in a text, with what each looks like ("an AWS access key"). */
export type FindSecrets = (
  text: string,
) => readonly { readonly start: number; readonly end: number; readonly kind: string }[];

export interface LintContext {
  /** Empty when nothing is known: then rules about use are silent. */
  readonly tools: readonly ToolSeen[];
  readonly findSecrets?: FindSecrets;
  /** The workspace's judge prompts; absent when nobody knows them: then rules about them are silent. */
  readonly judges?: readonly JudgeKnown[];
  /** The clients that the policy binds; absent when nobody knows them: then rules about them are silent. */
  readonly clients?: readonly ClientKnown[];
}
