/** The files of an enrolment, by client. */
import { enrolClaudeCode } from "./claude-code/enrol.ts";
import { enrolCline } from "./cline/enrol.ts";
import { enrolCodex } from "./codex/enrol.ts";
import { enrolCopilot } from "./copilot/enrol.ts";
import { enrolCursor } from "./cursor/enrol.ts";
import { enrolDockerAgent } from "./docker-agent/enrol.ts";
import type { EnrolmentFile, EnrolmentOptions } from "./enrolment.ts";
import { enrolGemini } from "./gemini/enrol.ts";
import { enrolOpencode } from "./opencode/enrol.ts";
import { enrolQwen } from "./qwen/enrol.ts";
import { ENROLLED_CLIENTS, type EnrolledClient } from "./schema.ts";

export type WriteEnrolment = (options: EnrolmentOptions) => EnrolmentFile[];

export const CLIENT_ENROLMENTS: Readonly<Record<EnrolledClient, WriteEnrolment>> = {
  "docker-agent": enrolDockerAgent,
  "claude-code": enrolClaudeCode,
  codex: enrolCodex,
  copilot: enrolCopilot,
  cursor: enrolCursor,
  gemini: enrolGemini,
  qwen: enrolQwen,
  cline: enrolCline,
  opencode: enrolOpencode,
};

export function isEnrolledClient(name: string): name is EnrolledClient {
  return Object.hasOwn(ENROLLED_CLIENTS, name);
}
