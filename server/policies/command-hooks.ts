import type { Administrator } from "../access/actor.ts";
import { requireMay } from "../access/permissions.ts";
import type { HooksConfig } from "../hooks/index.ts";

/** Errors: `forbidden` when the text has hooks that run commands and `actor` may not publish those. */
export function requireCommandsAllowed(actor: Administrator, hooks: HooksConfig): void {
  if (hasCommands(hooks)) requireMay(actor, "policy:publish-commands");
}

/** Whether any hook of the text runs a command, wherever it would run. */
function hasCommands(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  if ("type" in part && part.type === "command") return true;
  return Object.values(part).some(hasCommands);
}
