/** Every client's table of capabilities, by the name of its dialect. */
import type { ClientCapabilities } from "./capabilities.ts";
import { claudeCode } from "./claude-code/capabilities.ts";
import { cline } from "./cline/capabilities.ts";
import { codex } from "./codex/capabilities.ts";
import { copilot } from "./copilot/capabilities.ts";
import { cursor } from "./cursor/capabilities.ts";
import { dockerAgent } from "./docker-agent/capabilities.ts";
import { gemini } from "./gemini/capabilities.ts";
import { opencode } from "./opencode/capabilities.ts";
import { qwen } from "./qwen/capabilities.ts";

export const CLIENT_CAPABILITIES = {
  "docker-agent": dockerAgent,
  "claude-code": claudeCode,
  codex,
  copilot,
  cursor,
  gemini,
  qwen,
  cline,
  opencode,
} as const satisfies Record<string, ClientCapabilities>;
