import type { Actor } from "./actor.ts";

/** What each kind of actor may do. One table, walked against every procedure by trpc/access.test.ts. */
export const PERMISSIONS = {
  "console:read": ["person", "script"],
  "policy:write": ["person", "script"],
  "policy:publish": ["person", "script"],
  "agent:write": ["person", "script"],
  "judge:write": ["person", "script"],
  "demo:remove": ["person", "script"],
  "agent:act": ["agent"],
} as const satisfies Record<string, readonly Actor["kind"][]>;

export type Permission = keyof typeof PERMISSIONS;

/** True when `actor` holds `permission`; nobody holds one by default. */
export function may(actor: Actor | null, permission: Permission): boolean {
  const kinds: readonly Actor["kind"][] = PERMISSIONS[permission];
  return actor !== null && kinds.includes(actor.kind);
}
