/** The client that raised an event. */
import { CLIENT_NAMES, type ClientName } from "../dialects/schema.ts";
import type { HookInput } from "../hooks/index.ts";

/** The client by its dialect; docker-agent for native input. Null for an unknown dialect. */
export function clientOf({ ext }: HookInput): ClientName | null {
  if (typeof ext !== "object" || ext === null || !("dialect" in ext)) return "docker-agent";
  return typeof ext.dialect === "string" ? clientNamed(ext.dialect) : null;
}

export function clientNamed(name: string): ClientName | null {
  return CLIENT_NAMES.find((known) => known === name) ?? null;
}
