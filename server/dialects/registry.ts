/** The supported dialects, and the detection of the client that actually asked. */

import { claudeCode } from "./claude-code/capabilities.ts";
import { LOOKALIKES, type Lookalike, speakLikeClaudeCode } from "./claude-code/lookalikes.ts";
import { readClaudeCode } from "./claude-code/read.ts";
import { renderClaudeCode } from "./claude-code/render.ts";
import { CLIENT_CAPABILITIES } from "./clients.ts";
import { readCline } from "./cline/read.ts";
import { renderCline } from "./cline/render.ts";
import { readCodex } from "./codex/read.ts";
import { renderCodex } from "./codex/render.ts";
import { readCopilot } from "./copilot/read.ts";
import { renderCopilot } from "./copilot/render.ts";
import { readCursor } from "./cursor/read.ts";
import { renderCursor } from "./cursor/render.ts";
import type { Dialect, Payload } from "./dialect.ts";
import { renderDockerAgent } from "./docker-agent/render.ts";
import { readGemini } from "./gemini/read.ts";
import { renderGemini } from "./gemini/render.ts";
import { readOpencode } from "./opencode/read.ts";
import { renderOpencode } from "./opencode/render.ts";
import { readQwen } from "./qwen/read.ts";
import { renderQwen } from "./qwen/render.ts";
import { readNative } from "./read-native.ts";

export type DialectName = keyof typeof CLIENT_CAPABILITIES | Lookalike;

const WAYS: Readonly<Record<DialectName, Pick<Dialect, "read" | "render">>> = {
  "docker-agent": {
    read: (payload, urlEvent) => readNative("docker-agent", payload, urlEvent),
    render: renderDockerAgent,
  },
  "claude-code": { read: readClaudeCode, render: renderClaudeCode },
  codex: { read: readCodex, render: renderCodex },
  copilot: { read: readCopilot, render: renderCopilot },
  cursor: { read: readCursor, render: renderCursor },
  gemini: { read: readGemini, render: renderGemini },
  qwen: { read: readQwen, render: renderQwen },
  cline: { read: readCline, render: renderCline },
  opencode: { read: readOpencode, render: renderOpencode },
  droid: speakLikeClaudeCode("droid"),
  auggie: speakLikeClaudeCode("auggie"),
  "cortex-code": speakLikeClaudeCode("cortex-code"),
};

export const DIALECT_NAMES = Object.keys(WAYS) as readonly DialectName[];

export function isDialectName(name: string): name is DialectName {
  return Object.hasOwn(WAYS, name);
}

export function dialectOf(name: DialectName): Dialect {
  return { name, ...WAYS[name], capabilities: isLookalike(name) ? claudeCode : CLIENT_CAPABILITIES[name] };
}

function isLookalike(name: DialectName): name is Lookalike {
  return LOOKALIKES.some((one) => one === name);
}

/**
 * The dialect of the client that sent the body. Cursor, Copilot and Qwen Code also run the hooks in a repository's
 * `.claude/settings.json`, with their own payloads. Claude Code never sends a `timestamp`.
 */
export function detectDialect(declared: DialectName, payload: Payload): DialectName {
  if (declared !== "claude-code") return declared;
  if ("cursor_version" in payload) return "cursor";
  if (!("timestamp" in payload)) return declared;
  return "permission_mode" in payload ? "qwen" : "copilot";
}
