import type { KeyScope, Role } from "./role-schema.ts";

interface Named {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  /** From where a browser asks; absent for scripts and agents. */
  readonly from?: ClientInfo;
}

/** Where a request came from, as far as it can be known. */
export interface ClientInfo {
  readonly ip: string | null;
  /** As the browser names itself, cut at 256 characters. */
  readonly userAgent: string | null;
}

/** Somebody signed in, with what they are in the workspace they look at. */
export type PersonActor = Named & { readonly kind: "person"; readonly role: Role };
/** Whoever holds the data directory's admin token, on this machine: may do what an owner may. */
export type ScriptActor = Named & { readonly kind: "script" };
/** A service account with its token: a CI job. */
export type ServiceActor = Named & {
  readonly kind: "service";
  readonly role: Role;
  /** The account that made the token; absent where the machine made it. */
  readonly tokenMakerId?: string;
};
/** An agent with its key. */
export type AgentActor = Named & {
  readonly kind: "agent";
  readonly scopes: readonly KeyScope[];
  /** Absent: none. */
  readonly tags?: readonly string[];
  /** Names the key that was shown, without being any use in its place; absent when none was. */
  readonly keyFingerprint?: string;
};

/** The sender of a request. */
export type Actor = PersonActor | ScriptActor | ServiceActor | AgentActor;
/** An actor that changes and looks at things, as against an agent. */
export type Administrator = Exclude<Actor, AgentActor>;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** True for the ids of people and service accounts; the machine has no account. */
export const isAccount = (id: string): boolean => UUID.test(id);

/** The account that counts as the maker of what the actor makes: with a token, the account that made the token. Null for the machine. */
export function makerIdOf(actor: Administrator): string | null {
  if (actor.kind === "script") return null;
  return actor.kind === "service" ? (actor.tokenMakerId ?? actor.id) : actor.id;
}
