/** Whom a policy binds. */
import type { Administrator } from "../../access/actor.ts";
import { diffFields } from "../../audit/diff-fields.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Database, Tx } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { type Authority, OWN, permitBinding } from "../binding/gate.ts";
import { ENFORCED } from "../publishing/activate-revision.ts";
import { activePolicyTransaction } from "../publishing/policy-transaction.ts";
import {
  type EndedAssignment,
  recordUndo,
  requireRestored,
  requireUndoable,
  type UndoneAct,
} from "../publishing/undo.ts";
import { findNewestEntry } from "../publishing/undo-repository.ts";
import * as policies from "../repository.ts";
import type { AssignedView, AssignPolicy, AudienceChoices } from "./assignment-schema.ts";
import * as audiences from "./audience-repository.ts";

/**
 * Replaces the policy's assignments. Kept targets keep their position and their observation. A new one is placed last
 * among its target's policies, and is observed only if all other assignments of the policy are.
 *
 * Errors: `group_not_found`, `person_not_found`, `agent_not_found`, `workspace_frozen`; `policy_moved_on` if the change that it undoes is not
 * the latest one.
 */
export async function assign(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: AssignPolicy,
  authority: Authority = OWN,
): Promise<AssignedView> {
  const { policyId, scope } = input;
  const { workspaceId } = actor;
  const tags = scope === "chosen" ? [...new Set(input.tags)].sort() : [];
  const groupIds = scope === "chosen" ? [...new Set(input.groupIds)] : [];
  const agentIds = scope === "chosen" ? [...new Set(input.agentIds)] : [];
  const personIds = scope === "chosen" ? [...new Set(input.personIds)] : [];
  const signOnGroupIds = scope === "chosen" ? [...new Set(input.signOnGroupIds)] : [];
  return activePolicyTransaction(db, bus, actor, async (tx) => {
    const policy = await policies.findForUpdate(tx, workspaceId, policyId);
    if (!policy) throw new AppError("policy_not_found");
    for (const id of groupIds.toSorted())
      if (!(await policies.lockGroup(tx, workspaceId, id))) throw new AppError("group_not_found");
    if ((await policies.lockAgents(tx, workspaceId, agentIds)) < agentIds.length) throw new AppError("agent_not_found");
    if (!(await audiences.lockSignOnGroups(tx, workspaceId, signOnGroupIds))) throw new AppError("group_not_found");
    if (!(await audiences.lockPeople(tx, workspaceId, personIds)))
      throw new AppError("person_not_found", undefined, { says: NO_PERSON });
    const targets = [
      ...(scope === "workspace" ? [{ scope, targetId: null, tag: null }] : []),
      ...tags.map((tag) => ({ scope: "tag", targetId: null, tag })),
      ...groupIds.map((targetId) => ({ scope: "group", targetId, tag: null })),
      ...signOnGroupIds.map((targetId) => ({ scope: "sign_on_group", targetId, tag: null })),
      ...personIds.map((targetId) => ({ scope: "person", targetId, tag: null })),
      ...agentIds.map((targetId) => ({ scope: "agent", targetId, tag: null })),
    ];
    const key = policies.targetKey;
    const wanted = new Set(targets.map(key));
    const kept = policy.assignments.filter((one) => wanted.has(key(one)));
    const had = new Set(kept.map(key));
    const last = await policies.listLastPositions(tx, workspaceId);
    const gone = policy.assignments.filter((one) => !wanted.has(key(one)));
    const added = targets.filter((one) => !had.has(key(one)));
    const act =
      input.undoes === undefined ? null : await requireUndone(tx, workspaceId, input.undoes, policyId, targets);
    const summary = `Assigns ${policy.name} to ${wordsOf(targets)} instead of ${wordsOf(policy.assignments)}.`;
    const weakens = gone.length > 0 ? [policy] : [];
    const enforces = added.length > 0 ? [policy.live, policy.canary] : [];
    const bound = await permitBinding(tx, actor, { kind: "assign", input, summary, weakens, enforces }, authority);
    await policies.removeAssignments(
      bound,
      workspaceId,
      gone.map((one) => one.id),
    );
    const state = stateOf(policy.assignments);
    await policies.insertAssignments(
      bound,
      workspaceId,
      added.map((one) => {
        const before = act?.body.ended.find(({ target }) => target === targetText(one));
        const position = (last.get(key(one)) ?? -1) + 1;
        return { id: uuidv7(), policyId, ...one, position, ...(before ? restoredState(before, actor.name) : state) };
      }),
    );
    await recordAudit(
      tx,
      actor,
      {
        kind: "policy_assigned",
        ...(personIds.length + signOnGroupIds.length === 0
          ? ({ version: 4 } as const)
          : ({ version: 5, people: personIds, signOnGroups: signOnGroupIds } as const)),
        by: actor.name,
        policy: policyId,
        scope,
        tags,
        groups: groupIds,
        agents: agentIds,
        ended: gone.map(endedOf),
      },
      diffFields({ binds: targetTexts(policy.assignments) }, { binds: targetTexts(targets) }),
    );
    const entry = await findNewestEntry(tx, workspaceId);
    if (act) await recordUndo(tx, actor, policyId, act);
    return { entry };
  });
}

const NO_PERSON = "One of these people is not known here, was merged, or was erased. Choose again.";

const targetText = (one: policies.TargetColumns): string =>
  one.scope === "workspace" ? one.scope : `${one.scope}/${one.tag ?? one.targetId}`;
const targetTexts = (all: readonly policies.TargetColumns[]): string[] => all.map(targetText).sort();

const endedOf = (one: policies.AssignmentRow): EndedAssignment => ({
  target: targetText(one),
  position: one.position,
  observed:
    one.observeUntil && one.observeSince
      ? { until: one.observeUntil.toISOString(), since: one.observeSince.toISOString() }
      : null,
});

/** The position and the observation that an ended assignment had. An observation is the act of the person who restores it. */
function restoredState({ position, observed }: EndedAssignment, by: string) {
  if (observed === null) return { position, ...ENFORCED };
  const { until, since } = observed;
  return {
    ...{ position, mode: "observe", observeUntil: new Date(until), observeSince: new Date(since), observeBy: by },
  };
}

/** The assignment that this one undoes exactly. */
async function requireUndone(
  tx: Tx,
  workspaceId: string,
  seq: number,
  policyId: string,
  targets: readonly policies.TargetColumns[],
): Promise<UndoneAct & { readonly body: { readonly ended: readonly EndedAssignment[] } }> {
  const act = await requireUndoable(tx, workspaceId, { policyId, seq, kinds: ["policy_assigned"] });
  requireRestored(act, "binds", targetTexts(targets));
  return act;
}

const wordsOf = (targets: readonly { readonly scope: string }[]): string => {
  if (targets.some(({ scope }) => scope === "workspace")) return "the whole workspace";
  const count = (scope: string) => targets.filter((one) => one.scope === scope).length;
  const tags = count("tag") > 0 ? `${count("tag")} tags, ` : "";
  const signOnGroups = count("sign_on_group") > 0 ? `${count("sign_on_group")} sign-on groups, ` : "";
  const people = count("person") > 0 ? `${count("person")} people or services, ` : "";
  return targets.length === 0
    ? "nobody"
    : `${tags}${signOnGroups}${people}${count("group")} groups and ${count("agent")} single agents`;
};

/** The initial state of a new target: observed as long as the policy's others, when all of them are. */
function stateOf(assignments: readonly policies.AssignmentRow[]) {
  const nowMs = Date.now();
  const observed = assignments.filter((one) => (one.observeUntil?.getTime() ?? 0) > nowMs);
  const first = observed.toSorted((a, b) => (a.observeUntil?.getTime() ?? 0) - (b.observeUntil?.getTime() ?? 0))[0];
  if (!first || observed.length < assignments.length) return ENFORCED;
  const { mode, observeUntil, observeSince, observeBy } = first;
  return { mode, observeUntil, observeSince, observeBy };
}

const CHOICES_MAX = 7_000;

/** The people, services and groups of the sign-on provider that a policy can be assigned to, with their agents. */
export async function listAudienceChoices(db: Database, workspaceId: string): Promise<AudienceChoices> {
  const rows = await audiences.listChoices(db.prisma, workspaceId, CHOICES_MAX);
  const of = (scope: audiences.ChoiceRow["scope"]) =>
    rows.filter((row) => row.scope === scope).map(({ id, name, agentIds }) => ({ id, name, agentIds: [...agentIds] }));
  return { people: of("person"), signOnGroups: of("sign_on_group") };
}
