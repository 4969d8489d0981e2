/** The opencode plugin's payload. It is already native, but its tools have opencode's names and layout. */

import type { Payload, Reading } from "../dialect.ts";
import { readNative } from "../read-native.ts";
import { textOf } from "../read-payload.ts";
import { toolFacts } from "../tool-facts.ts";

export function readOpencode(payload: Payload, urlEvent: string): Reading {
  const { native, ext } = readNative("opencode", payload, urlEvent);
  const name = textOf(payload, "tool_name");
  return { native, ext: { ...ext, ...(name && { tool: toolFacts(name, payload.tool_input) }) } };
}
