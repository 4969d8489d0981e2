/** The reader for clients with the native dialect. Nothing is translated or lost. */
import { isEventName, WIDEST_PROFILE } from "../hooks/contract/events.ts";
import type { NativeInput, Payload, Reading } from "./dialect.ts";
import { textOf } from "./read-payload.ts";

export function readNative(dialect: string, payload: Payload, urlEvent: string): Reading {
  const event = textOf(payload, "hook_event_name") ?? urlEvent;
  return {
    // Holds: the route validates all hook input, whatever this type says.
    native: { ...payload, hook_event_name: isEventName(event, WIDEST_PROFILE) ? event : null } as NativeInput,
    ext: { dialect, client_event: event },
  };
}
