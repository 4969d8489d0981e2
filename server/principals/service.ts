/**
 * The people and services that agents work for. A change applies to calls from then on: recorded calls keep the
 * principal that they were made for.
 */
import type { Administrator } from "../access/actor.ts";
import { requireMay } from "../access/permissions.ts";
import type { KnownPeople, WorksFor } from "../access/principal-schema.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database, Tx } from "../platform/db.ts";
import { inWorkspace } from "../platform/scope.ts";
import { type Authority, lockInForce, OWN, permitOwner, raiseSequence } from "../policies/index.ts";
import * as principals from "./repository.ts";
import { resolveOwner } from "./resolve.ts";
import {
  type OwnerChoices,
  type OwnerView,
  type PersonById,
  type PersonRow,
  type PersonView,
  PRINCIPAL_LIMITS,
  type PrincipalView,
  type SetOwner,
} from "./schema.ts";
import { createWorksFor } from "./works-for.ts";

const NAMED_SHOWN = 5;

export async function listPeople({ pool }: Database, actor: Administrator): Promise<PersonRow[]> {
  const rows = await principals.listPeople(pool, actor.workspaceId, PRINCIPAL_LIMITS.perWorkspace);
  return rows.map((row) => personOf(row, actor));
}

const personOf = ({ accountId, ...row }: principals.PersonRow, { kind, id }: Administrator): PersonRow => ({
  ...row,
  isReader: kind === "person" && accountId === id,
});

/** Null for "me" if no agent of the workspace has worked for the reader. Errors: `person_not_found`. */
export async function getPerson(
  { pool }: Database,
  actor: Administrator,
  { personId }: PersonById,
): Promise<PersonView | null> {
  const { workspaceId } = actor;
  const asked = personId === "me" ? { id: null, accountId: accountOf(actor) } : { id: personId, accountId: null };
  const found = await principals.findPerson(pool, workspaceId, asked);
  if (found === null && personId === "me") return null;
  if (found === null) throw new AppError("person_not_found", personId, { says: UNKNOWN });
  return { ...personOf(found, actor), merged: await principals.listMerged(pool, workspaceId, found.id) };
}

const accountOf = ({ kind, id }: Administrator): string | null => (kind === "person" ? id : null);
const UNKNOWN = "This person is not known in this workspace.";

export const names = ({ pool }: Database, workspaceId: string): Promise<PrincipalView[]> =>
  principals.list(pool, workspaceId, PRINCIPAL_LIMITS.perWorkspace);

export async function getOwner({ pool }: Database, workspaceId: string, agentId: string): Promise<OwnerView> {
  const [owner, named] = await Promise.all([
    principals.findOwner(pool, workspaceId, agentId),
    principals.listNamed(pool, workspaceId, agentId, NAMED_SHOWN),
  ]);
  return { owner, named };
}

export async function listChoices({ pool }: Database, actor: Administrator): Promise<OwnerChoices> {
  const { workspaceId } = actor;
  const [members, all, ofMembers] = await Promise.all([
    principals.listMembers(pool, workspaceId, PRINCIPAL_LIMITS.perWorkspace),
    principals.list(pool, workspaceId, PRINCIPAL_LIMITS.perWorkspace),
    principals.listMemberPrincipals(pool, workspaceId),
  ]);
  const own = members.map((one) => ({ ...one, isReader: actor.kind === "person" && one.accountId === actor.id }));
  const isMember = new Set(ofMembers);
  return {
    members: own.toSorted((a, b) => Number(b.isReader) - Number(a.isReader)),
    others: all.filter((one) => !one.isErased && one.mergedInto === null && !isMember.has(one.id)),
  };
}

/** Includes the topics of plans: a policy may be assigned to the owner. */
const OWNER_TOPICS = ["agents", "audit", "keys", "policies", "rules", "budgets"] as const;

/**
 * Sets the owner of an agent. Checks the permission here as well as in the router, since a change that a second person
 * approved does not come through the router.
 *
 * Errors: `agent_not_found`, `person_not_found`, `too_many_people`; `forbidden` without the permission to write agents;
 * where the agent loses policies: `workspace_frozen`, `forbidden` without the permission to publish, `review_required`.
 */
export async function setOwner(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: SetOwner,
  authority: Authority = OWN,
): Promise<void> {
  const { workspaceId } = actor;
  const { agentId, owner } = input;
  requireMay(actor, "agent:write");
  await announcedTransaction({ db, bus }, workspaceId, OWNER_TOPICS, async (tx) => {
    const freeze = await lockInForce(tx, workspaceId);
    const agentName = await principals.findAgentForUpdate(tx, workspaceId, agentId);
    if (agentName === null) throw new AppError("agent_not_found", agentId);
    const known = await principals.findOwnership(tx, workspaceId, agentId);
    const chosen = owner === null ? null : await resolveOwner(tx, actor, owner);
    const isInForce = await permitOwner(
      tx,
      freeze,
      actor,
      {
        input,
        summary: `Sets another owner for ${agentName}. Policies that are assigned to the former owner no longer apply to it.`,
        before: known && { principalId: known.principalId, isProven: known.certainty === "proven" },
        after: chosen && { principalId: chosen.principalId, isProven: chosen.certainty === "proven" },
      },
      authority,
    );
    if (chosen === null) await principals.deleteOwner(tx, workspaceId, agentId);
    else {
      const source = chosen.certainty === "proven" ? "sign_in" : "console";
      await principals.saveOwner(tx, workspaceId, agentId, { ...chosen, source });
    }
    await recordAudit(tx, actor, {
      kind: "agent_owner_set",
      version: 1,
      by: actor.name,
      agent: agentId,
      principal: chosen?.principalId ?? null,
      name: chosen?.name ?? null,
      certainty: chosen?.certainty ?? null,
    });
    if (isInForce) await raiseSequence(tx, workspaceId);
  });
}

/** The owner and the people of an agent's sessions, as its key is looked up. Call it in the scope of the workspace. */
export async function findWorksFor(tx: Tx, workspaceId: string, agentId: string): Promise<WorksFor> {
  const load = () => inWorkspace(workspaceId, () => findKnownPeople(tx, workspaceId, agentId));
  return createWorksFor(await load(), load);
}

async function findKnownPeople(tx: Tx, workspaceId: string, agentId: string): Promise<KnownPeople> {
  const known = await principals.listKnown(tx, workspaceId, agentId);
  const owner = known.find(({ session }) => session === null);
  const sessions = known
    .flatMap(({ session, id, at }) => (session === null ? [] : [{ session, id, at: at.getTime() }]))
    .sort((a, b) => b.at - a.at);
  return {
    owner: owner ? { certainty: owner.certainty, id: owner.id, source: owner.source } : null,
    sessions: new Map(sessions.map(({ session, id }) => [session, id])),
    latest: sessions[0]?.id ?? null,
  };
}
