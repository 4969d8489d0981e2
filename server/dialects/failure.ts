/** The answer if no decision was possible: a denial on an event that the client lets us block, and no answer elsewhere. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { EventName, HookInput } from "../hooks/index.ts";
import type { Payload, Reading } from "./dialect.ts";
import { type GateAddress, gateAt, gateComplaint } from "./gate-address.ts";
import { type DialectName, detectDialect, dialectOf } from "./registry.ts";
import type { Body } from "./render-table.ts";

export interface AskedInDialect {
  /** The dialect of the address or command. The body may indicate another one. */
  readonly declared: DialectName;
  readonly urlEvent: string;
  /** Empty if the body could not be read. */
  readonly payload: Payload;
  readonly isInteractive: boolean;
}

/** Null on an event that the client does not let us block. Clients do not treat a failure there as a verdict, and most run the call. */
export function failureBody(asked: AskedInDialect, reason: string): Denial | null {
  const { declared, urlEvent, payload } = asked;
  const dialect = dialectOf(detectDialect(declared, payload));
  const read = dialect.read(payload, urlEvent);
  const gate = gateAt(asked);
  if (gate && gateComplaint(gate, read) !== null) return denialAt(gate, asked, reason);
  const event = read.ext.client_event;
  const capability = Object.hasOwn(dialect.capabilities.events, event) ? dialect.capabilities.events[event] : undefined;
  if (read.native.hook_event_name === null || capability?.deny !== "held") return null;
  return denialAt({ dialect, event }, asked, reason);
}

interface Denial {
  readonly dialect: string;
  readonly body: Body;
}

/** A gate that received a body of another event, and the denial to answer with. */
export interface MisreadGate extends Denial {
  readonly native: EventName;
  readonly reason: string;
}

/** The denial for a body that does not read as the event of its gate; null for any other body. */
export function misreadGate(asked: AskedInDialect, read: Reading): MisreadGate | null {
  const gate = gateAt(asked);
  const complaint = gate && gateComplaint(gate, read);
  if (gate === null || complaint === null) return null;
  const reason = `Quarterdeck cannot read this as ${gate.event} of ${gate.dialect.name}, so it is denied: ${complaint}. Enrol the client again (quarterdeck enrol), with its own dialect.`;
  return { ...denialAt(gate, asked, reason), native: gate.native, reason };
}

function denialAt(
  { dialect, event }: Pick<GateAddress, "dialect" | "event">,
  { payload, isInteractive }: AskedInDialect,
  reason: string,
): Denial {
  const output = {
    decision: "block",
    reason,
    hook_specific_output: { permission_decision: "deny", permission_decision_reason: reason },
  };
  return { dialect: dialect.name, body: dialect.render(output, { event, payload, interactive: isInteractive }) };
}

/** The record of a body that does not read as the event of its gate, with the few fields that every client has. */
export function misreadInput(
  native: EventName,
  { native: read, ext }: Reading,
): HookInput & { readonly ext: Reading["ext"] } {
  const { session_id, cwd, tool_name } = read;
  const { dialect, client_event } = ext;
  const own = { dialect, client_event: truncateText(client_event, EVENT_CHARACTERS_MAX, "") };
  return {
    session_id: typeof session_id === "string" ? session_id : "",
    cwd: typeof cwd === "string" ? cwd : "",
    ...(typeof tool_name === "string" && { tool_name }),
    hook_event_name: native,
    ext: own,
  };
}

const EVENT_CHARACTERS_MAX = 100;
