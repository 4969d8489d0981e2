/** Owners by login: a person who confirmed `quarterdeck login` is the proven owner of the agent until logout. */
import type { Administrator, AgentActor } from "../access/actor.ts";
import { may, requireMay } from "../access/permissions.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announceWithCommit } from "../events/index.ts";
import type { Database, Tx } from "../platform/db.ts";
import { lockInForce, OWN, permitOwner, weakensPolicies } from "../policies/index.ts";
import * as logins from "./login-repository.ts";
import * as principals from "./repository.ts";
import { resolveOwner } from "./resolve.ts";
import type { PrincipalView } from "./schema.ts";

export type Freeze = Awaited<ReturnType<typeof lockInForce>>;

/** An agent that the caller has locked, after what is in force. */
export interface LockedAgent {
  readonly id: string;
  readonly name: string;
  readonly freeze: Freeze;
}

/** Locks what is in force and the agent, in the order of all changes of owners. Errors: `agent_not_found`. */
export async function lockAgent(tx: Tx, workspaceId: string, id: string): Promise<LockedAgent> {
  const freeze = await lockInForce(tx, workspaceId);
  const name = await principals.findAgentForUpdate(tx, workspaceId, id);
  if (name === null) throw new AppError("agent_not_found", id);
  return { id, name, freeze };
}

export interface LoggedIn {
  readonly principalId: string;
  readonly name: string;
  /** Another person or service that the agent worked for. */
  readonly replaced: PrincipalView | null;
  /** Raise the sequence of policies at the end of the transaction. */
  readonly isInForce: boolean;
}

/**
 * Makes a signed-in person the proven owner. Errors: `forbidden` for the agent of a service without the permission to
 * manage agents; those of `permitOwner` if the agent loses policies; `person_not_found`, `too_many_people`.
 */
export async function logIn(tx: Tx, actor: Administrator, agent: LockedAgent): Promise<LoggedIn> {
  const { workspaceId, id: accountId } = actor;
  if (actor.kind !== "person" || !(await logins.lockMember(tx, workspaceId, accountId)))
    throw new AppError("person_not_found", accountId, { says: NO_MEMBER });
  const before = await logins.findOwnerForUpdate(tx, workspaceId, agent.id);
  if (before?.isShared) requireMay(actor, "agent:write");
  const { principalId, name } = await resolveOwner(tx, actor, { kind: "account", accountId });
  const after = { principalId, isProven: true };
  const isInForce = await permitted(tx, actor, agent, { before, after, owner: accountId });
  await logins.saveLogin(tx, workspaceId, agent.id, principalId);
  await logins.saveAccount(tx, workspaceId, agent.id, accountId);
  return { principalId, name, replaced: before === null || before.id === principalId ? null : before, isInForce };
}

/** The owner of an agent, and the principal of the reader, if they have one. */
interface Reading {
  readonly agentId: string;
  readonly owner: { readonly id: string; readonly certainty: string } | null;
  readonly ownId: string | null;
}

/** The reason why the reader cannot log in on the agent, as things are now; null without one. */
export async function findObstacle(
  { pool, prisma }: Pick<Database, "pool" | "prisma">,
  actor: Administrator,
  { agentId, owner, ownId }: Reading,
): Promise<"shared_agent" | "policies" | null> {
  const { workspaceId } = actor;
  if (!may(actor, "agent:write") && (await logins.isShared(pool, workspaceId, agentId))) return "shared_agent";
  // A person without a principal cannot be compared yet. Confirming compares again.
  if (owner === null || ownId === null || may(actor, "policy:publish")) return null;
  const before = { principalId: owner.id, isProven: owner.certainty === "proven" };
  const after = { principalId: ownId, isProven: true };
  return (await weakensPolicies(prisma, workspaceId, { before, after })) ? "policies" : null;
}

const NO_MEMBER = "Only a signed-in member of the workspace can log in a computer.";

interface Change {
  readonly before: logins.LockedOwner | null;
  readonly after: { readonly principalId: string; readonly isProven: boolean } | null;
  /** The account of the owner to be, if it is a login. */
  readonly owner: string | null;
}

/** As `permitOwner`, with a sentence for the person at the terminal or the browser. */
async function permitted(
  tx: Tx,
  actor: Administrator,
  { id: agentId, name, freeze }: LockedAgent,
  { before, after, owner }: Change,
): Promise<boolean> {
  const change = {
    input: { agentId, owner: owner === null ? null : { kind: "account", accountId: owner } },
    summary: `Sets another owner for ${name}. Policies that are assigned to the former owner no longer apply to it.`,
    before: before && { principalId: before.id, isProven: before.certainty === "proven" },
    after,
  };
  try {
    return await permitOwner(tx, freeze, actor, change, OWN);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "forbidden") throw error;
    throw new AppError("forbidden", error.detail, { says: LOSES_POLICIES });
  }
}

const LOSES_POLICIES =
  "This agent has policies through its owner, which this would change. Ask a person who may publish policies to set the owner (Agents, Works for).";

export interface LoggedOut {
  readonly principalId: string;
  readonly name: string;
  /** The owner from before the login; null: unknown. */
  readonly owner: PrincipalView | null;
  readonly isInForce: boolean;
}

/**
 * Brings back the owner from before the login; null for an agent without a login. Errors: those of `permitOwner`, if the
 * agent would lose policies. A key has no permission for that.
 */
export async function logOut(tx: Tx, { workspaceId }: AgentActor, agent: LockedAgent): Promise<LoggedOut | null> {
  const before = await logins.findOwnerForUpdate(tx, workspaceId, agent.id);
  if (before?.source !== "login") return null;
  const { id: principalId, name, formerId, formerCertainty: certainty, formerSource: source } = before;
  const owner = formerId === null ? null : await principals.findUsable(tx, workspaceId, formerId);
  const after = owner === null ? null : { principalId: owner.id, isProven: certainty === "proven" };
  const asKey = { kind: "service", role: "viewer", workspaceId, id: agent.id, name: agent.name } as const;
  const isInForce = await permitted(tx, asKey, agent, { before, after, owner: null });
  if (owner === null || certainty === null || source === null) await principals.deleteOwner(tx, workspaceId, agent.id);
  else await principals.saveOwner(tx, workspaceId, agent.id, { principalId: owner.id, certainty, source });
  return { principalId, name, owner, isInForce };
}

interface Leaving {
  /** The account. */
  readonly personId: string;
  readonly name: string;
}

/**
 * The logins of a person who leaves prove nothing from then on. Their agents keep them as a stated owner, and so the
 * limits and policies. Call it before other entries of the audit log: changes of owners lock owners first. The caller
 * notifies the end of the membership.
 */
export async function endLoginsOf(
  tx: Tx,
  { workspaceId, acting }: { readonly workspaceId: string; readonly acting: Administrator | string },
  { personId, name }: Leaving,
): Promise<void> {
  const agents = await logins.endLoginsOf(tx, workspaceId, personId);
  if (agents.length === 0) return;
  await recordAudit(tx, acting, { kind: "agent_logins_ended", version: 1, person: personId, name, agents });
  await announceWithCommit(tx, workspaceId, ["agents", "keys"]);
}
