/** The opencode plugin's payload: native already. */
import { readNative } from "../read-native.ts";
import type { Payload, Reading } from "../schema.ts";

export function readOpencode(payload: Payload, urlEvent: string): Reading {
  return readNative("opencode", payload, urlEvent);
}
