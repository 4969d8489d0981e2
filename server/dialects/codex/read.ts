/** Codex's payload to native input. */
import { claudeLikeReader } from "../read-claude-like.ts";
import { eventMap } from "../read-payload.ts";
import { codex } from "./capabilities.ts";

export const readCodex = claudeLikeReader({ dialect: "codex", events: eventMap(codex) });
