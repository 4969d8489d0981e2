/** The record of an event without a native equivalent. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { HookInput } from "../hooks/index.ts";
import type { Reading } from "./dialect.ts";

const EVENT_CHARACTERS_MAX = 100;

/** Stored and shown as a notification; no hook runs. */
export function noticeOf({ native, ext }: Reading): HookInput & { readonly ext: Reading["ext"] } {
  const said = `${ext.dialect}: ${truncateText(ext.client_event, EVENT_CHARACTERS_MAX, "")}`;
  return {
    ...native,
    hook_event_name: "notification",
    notification_level: "info",
    notification_message: said,
    ext,
  };
}
