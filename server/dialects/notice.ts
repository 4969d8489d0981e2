/** The record of an event that no native one corresponds to. */
import type { HookInput } from "../hooks/index.ts";
import type { Reading } from "./dialect.ts";

const EVENT_CHARACTERS_MAX = 100;

/** Stored and shown as a notification; no hook is asked. */
export function noticeOf({ native, ext }: Reading): HookInput & { readonly ext: Reading["ext"] } {
  const said = `${ext.dialect}: ${ext.client_event.slice(0, EVENT_CHARACTERS_MAX)}`;
  return {
    ...native,
    hook_event_name: "notification",
    notification_level: "info",
    notification_message: said,
    ext,
  };
}
