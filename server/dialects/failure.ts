/** The answer when nothing could be decided: a denial on an event that the client lets us block, and nothing elsewhere. */
import type { Payload } from "./dialect.ts";
import { type DialectName, detectDialect, dialectOf } from "./registry.ts";
import type { Body } from "./render-table.ts";

export interface AskedInDialect {
  /** The dialect of the address or of the command; the body may know better. */
  readonly declared: DialectName;
  readonly urlEvent: string;
  /** Empty when it could not be read. */
  readonly payload: Payload;
  readonly isInteractive: boolean;
}

/** Null on an event that the client does not let us block. To these clients a failure is no verdict, and most run the call. */
export function failureBody(asked: AskedInDialect, reason: string): { dialect: DialectName; body: Body } | null {
  const { declared, urlEvent, payload, isInteractive } = asked;
  const name = detectDialect(declared, payload);
  const dialect = dialectOf(name);
  const { native, ext } = dialect.read(payload, urlEvent);
  const event = ext.client_event;
  const capability = Object.hasOwn(dialect.capabilities.events, event) ? dialect.capabilities.events[event] : undefined;
  if (native.hook_event_name === null || capability?.deny !== "held") return null;
  const output = {
    decision: "block",
    reason,
    hook_specific_output: { permission_decision: "deny", permission_decision_reason: reason },
  };
  return { dialect: name, body: dialect.render(output, { event, payload, interactive: isInteractive }) };
}
