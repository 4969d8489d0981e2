/**
 * Clients whose makers say that they speak Claude Code's dialect. None of them was run, so nothing is claimed of what they can be
 * held to; each has a name of its own for the differences that will be found.
 */
import { claudeLikeReader } from "../read-claude-like.ts";
import { CLAUDE_CODE_EVENTS } from "./read.ts";
import { renderClaudeCode } from "./render.ts";

/** Factory Droid, Augment's Auggie and Snowflake's Cortex Code. */
export const LOOKALIKES = ["droid", "auggie", "cortex-code"] as const;
export type Lookalike = (typeof LOOKALIKES)[number];

export function speakLikeClaudeCode(dialect: Lookalike) {
  return { read: claudeLikeReader({ dialect, events: CLAUDE_CODE_EVENTS }), render: renderClaudeCode };
}
