/** Cline's payload to native input. */

import type { NativeInput, Payload, Reading } from "../dialect.ts";
import { type Call, eventMap, objectOf, promptOf, reading, textOf } from "../read-payload.ts";
import { responseText } from "../response-text.ts";
import { isObject } from "../ruling.ts";
import { cline } from "./capabilities.ts";
import { EXECUTABLES } from "./executables.ts";

const EVENTS = eventMap(cline);
/** The event by executable name, for payloads that do not name their event. */
const NAMES_OF_FILES = new Map(Object.entries(EXECUTABLES).map(([name, [event]]) => [name, event]));

export function readCline(payload: Payload, urlEvent: string): Reading {
  const event = textOf(payload, "hookName") ?? NAMES_OF_FILES.get(urlEvent) ?? urlEvent;
  const roots = Array.isArray(payload.workspaceRoots) ? payload.workspaceRoots : [];
  return reading({
    dialect: "cline",
    event,
    native: {
      session_id: textOf(objectOf(payload.sessionContext), "rootSessionId") ?? textOf(payload, "taskId"),
      cwd: textOf(payload, "cwd") ?? roots.find((root) => typeof root === "string" && root !== ""),
      hook_event_name: EVENTS.get(event) ?? null,
      agent_name: textOf(payload, "agent_name", "agent_type"),
      ...ownFields(event, payload),
    },
    call: callOf(event, payload),
    ext: { agent_id: textOf(payload, "agent_id") },
  });
}

function callOf(event: string, payload: Payload): Call | undefined {
  if (event !== "tool_call" && event !== "tool_result") return undefined;
  const call = objectOf(payload[event]);
  return { name: textOf(call, "name"), id: textOf(call, "id"), input: call.input };
}

function ownFields(event: string, payload: Payload): Partial<NativeInput> {
  switch (event) {
    case "tool_result":
      return resultFields(objectOf(payload.tool_result), objectOf(payload.postToolUse));
    case "prompt_submit":
      return promptOf([payload, payload.prompt_submit, payload.userPromptSubmit].map(objectOf).find(saysPrompt) ?? {});
    case "agent_start":
      return { source: "startup" };
    case "agent_resume":
      return { source: "resume" };
    case "session_shutdown":
      return { reason: textOf(payload, "reason") ?? textOf(objectOf(payload.session_shutdown), "reason") };
    case "agent_end":
      return { stop_response: textOf(objectOf(payload.turn), "outputText") };
    case "agent_error":
      return { notification_level: "error", notification_message: errorText(payload) };
    case "agent_abort":
      return { reason: "canceled" };
    default:
      return {};
  }
}

const saysPrompt = ({ prompt }: Payload): boolean => prompt !== undefined && prompt !== null && prompt !== "";

/**
 * One result per file or command, each with its own success. A tool that crashed has only an error and no results. The older
 * form of the result (`twin`) then reports the failure.
 */
function resultFields({ output, error }: Payload, twin: Payload): Partial<NativeInput> {
  const results = Array.isArray(output) ? output : [output];
  const texts = results.map((one) => (isObject(one) && typeof one.result === "string" ? one.result : undefined));
  return {
    tool_response: texts.every((text) => text !== undefined) ? texts.join("\n") : responseText(output ?? error),
    tool_error: [...results, twin].some((one) => isObject(one) && one.success === false),
  };
}

function errorText(payload: Payload): string | undefined {
  return (
    textOf(objectOf(payload.error), "message") ?? textOf(payload, "error", "message") ?? responseText(payload.error)
  );
}
