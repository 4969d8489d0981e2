/** The client details in an event: a version, and a mode in which no person is asked. Pure. */
import type { HookInput } from "@quarterdeck/hooks";
import { sourcesOf } from "@quarterdeck/hooks/contract/approval-sources";
import { z } from "zod";
import type { AgentRequest } from "../access/agent-api-types.ts";
import { CLIENT_VERSION_HEADER, type ClientSign } from "../policies/index.ts";

/** `permission_mode` of Claude Code, Codex and Qwen Code in which every call runs unasked. */
const UNASKED_MODES: ReadonlySet<unknown> = new Set(["bypassPermissions", "yolo"]);
/** The approval sources by which docker-agent reports the same for a single call. */
const UNASKED_SOURCES: ReadonlySet<unknown> = new Set(sourcesOf("yolo"));

/** True if the client says that it asks no person about its calls. */
export function asksNobody({ ext, approval_source, safety_policy }: HookInput): boolean {
  if (safety_policy === "autonomous" || UNASKED_SOURCES.has(approval_source)) return true;
  return typeof ext === "object" && ext !== null && "permission_mode" in ext && UNASKED_MODES.has(ext.permission_mode);
}

/** The client details of an event, native or translated. `payload` is the client's own. */
export function clientSignOf(
  request: Pick<AgentRequest, "header">,
  input: HookInput,
  payload: Readonly<Record<string, unknown>> = {},
): ClientSign {
  const detected = typeof payload.cursor_version === "string" ? payload.cursor_version : undefined;
  return { version: request.header(CLIENT_VERSION_HEADER) ?? detected, asksNobody: asksNobody(input) };
}

export const VERSION_HEADER_DOCS = {
  "Quarterdeck-Client-Version": {
    schema: z.string().max(40).optional(),
    description: "The version of the client, as 2.1.330: the page Agents says which are too old to be held.",
  },
};
