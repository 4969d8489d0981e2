/** The steps that readers share. A payload is untrusted: a field of the wrong type counts as absent. */
import type { EventName } from "../hooks/index.ts";
import type { ClientCapabilities } from "./capabilities.ts";
import type { NativeInput, Payload, Reading, ToolFacts } from "./dialect.ts";
import { argumentsOfRawText, isRawText } from "./raw-arguments.ts";
import { isObject, parseJson } from "./ruling.ts";
import { type McpTool, toolFacts } from "./tool-facts.ts";

/** The native event of each event of a client. */
export type EventMap = ReadonlyMap<string, EventName | null>;

export function eventMap({ events }: ClientCapabilities): EventMap {
  return new Map(Object.entries(events).map(([name, { native }]) => [name, native]));
}

/** The first non-empty string among the fields; undefined if there is no such field. */
export function textOf(payload: Payload, ...fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = Object.hasOwn(payload, field) ? payload[field] : undefined;
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

export function objectOf(value: unknown): Payload {
  return isObject(value) ? value : {};
}

/** Parses a value that some clients send as JSON text. */
export function jsonOf(value: unknown): unknown {
  return typeof value === "string" ? (parseJson(value) ?? value) : value;
}

/** A tool's arguments. Some clients send them as JSON text; for some tools they are one raw string. */
export function argumentsOf(value: unknown, tool: string | undefined): unknown {
  return isRawText(value) ? argumentsOfRawText(tool, value) : jsonOf(value);
}

/** The notifications that wait for the user. */
const WAITING = new Set([
  "permission_prompt",
  "idle_prompt",
  "elicitation_dialog",
  "agent_needs_input",
  "ToolPermission",
]);

/** `on_user_input`, or `notification` with its message. */
export function notificationOf(payload: Payload, type: string | undefined): Partial<NativeInput> {
  if (type !== undefined && WAITING.has(type)) return { hook_event_name: "on_user_input" };
  return {
    hook_event_name: "notification",
    notification_level: "warning",
    notification_message: textOf(payload, "message", "title"),
  };
}

/** A prompt that is not a string is kept: the route refuses it, so a gate denies an unreadable prompt. */
export function promptOf({ prompt }: Payload): Partial<NativeInput> {
  return { prompt: prompt as NativeInput["prompt"] };
}

export interface Call {
  readonly name: string | undefined;
  readonly id?: string | undefined;
  readonly input: unknown;
  readonly mcp?: McpTool | undefined;
}

/**
 * The native fields of a tool call. Arguments that are not an object are kept: the route refuses them, so a gate denies. After the
 * call they are dropped, because a refusal there would let the result reach the model unchanged.
 */
function callFields({ name, id, input }: Call, event: EventName | null): Partial<NativeInput> {
  const isKept = event !== "post_tool_use" || isObject(input);
  return { tool_name: name, tool_use_id: id, ...(isKept && { tool_input: input as NativeInput["tool_input"] }) };
}

export interface Parts {
  readonly dialect: string;
  readonly event: string;
  readonly native: Partial<NativeInput>;
  readonly call?: Call | undefined;
  readonly ext?: Readonly<Record<string, unknown>>;
}

/** The reading, without empty fields. */
export function reading({ dialect, event, native, call, ext = {} }: Parts): Reading {
  const { hook_event_name = null } = native;
  const said: { hook_event_name: EventName | null } = { hook_event_name };
  keepSaid(said, native);
  if (call) keepSaid(said, callFields(call, hook_event_name));
  const more: { dialect: string; client_event: string; tool?: ToolFacts } = { dialect, client_event: event };
  if (call?.name !== undefined) more.tool = toolFacts(call.name, call.input, call.mcp);
  keepSaid(more, ext);
  return { native: said, ext: more };
}

/** A loop, because every call of every client passes through here. Entry lists are four times as slow. */
function keepSaid(into: object, fields: Readonly<Record<string, unknown>>): void {
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined || value === null || value === false || (value === "" && name !== "tool_response"))
      continue;
    (into as Record<string, unknown>)[name] = value;
  }
}
