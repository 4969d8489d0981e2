/** Claude Code's payload to native input. */

import type { Payload, Reading } from "../dialect.ts";
import { readClaudeLike } from "../read-claude-like.ts";
import { eventMap } from "../read-payload.ts";
import { claudeCode } from "./capabilities.ts";

export const CLAUDE_CODE_EVENTS = eventMap(claudeCode);
const CLIENT = { dialect: "claude-code", events: CLAUDE_CODE_EVENTS };

export function readClaudeCode(payload: Payload, urlEvent: string): Reading {
  return readClaudeLike(CLIENT, payload, urlEvent);
}
