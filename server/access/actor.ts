import type { WorksFor } from "./principal-schema.ts";
import type { KeyScope, Role } from "./role-schema.ts";

interface Named {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  /** The browser's client info; absent for scripts and agents. */
  readonly from?: ClientInfo;
}

/** Where a request came from, as far as it can be known. */
export interface ClientInfo {
  readonly ip: string | null;
  /** As the browser names itself, cut at 256 characters. */
  readonly userAgent: string | null;
}

/** A signed-in person with their role in the current workspace. */
export type PersonActor = Named & { readonly kind: "person"; readonly role: Role };
/** A process on this machine with the data directory's admin token; may do what an owner may do. */
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
  /** Identifies the key in the request, but cannot be used in its place; absent without a key. */
  readonly keyFingerprint?: string;
  /** Absent: the person behind it is unknown. */
  readonly worksFor?: WorksFor;
};

/** The sender of a request. */
export type Actor = PersonActor | ScriptActor | ServiceActor | AgentActor;
/** An actor that reads and changes the console's data, as opposed to an agent. */
export type Administrator = Exclude<Actor, AgentActor>;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** True for the ids of people and service accounts; the machine has no account. */
export const isAccount = (id: string): boolean => UUID.test(id);

/**
 * The account that counts as the maker of the actor's creations: for a token, the account that made the token. Null for
 * the machine.
 */
export function makerIdOf(actor: Administrator): string | null {
  if (actor.kind === "script") return null;
  return actor.kind === "service" ? (actor.tokenMakerId ?? actor.id) : actor.id;
}
