/**
 * Clients whose makers say that they speak Claude Code's dialect. None of them was run, so nothing is claimed of what they can be
 * held to; each has a name of its own for the differences that will be found.
 */
import type { Payload, Reading } from "../dialect.ts";
import { readClaudeLike } from "../read-claude-like.ts";
import { CLAUDE_CODE_EVENTS } from "./read.ts";
import { renderClaudeCode } from "./render.ts";

/** Factory Droid, Augment's Auggie and Snowflake's Cortex Code. */
export const LOOKALIKES = ["droid", "auggie", "cortex-code"] as const;
export type Lookalike = (typeof LOOKALIKES)[number];

export function speakLikeClaudeCode(dialect: Lookalike) {
  const client = { dialect, events: CLAUDE_CODE_EVENTS };
  return {
    read: (payload: Payload, urlEvent: string): Reading => readClaudeLike(client, payload, urlEvent),
    render: renderClaudeCode,
  };
}
