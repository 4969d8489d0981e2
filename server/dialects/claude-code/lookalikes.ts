/**
 * Clients whose vendors claim compatibility with Claude Code's dialect. They are untested, so the tables claim no enforcement.
 * Each has its own name, for differences found later.
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
