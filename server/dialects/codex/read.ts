/** Codex's payload to native input. */

import type { Payload, Reading } from "../dialect.ts";
import { readClaudeLike } from "../read-claude-like.ts";
import { eventMap } from "../read-payload.ts";
import { codex } from "./capabilities.ts";

const CLIENT = { dialect: "codex", events: eventMap(codex) };

export function readCodex(payload: Payload, urlEvent: string): Reading {
  return readClaudeLike(CLIENT, payload, urlEvent);
}
