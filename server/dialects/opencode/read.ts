/** The opencode plugin's payload: native already. */

import type { Payload, Reading } from "../dialect.ts";
import { readNative } from "../read-native.ts";

export function readOpencode(payload: Payload, urlEvent: string): Reading {
  return readNative("opencode", payload, urlEvent);
}
