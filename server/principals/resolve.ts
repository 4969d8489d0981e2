/** Finds a person or a service by what is known of them, and makes the row of one that is new. */
import { type Administrator, makerIdOf } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import type { Tx } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import * as principals from "./repository.ts";
import { type OwnerChoice, PRINCIPAL_LIMITS } from "./schema.ts";

export interface ResolvedOwner {
  readonly principalId: string;
  readonly name: string;
  readonly certainty: "proven" | "stated";
}

/**
 * The principal that an administrator chose. It is proven if a signed-in person chose their own account. Errors:
 * `person_not_found`, `too_many_people`.
 */
export async function resolveOwner(tx: Tx, actor: Administrator, choice: OwnerChoice): Promise<ResolvedOwner> {
  const { workspaceId } = actor;
  if (choice.kind === "account") {
    const account = await principals.findMember(tx, workspaceId, choice.accountId);
    if (account === null) throw new AppError("person_not_found", choice.accountId, { says: NO_MEMBER });
    const identity = { accountId: choice.accountId, email: account.email, clientAccount: null };
    const principalId = await personWith(tx, workspaceId, identity, account.name);
    const isOwn = actor.kind === "person" && makerIdOf(actor) === choice.accountId;
    return { principalId, name: account.name, certainty: isOwn ? "proven" : "stated" };
  }
  if (choice.kind === "principal") {
    const found = await principals.findUsable(tx, workspaceId, choice.principalId);
    if (found === null) throw new AppError("person_not_found", choice.principalId, { says: NOT_KNOWN });
    return { principalId: found.id, name: found.name, certainty: "stated" };
  }
  const { name } = choice;
  return { principalId: await serviceNamed(tx, workspaceId, name), name, certainty: "stated" };
}

const NO_MEMBER = "This person is not a member of the workspace. Choose a member.";
const NOT_KNOWN = "This person is not known here, or their name was erased. Choose another person.";

/** The id of the person with one of these identities. Errors: `too_many_people`. */
async function personWith(
  tx: Tx,
  workspaceId: string,
  identity: principals.Identity,
  name: string | null,
): Promise<string> {
  const known = await principals.findIdentified(tx, workspaceId, identity);
  if (known !== null) {
    await principals.addIdentity(tx, workspaceId, known, identity);
    return known;
  }
  await requireRoom(tx, workspaceId);
  const id = uuidv7();
  if (await principals.insert(tx, workspaceId, { id, kind: "person", name, ...identity })) return id;
  const faster = await principals.findIdentified(tx, workspaceId, identity);
  if (faster === null) throw new AppError("too_many_people");
  return faster;
}

async function serviceNamed(tx: Tx, workspaceId: string, name: string): Promise<string> {
  const known = await principals.findService(tx, workspaceId, name);
  if (known !== null) return known;
  await requireRoom(tx, workspaceId);
  const id = uuidv7();
  const made = { id, kind: "service", name, accountId: null, email: null, clientAccount: null } as const;
  if (await principals.insert(tx, workspaceId, made)) return id;
  return (await principals.findService(tx, workspaceId, name)) ?? id;
}

async function requireRoom(tx: Tx, workspaceId: string): Promise<void> {
  if ((await principals.count(tx, workspaceId)) >= PRINCIPAL_LIMITS.perWorkspace) throw new AppError("too_many_people");
}

/** A person as a client's telemetry states it; at least one part is there. */
export interface StatedPerson {
  readonly email: string | null;
  readonly clientAccount: string | null;
}

/**
 * The id of the person whom telemetry states. An address that masking hides finds a member and is not stored. Null for an address
 * alone that finds none, and once the workspace has as many people as it may have.
 */
export async function resolveStated(
  tx: Tx,
  workspaceId: string,
  stated: StatedPerson,
  keepsEmail: boolean,
): Promise<string | null> {
  const member = stated.email === null ? null : await principals.findMemberByEmail(tx, workspaceId, stated.email);
  const identity = {
    ...{ accountId: member?.accountId ?? null, clientAccount: stated.clientAccount },
    email: keepsEmail ? stated.email : null,
  };
  if (Object.values(identity).every((one) => one === null)) return null;
  try {
    return await personWith(tx, workspaceId, identity, member?.name ?? null);
  } catch (error) {
    if (error instanceof AppError && error.code === "too_many_people") return null;
    throw error;
  }
}

/** The id of the person with this name on the operating system of an agent's machine: a hint, apart from all others. */
export async function resolveSystemUser(tx: Tx, workspaceId: string, user: string): Promise<string | null> {
  const identity = { accountId: null, email: null, clientAccount: `os:${user}` };
  try {
    return await personWith(tx, workspaceId, identity, user);
  } catch (error) {
    if (error instanceof AppError && error.code === "too_many_people") return null;
    throw error;
  }
}
