/**
 * The single gate for every change of what binds agents: the text in force, the assigned agents, the order, and
 * enforced, observed or monitored. Repositories require a `BindingTx` for such changes, and only this file creates one. The gate
 * checks three things. Only an admin brings into force what only an admin may publish. A text meets the publish
 * requirements of the workspace. A policy that requires four eyes, or a loosening where the workspace requires reviews,
 * needs the approval of a second person for exactly this change. The emergency path replaces the latter two, and is recorded.
 */
import type { FindPrograms } from "@quarterdeck/hooks";
import superjson from "superjson";
import type { Administrator } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Tx } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { sha256 } from "../../platform/secrets.ts";
import type { CaseGate, FailingCase } from "../publishing/case-gate.ts";
import type { InForceTx } from "../publishing/in-force.ts";
import { requireCommandsAllowed } from "../publishing/permitted-hooks.ts";
import { listUnmet, refuseUnmet, type Unmet } from "../publishing/requirement-gate.ts";
import type { PolicyRow, RevisionRow } from "../repository.ts";
import type { Rollout } from "../schema.ts";
import type { BindingTx } from "./binding-tx.ts";
import { insertEmergency, recordEmergency, recordPastRequirements } from "./emergency.ts";
import { guardSentence, listGuarded } from "./guarded.ts";
import * as changes from "./repository.ts";

/** The kinds of changes; true where the change puts a text of its policy in force, by `enforces`. */
const PUTS_TEXT_IN_FORCE = {
  ...{
    assign: false,
    roll_back: true,
    set_canary: true,
    end_canary: true,
    observe: false,
    monitor_rule: false,
    reorder: false,
  },
  ...{ remove: false, set_group_members: false, order_groups: false, set_agent_tags: false },
  set_agent_owner: false,
} as const;
export type BindingKind = keyof typeof PUTS_TEXT_IN_FORCE;

/** The authority for a change of what binds agents. */
export type Authority =
  /** Their own permission, which is enough where no policy asks for four eyes. */
  | { readonly kind: "own" }
  /** No authority yet: stops at the gate and returns the question for a second person. */
  | { readonly kind: "ask" }
  | { readonly kind: "approved"; readonly changeId: string }
  | { readonly kind: "emergency"; readonly reason: string };

export const OWN: Authority = { kind: "own" };

/** For changes that put a published revision in force. */
export interface InForceOptions {
  /** Their own permission when absent. */
  readonly authority?: Authority;
  /** Looks for the programs of command hooks in their sandbox; absent where no hook runs. */
  readonly findPrograms?: FindPrograms | undefined;
  /** Runs the test cases of the text; where the workspace requires them, the change is refused when absent. */
  readonly failing?: CaseGate["failing"] | undefined;
}

export interface BindingChange {
  readonly kind: BindingKind;
  /** The exact requested input. */
  readonly input: object;
  /** The change in a sentence: "Puts revision 1 of guard in force for everyone." */
  readonly summary: string;
  /** The policies that bind less, others or in another way by it; those with four eyes ask for a second person. */
  readonly weakens: readonly PolicyRow[];
  /** The revisions that it brings into force for at least one agent. */
  readonly enforces: readonly (Pick<RevisionRow, "hooks" | "sha256"> | null)[];
  /** The test cases that fail on the text that it puts in force; null or absent where none were run. */
  readonly failing?: readonly FailingCase[] | null;
}

const APPROVAL_MS_MAX = 7 * 24 * 3_600_000;

/** The request to a second person, when the change stops at the gate for it. Thrown, so that nothing is changed. */
export class ChangeAsked extends Error {
  readonly request: changes.RequestedChange;
  constructor(request: changes.RequestedChange) {
    super("the change waits at the gate");
    this.request = request;
  }
}

/**
 * The transaction, with permission for this change.
 *
 * Errors: `forbidden`; `requirements_unmet`; `review_required` with the next step; `policy_moved_on` if the approved change is not the
 * current one any more.
 */
export async function permitBinding(
  tx: InForceTx,
  actor: Administrator,
  change: BindingChange,
  authority: Authority,
): Promise<BindingTx> {
  // Holds: the mark exists in types only, and every way to here ends below.
  const granted = tx as BindingTx;
  for (const revision of change.enforces) requireCommandsAllowed(actor, revision?.hooks);
  const guarded = await listGuarded(tx, actor.workspaceId, change);
  const unmet = await listUnmetOf(tx, actor.workspaceId, change);
  if (authority.kind === "emergency" && unmet.length > 0) {
    await actPastRequirements(tx, actor, change, unmet, authority.reason);
    return granted;
  }
  refuseUnmet(change.weakens[0]?.id ?? change.kind, unmet);
  if (authority.kind !== "ask" && guarded.length === 0) return granted;
  const request = await requestOf(tx, actor, change, guarded);
  switch (authority.kind) {
    case "own":
      throw new AppError("review_required", change.kind, { says: guardSentence(guarded) });
    case "ask":
      if (guarded.length === 0) throw new AppError("invalid_input", undefined, { says: NOBODY_NEEDED });
      throw new ChangeAsked(request);
    case "approved":
      await spendApproval(tx, actor, request, authority.changeId);
      return granted;
    case "emergency":
      await recordEmergency(tx, actor, request, authority.reason);
      return granted;
  }
}

/**
 * The same for a new revision, whose text is already approved where the policy requires it, and whose commands are
 * already checked. The approval covers the text only. It may take effect for some agents first only if the others keep
 * what binds them. A running canary would end, and its agents would return to the previous revision, which no reviewer
 * approved.
 *
 * Errors: `review_required`.
 */
export function permitPublished(tx: InForceTx, policy: PolicyRow, rollout: Rollout = { kind: "everyone" }): BindingTx {
  if (policy.fourEyes && rollout.kind !== "everyone" && policy.canaryRevision !== null)
    throw new AppError("review_required", policy.id, { says: otherCanarySentence(policy) });
  // Holds: `insertRevision` in publishing.ts, its only caller, has asked the rest.
  return tx as BindingTx;
}

/**
 * The same for a new agent that a name pattern puts into a group. The pattern is already in force, like a workspace
 * policy is for new agents. The change binds no existing agent, so it is permitted in a freeze and without a second
 * person.
 */
export function permitNewAgent(tx: Tx): BindingTx {
  // Holds: the change that set the pattern was permitted, also for future agents.
  return tx as BindingTx;
}

/**
 * The same for a canary that passed its limits. The limits were permitted with the canary. Its agents return to the
 * revision that is in force for the others, so nothing else takes effect; a freeze permits every withdrawal.
 */
export function permitWithdrawal(tx: Tx): BindingTx {
  // Holds: the limits came through `permitBinding` or with an approved publication.
  return tx as BindingTx;
}

/** The requirements that a text put in force by the change does not meet. */
async function listUnmetOf(tx: InForceTx, workspaceId: string, change: BindingChange): Promise<readonly Unmet[]> {
  const [policy] = change.weakens;
  if (!PUTS_TEXT_IN_FORCE[change.kind] || !policy) return [];
  const unmet: Unmet[] = [];
  for (const revision of change.enforces)
    unmet.push(
      ...(await listUnmet(tx, workspaceId, {
        policy,
        sha256: revision?.sha256 ?? null,
        hooks: revision?.hooks ?? null,
        failing: change.failing ?? null,
      })),
    );
  return unmet;
}

const otherCanarySentence = ({ name, canaryRevision }: PolicyRow): string =>
  `Not published: ${name} requires four eyes, and its agents under revision ${canaryRevision} would fall back to the previous revision. Publish for all agents, or ask a second person to end that canary first.`;

const NOBODY_NEEDED = "This change needs no second person. Make the change directly.";

async function requestOf(
  tx: InForceTx,
  actor: Administrator,
  { kind, input, summary }: BindingChange,
  guarded: readonly PolicyRow[],
): Promise<changes.RequestedChange> {
  return {
    id: uuidv7(),
    kind,
    input: superjson.stringify(input),
    summary,
    policyIds: guarded.map(({ id }) => id).sort(),
    baseSha256: sha256(await baseOf(tx, actor.workspaceId, guarded)).toString("hex"),
    requestedBy: actor.id,
    requestedName: actor.name,
  };
}

/** The present bindings of the policies, as text: an approval is for a change of exactly this. */
async function baseOf(tx: InForceTx, workspaceId: string, policies: readonly PolicyRow[]): Promise<string> {
  const groups = await changes.listGroups(tx, workspaceId);
  const assignedTags = policies.flatMap(({ assignments }) => assignments.flatMap(({ tag }) => tag ?? []));
  const tagged = await changes.listTagged(tx, workspaceId, assignedTags);
  const byId = <T extends { readonly id: string }>(rows: readonly T[]) =>
    rows.toSorted((a, b) => (a.id < b.id ? -1 : a.id === b.id ? 0 : 1));
  return JSON.stringify(
    byId(policies).map((policy) => {
      const { id, liveRevision, canaryRevision, canaryShare, canaryGroupId, assignments, monitors } = policy;
      const targets = new Set([canaryGroupId, ...assignments.map(({ targetId }) => targetId)]);
      const used = byId(groups.filter((group) => targets.has(group.id)));
      return [
        ...[id, liveRevision, canaryRevision, canaryShare, canaryGroupId],
        byId(assignments).map((one) => [one.id, one.scope, one.targetId, one.position, one.mode, one.observeUntil]),
        // Monitors and tags only where there are some, for the same reason as patterns below.
        ...monitorsOf(monitors),
        ...tagsOf(assignments, tagged),
        // A pattern only where there is one: the digest of a request without one does not name it.
        used.map(({ id, position, agentIds, namePattern }) => [
          ...[id, position, agentIds.toSorted()],
          ...(namePattern === null ? [] : [namePattern]),
        ]),
      ];
    }),
  );
}

/** The monitored rules, also those whose time has ended since. */
function monitorsOf(monitors: PolicyRow["monitors"]): unknown[] {
  if (monitors.length === 0) return [];
  const texts = monitors.map(({ event, hook, until }) => JSON.stringify([event, hook, until]));
  return [["monitors", ...texts.sort()]];
}

/** The tags that a policy is applied to, each with its agents. */
function tagsOf(
  assignments: PolicyRow["assignments"],
  tagged: readonly { readonly id: string; readonly tags: readonly string[] }[],
): string[][][] {
  const tags = [...new Set(assignments.flatMap(({ tag }) => tag ?? []))].sort();
  if (tags.length === 0) return [];
  const agentsWith = (tag: string) => tagged.filter((one) => one.tags.includes(tag)).map(({ id }) => id);
  return [tags.map((tag) => [tag, ...agentsWith(tag)])];
}

async function spendApproval(
  tx: InForceTx,
  actor: Administrator,
  request: changes.RequestedChange,
  changeId: string,
): Promise<void> {
  const found = await changes.findForUpdate(tx, actor.workspaceId, changeId);
  if (found?.state !== "approved") throw new AppError("review_settled", changeId, { says: CLOSED });
  const isOld = (found.decidedAt?.getTime() ?? 0) < Date.now() - APPROVAL_MS_MAX;
  const isSame = found.kind === request.kind && found.input === request.input;
  const isWhole = request.policyIds.every((id) => found.policyIds.includes(id));
  if (isOld || !isSame || !isWhole || found.baseSha256 !== request.baseSha256)
    throw new AppError("policy_moved_on", changeId, {
      says: "The assignments have changed since this request, or it was approved more than seven days ago. Request the change again.",
    });
  await changes.updateState(tx, actor.workspaceId, changeId, { state: "applied" });
  await recordAudit(tx, actor, {
    ...{ kind: "binding_change_decided", version: 1, by: actor.name, change: changeId },
    ...{ policies: [...found.policyIds], summary: found.summary, outcome: "applied" },
  });
}

const CLOSED = "This request is not approved, or was already used. Reload to see its state.";

/** An emergency past the publish requirements; of policies with four eyes, past these too. */
async function actPastRequirements(
  tx: InForceTx,
  actor: Administrator,
  change: BindingChange,
  unmet: readonly Unmet[],
  reason: string,
): Promise<void> {
  const request = await requestOf(tx, actor, change, change.weakens);
  const isFourEyes = change.weakens.some((policy) => policy.fourEyes);
  await (isFourEyes ? recordEmergency : insertEmergency)(tx, actor, request, reason);
  await recordPastRequirements(tx, actor, request, unmet, reason);
}
