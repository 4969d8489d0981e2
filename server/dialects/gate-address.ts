/**
 * The gate that an address names. Every request to the address is answered as that gate. A body that reads as another event,
 * or as no known event, must not bypass it.
 */
import type { EventName } from "../hooks/index.ts";
import type { Dialect, Payload, Reading } from "./dialect.ts";
import { answeringEvents } from "./native-events.ts";
import { objectOf, textOf } from "./read-payload.ts";
import { type DialectName, detectDialect, dialectOf } from "./registry.ts";

export interface GateAddress {
  readonly native: EventName;
  /** The client that asks, and its own name for the gate. */
  readonly dialect: Dialect;
  readonly event: string;
}

export interface Addressed {
  readonly declared: DialectName;
  readonly urlEvent: string;
  readonly payload: Payload;
}

/**
 * Null for an address whose event the client does not let us block. An address with an unknown event is the tool call gate if its
 * body names a tool and no event of the client.
 */
export function gateAt({ declared, urlEvent, payload }: Addressed): GateAddress | null {
  const own = dialectOf(declared);
  const asking = dialectOf(detectDialect(declared, payload));
  const named = knownEvent(own, own.read({}, urlEvent).ext.client_event);
  if (named === undefined) return isUnnamedCall(asking, payload, urlEvent) ? callGateOf(asking) : null;
  const { native, deny } = named[1];
  if (native === null || deny !== "held") return null;
  const held = heldEvents(asking, native);
  const [event] = held.find(([name]) => name === named[0]) ?? held[0] ?? [];
  return event === undefined ? { native, dialect: own, event: named[0] } : { native, dialect: asking, event };
}

const heldEvents = ({ capabilities }: Dialect, native: EventName) =>
  answeringEvents(capabilities, native).filter(([, { deny }]) => deny === "held");

function callGateOf(dialect: Dialect): GateAddress | null {
  const [event] = heldEvents(dialect, "pre_tool_use")[0] ?? [];
  return event === undefined ? null : { native: "pre_tool_use", dialect, event };
}

/** The fields with a call's result, for all clients. */
const RESULTS = ["tool_response", "tool_result", "toolResult", "tool_output", "error", "error_message"];

/** True for a call before its run. Events without a native equivalent, including future ones, name no tool or contain its result. */
function isUnnamedCall(asking: Dialect, payload: Payload, urlEvent: string): boolean {
  if (asking.read(payload, urlEvent).native.hook_event_name !== null) return false;
  const tool = textOf(payload, "tool_name", "toolName") ?? textOf(objectOf(payload.tool_call), "name");
  return tool !== undefined && !RESULTS.some((field) => Object.hasOwn(payload, field));
}

/** The reason why a body does not read as the event of its gate; null if it does. */
export function gateComplaint({ native, event }: GateAddress, { native: read, ext }: Reading): string | null {
  const isPromptOfNobody = read.hook_event_name === null && ext.client_event === event;
  if (isPromptOfNobody) return null;
  if (read.hook_event_name === null) return "its event is not one that this client sends to this address";
  if (read.hook_event_name !== native) return "its event is another one than that of this address";
  if (NAMES_TOOL.has(native) && (read.tool_name ?? "") === "") return "it names no tool where this client names it";
  return null;
}

const NAMES_TOOL: ReadonlySet<EventName> = new Set<EventName>([
  "pre_tool_use",
  "permission_request",
  "tool_guard",
  "tool_input_transform",
]);

/** The client's event with this name, in any letter case. */
function knownEvent({ capabilities }: Dialect, name: string) {
  const events = Object.entries(capabilities.events);
  return events.find(([known]) => known === name) ?? events.find(([known]) => folded(known) === folded(name));
}

const folded = (name: string): string =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");
