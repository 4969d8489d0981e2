import { AppError } from "../errors/app-error.ts";
import type { Actor } from "./actor.ts";
import { type KeyScope, ROLES, type Role } from "./role-schema.ts";

/** A holder of permissions: people and service accounts by role, people for being one, agents by their key's scope. */
export type Holder = Role | "person" | `key:${KeyScope}`;

/**
 * The permissions of each role. The one table: procedures name a permission of it, services ask it, the console shows
 * it, and gateway/access-matrix.test.ts and its proof walk every procedure and route against it.
 */
export const HOLDERS_BY_PERMISSION = {
  "console:read": ROLES,
  /** One's own account; tokens have no account. */
  "account:own": ["person"],
  "policy:write": ["author", "admin", "owner"],
  "policy:publish": ["author", "admin", "owner"],
  /** Hooks that run commands are code on our machines: publishing one takes more than publishing. */
  "policy:publish-commands": ["admin", "owner"],
  /** The rules that bind publishing itself: four eyes, freezes. People bound by them cannot lift them. */
  "policy:govern": ["admin", "owner"],
  /** To change alone what needs two people: with a reason, recorded and sent to webhooks. */
  "policy:emergency": ["admin", "owner"],
  /** To be the other pair of eyes. */
  "policy:review": ["approver", "author", "admin", "owner"],
  /** To answer a call that waits for a person, and to take an unused answer back. */
  "approval:decide": ["approver", "author", "admin", "owner"],
  /** To comment on calls, to set keywords and to assign calls. None of it changes the record. */
  "call:follow-up": ["auditor", "approver", "author", "admin", "owner"],
  /** To halt. A halt can only stop agents, so approvers and a monitoring system's service account may do it. */
  "halt:write": ["approver", "author", "admin", "owner"],
  /** To end a halt. */
  "halt:resume": ["admin", "owner"],
  "agent:write": ["admin", "owner"],
  /** To accept a version of a skill, plugin, slash command or MCP server for all agents. */
  "extension:accept": ["author", "admin", "owner"],
  "judge:write": ["admin", "owner"],
  /** Corrections, price lists, closing a month. */
  "ledger:write": ["admin", "owner"],
  /** A webhook's address may contain a secret, so only these roles see it. */
  "webhook:manage": ["admin", "owner"],
  /** To send the record to other systems, and to read events as they leave. */
  "stream:manage": ["admin", "owner"],
  "alert:write": ["author", "admin", "owner"],
  "budget:write": ["admin", "owner"],
  /** The time zone in which days and months are counted. */
  "calendar:write": ["admin", "owner"],
  /** Views shared with the workspace; a private view needs no permission. */
  "view:share": ["approver", "author", "admin", "owner"],
  "demo:remove": ["admin", "owner"],
  /** To see the people, their roles and service accounts, as a review of access does. */
  "people:read": ["auditor", "admin", "owner"],
  "people:manage": ["admin", "owner"],
  /** To make owners, and to change owners and their access. */
  "owner:manage": ["owner"],
  "workspace:create": ["owner"],
  /** Sign-on and mail, of the whole installation; only for owners of its first workspace. */
  "installation:manage": ["owner"],
  /** To see how people sign on; a secret is never shown. */
  "installation:read": ["auditor", "owner"],
  "audit:read": ["auditor", "admin", "owner"],
  /** Retention, legal hold, raw capture, erasure. */
  "record:manage": ["owner"],
  "agent:dispatch": ["key:dispatch"],
  "agent:report": ["key:report"],
  "agent:policy": ["key:policy"],
} as const satisfies Record<string, readonly Holder[]>;

export type Permission = keyof typeof HOLDERS_BY_PERMISSION;
/** The permissions that only agents hold. */
export type AgentPermission = Extract<Permission, `agent:${KeyScope}`>;
export type AdministratorPermission = Exclude<Permission, AgentPermission>;

// Holds: the keys of an object literal of this module.
const ALL = Object.keys(HOLDERS_BY_PERMISSION) as Permission[];

/** True when `actor` holds `permission`; the default is false. */
export function may(actor: Actor | null, permission: Permission): boolean {
  const holders: readonly Holder[] = HOLDERS_BY_PERMISSION[permission];
  return actor !== null && claimsOf(actor).some((claim) => holders.includes(claim));
}

/** Errors: `forbidden`, with who could do it. */
export function requireMay(actor: Actor, permission: Permission): void {
  if (!may(actor, permission)) throw new AppError("forbidden", permission, { says: reasonAgainst(permission) });
}

/**
 * Every permission with the roles that hold it, and whether `actor` holds it. Excludes permissions that only agents
 * hold.
 */
export function listPermissionGrants(actor: Actor) {
  return ALL.filter((name) => rolesOf(name).length > 0).map((name) => ({
    name,
    isGranted: may(actor, name),
    roles: rolesOf(name),
  }));
}

/** The reason for a refusal, in one sentence that names the roles that hold the permission. */
export function reasonAgainst(permission: Permission): string {
  const roles = rolesOf(permission);
  return roles.length === 0
    ? "You do not have permission to do this."
    : `You do not have permission to do this. It requires the role ${orList(roles)}.`;
}

/** The roles that hold a permission. */
export const holdersOf = (permission: AdministratorPermission): readonly Role[] => rolesOf(permission);

function rolesOf(permission: Permission): Role[] {
  const holders: readonly Holder[] = HOLDERS_BY_PERMISSION[permission];
  return ROLES.filter((role) => holders.includes(role));
}

function claimsOf(actor: Actor): readonly Holder[] {
  if (actor.kind === "agent") return actor.scopes.map((scope) => `key:${scope}` as const);
  if (actor.kind === "person") return [actor.role, "person"];
  return [actor.kind === "script" ? "owner" : actor.role];
}

function orList(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length === 1 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}
