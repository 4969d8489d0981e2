/** Claude Code's payload to native input. */
import { claudeLikeReader } from "../read-claude-like.ts";
import { eventMap } from "../read-payload.ts";
import { claudeCode } from "./capabilities.ts";

export const CLAUDE_CODE_EVENTS = eventMap(claudeCode);
export const readClaudeCode = claudeLikeReader({ dialect: "claude-code", events: CLAUDE_CODE_EVENTS });
