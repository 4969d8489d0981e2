/** The clients that can be enrolled by writing files. docker-agent is not among them: its hooks stand in the agent's own file. */
import { enrolClaudeCode } from "./claude-code/enrol.ts";
import { enrolCline } from "./cline/enrol.ts";
import { enrolCodex } from "./codex/enrol.ts";
import { enrolCopilot } from "./copilot/enrol.ts";
import { enrolCursor } from "./cursor/enrol.ts";
import type { EnrolmentFile, EnrolmentOptions, Scope } from "./enrolment.ts";
import { enrolGemini } from "./gemini/enrol.ts";
import { enrolOpencode } from "./opencode/enrol.ts";
import { enrolQwen } from "./qwen/enrol.ts";

export interface ClientEnrolment {
  readonly files: (options: EnrolmentOptions) => EnrolmentFile[];
  /** The settings that this client reads hooks from, the most common first. */
  readonly scopes: readonly Scope[];
}

const EVERY_SCOPE = ["user", "project", "managed"] as const;

export const CLIENT_ENROLMENTS = {
  "claude-code": { files: enrolClaudeCode, scopes: EVERY_SCOPE },
  codex: { files: enrolCodex, scopes: EVERY_SCOPE },
  copilot: { files: enrolCopilot, scopes: ["user", "project"] },
  cursor: { files: enrolCursor, scopes: EVERY_SCOPE },
  gemini: { files: enrolGemini, scopes: EVERY_SCOPE },
  qwen: { files: enrolQwen, scopes: EVERY_SCOPE },
  cline: { files: enrolCline, scopes: ["user"] },
  opencode: { files: enrolOpencode, scopes: EVERY_SCOPE },
} as const satisfies Record<string, ClientEnrolment>;

export type EnrolledClient = keyof typeof CLIENT_ENROLMENTS;

export function isEnrolledClient(name: string): name is EnrolledClient {
  return Object.hasOwn(CLIENT_ENROLMENTS, name);
}
