import { createHash } from "node:crypto";
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record.ts";
import { AppError } from "../errors/app-error.ts";
import type { HooksConfig } from "../hooks/index.ts";
import type { Bus } from "../live/service.ts";
import type { Database, Tx } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { changing } from "./changing.ts";
import { type PackText, rememberPack } from "./pack-text.ts";
import * as policies from "./repository.ts";
import type {
  AssignPolicy,
  CreatePolicy,
  DraftSavedView,
  PublishByName,
  PublishedView,
  PublishPolicy,
  SaveDraft,
} from "./schema.ts";
import { readPolicy } from "./source.ts";

export { type EffectiveMember, type EffectiveSet, effectiveSet, effectiveSets } from "./effective.ts";
export { exportAgent, exportBundle, previewImport } from "./exports.ts";
export { installedPacks, type PackText, type TakenPack, takePack } from "./pack-text.ts";
export { createPlans, type EffectivePlan, type Plans } from "./plans.ts";
export { policyView } from "./representation.ts";
export { readPolicy } from "./source.ts";
export { check, surroundings } from "./surroundings.ts";
export * from "./views.ts";

/** A new policy with a draft and nothing in force. */
export async function create(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: CreatePolicy,
  isDemo = false,
  pack: PackText | null = null,
): Promise<{ policyId: string }> {
  const policyId = uuidv7();
  await changing(db, bus, actor, async (tx) => {
    await insertPolicy(tx, actor, policyId, input, isDemo);
    if (pack) await rememberPack(tx, actor, policyId, pack);
  });
  return { policyId };
}

async function insertPolicy(tx: Tx, actor: Administrator, policyId: string, input: CreatePolicy, isDemo: boolean) {
  const { workspaceId } = actor;
  if (!(await policies.insert(tx, workspaceId, { id: policyId, name: input.name, isDemo })))
    throw new AppError("name_taken", input.name, { says: `There is already a policy named "${input.name}".` });
  if (input.source !== undefined)
    await policies.insertDraft(tx, workspaceId, {
      policyId,
      source: input.source,
      baseRevision: 0,
      updatedBy: actor.name,
    });
  await recordAudit(tx, workspaceId, {
    kind: "policy_created",
    version: 1,
    by: actor.name,
    policy: policyId,
    name: input.name,
  });
}

/** Keeps what was typed, valid or not. Errors: `policy_moved_on` when somebody saved another text or published meanwhile. */
export async function saveDraft(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: SaveDraft,
): Promise<DraftSavedView> {
  const { workspaceId } = actor;
  const saved = await db.prisma
    .$transaction(async (tx) => {
      const policy = await policies.findForUpdate(tx, workspaceId, input.policyId);
      if (!policy) throw new AppError("policy_not_found");
      const draft = { source: input.source, updatedBy: actor.name };
      // Asked again because the first answer was lost: a person is in no conflict with what is saved already.
      if (policy.draft?.source === input.source) return policy.draft;
      if ((policy.draft?.version ?? 0) !== input.baseVersion) throw new AppError("policy_moved_on", policy.id);
      if (!policy.draft && policy.latestRevision !== input.baseRevision)
        throw new AppError("policy_moved_on", policy.id);
      if (!policy.draft)
        return policies.insertDraft(tx, workspaceId, {
          policyId: policy.id,
          baseRevision: policy.latestRevision,
          ...draft,
        });
      const saved = await policies.updateDraft(tx, workspaceId, policy.id, input.baseVersion, draft);
      if (!saved) throw new AppError("policy_moved_on", policy.id);
      return saved;
    })
    .then(({ version, updatedAt }) => ({ version, updatedAt }));
  // That a draft began is news to the list; every further keystroke is not.
  if (input.baseVersion === 0) bus.announce(workspaceId, ["policies"]);
  return saved;
}

/** Throws the draft away: the text is the published one again. */
export async function discardDraft(db: Database, bus: Bus, actor: Administrator, policyId: string): Promise<void> {
  await policies.deleteDraft(db.prisma, actor.workspaceId, policyId);
  bus.announce(actor.workspaceId, ["policies"]);
}

/** Puts a text in force. Errors: `policy_invalid` with every problem, and then nothing changed; `policy_moved_on`. */
export async function publish(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: PublishPolicy,
): Promise<PublishedView> {
  const valid = requireValid(input.source);
  return changing(db, bus, actor, async (tx) => {
    const policy = await policies.findForUpdate(tx, actor.workspaceId, input.policyId);
    if (!policy) throw new AppError("policy_not_found");
    if (policy.latestRevision !== input.baseRevision) throw new AppError("policy_moved_on", policy.id);
    if ((policy.draft?.version ?? 0) !== input.draftVersion) throw new AppError("policy_moved_on", policy.id);
    await policies.deleteDraft(tx, actor.workspaceId, policy.id);
    return insertRevision(tx, actor, policy, input, valid);
  });
}

/** Publishes by name, on whatever is the latest; the policy is made when there is none. A draft stays as it is. */
export async function publishByName(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: PublishByName,
  isDemo = false,
): Promise<PublishedView> {
  const valid = requireValid(input.source);
  return changing(db, bus, actor, async (tx) => {
    const found = await policies.findByName(tx, actor.workspaceId, input.name);
    const policyId = found?.id ?? uuidv7();
    if (!found) await insertPolicy(tx, actor, policyId, { name: input.name }, isDemo);
    const policy = await policies.findForUpdate(tx, actor.workspaceId, policyId);
    if (!policy) throw new AppError("policy_not_found");
    return insertRevision(tx, actor, policy, input, valid);
  });
}

interface ValidPolicy {
  readonly profile: string;
  readonly hooks: HooksConfig;
}

function requireValid(source: string): ValidPolicy {
  const { profile, hooks, problems } = readPolicy(source);
  if (hooks) return { profile, hooks };
  const first = problems[0];
  const says = first ? `${first.path ? `${first.path}: ` : ""}${first.message} (line ${first.line})` : undefined;
  throw new AppError("policy_invalid", undefined, { ...(says ? { says } : {}), problems });
}

async function insertRevision(
  tx: Tx,
  actor: Administrator,
  policy: policies.PolicyRow,
  input: { readonly source: string; readonly note: string },
  { profile, hooks }: ValidPolicy,
): Promise<PublishedView> {
  const { workspaceId } = actor;
  const { source, note } = input;
  const number = policy.latestRevision + 1;
  const sha256 = createHash("sha256").update(source).digest("hex");
  const author = actor.name;
  // Holds: a parsed hooks block is plain JSON.
  const stored = hooks as object;
  await policies.insertRevision(tx, workspaceId, {
    policyId: policy.id,
    number,
    profile,
    source,
    hooks: stored,
    sha256,
    note,
    author,
  });
  // A first publication binds the whole workspace: a policy that silently binds nobody would be an open gate.
  let assignments = policy.assignments.map(({ scope, targetId }) => ({ scope, targetId }));
  if (number === 1 && assignments.length === 0) {
    assignments = [{ scope: "workspace", targetId: null }];
    await policies.replaceAssignments(tx, workspaceId, policy.id, [
      { id: uuidv7(), scope: "workspace", targetId: null },
    ]);
  }
  await recordAudit(tx, workspaceId, {
    kind: "policy_published",
    version: 1,
    by: author,
    policy: policy.id,
    revision: number,
    sha256,
    note,
  });
  const agents = await policies.listAgentNames(tx, workspaceId);
  const isForAll = assignments.some((one) => one.scope === "workspace");
  const bound = agents.filter((agent) => isForAll || assignments.some((one) => one.targetId === agent.id)).length;
  return { policyId: policy.id, name: policy.name, number, sha256, agents: bound };
}

/** Says whom the policy binds from now on. */
export async function assign(db: Database, bus: Bus, actor: Administrator, input: AssignPolicy): Promise<void> {
  const { policyId, scope, agentIds } = input;
  await changing(db, bus, actor, async (tx) => {
    const policy = await policies.findForUpdate(tx, actor.workspaceId, policyId);
    if (!policy) throw new AppError("policy_not_found");
    const known = new Set((await policies.listAgentNames(tx, actor.workspaceId)).map((agent) => agent.id));
    if (scope === "agent" && !agentIds.every((id) => known.has(id))) throw new AppError("agent_not_found");
    const forAll = scope === "workspace" ? [{ id: uuidv7(), scope, targetId: null }] : [];
    const forSome =
      scope === "agent" ? [...new Set(agentIds)].map((targetId) => ({ id: uuidv7(), scope, targetId })) : [];
    await policies.replaceAssignments(tx, actor.workspaceId, policyId, [...forAll, ...forSome]);
    const agents = scope === "agent" ? agentIds : [];
    await recordAudit(tx, actor.workspaceId, {
      kind: "policy_assigned",
      version: 1,
      by: actor.name,
      policy: policyId,
      scope,
      agents,
    });
  });
}

/** Deletes a policy with its revisions. Agents it bound are free of it at once. */
export async function remove(db: Database, bus: Bus, actor: Administrator, policyId: string): Promise<void> {
  await changing(db, bus, actor, async (tx) => {
    const policy = await policies.findForUpdate(tx, actor.workspaceId, policyId);
    if (!policy) throw new AppError("policy_not_found");
    await policies.remove(tx, actor.workspaceId, policyId);
    await recordAudit(tx, actor.workspaceId, {
      kind: "policy_deleted",
      version: 1,
      by: actor.name,
      policy: policyId,
      name: policy.name,
    });
  });
}
