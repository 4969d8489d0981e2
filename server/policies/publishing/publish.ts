/** Publishing a text: the checks before, the new revision, and the notifications after. */
import { createHash } from "node:crypto";
import type { HooksConfig, Profile } from "@quarterdeck/hooks";
import type { Administrator } from "../../access/actor.ts";
import { diffFields } from "../../audit/diff-fields.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { permitPublished } from "../binding/gate.ts";
import * as policies from "../repository.ts";
import type { Override, PublicationView, PublishByName, PublishedView, PublishPolicy, Rollout } from "../schema.ts";
import * as drafts from "../text/draft-repository.ts";
import { readText } from "../text/read-in-worker.ts";
import { takeEffect } from "./activate-revision.ts";
import { type BlockingFinding, findBlocking, recordOverride, requireOverridden } from "./blocking-gate.ts";
import { type CaseGate, type FailingCase, overridden, requireCases } from "./case-gate.ts";
import type { InForceTx } from "./in-force.ts";
import { insertPolicy } from "./insert-policy.ts";
import { requireGatesKept } from "./label-gate.ts";
import { type PermittedText, permitPublication } from "./permitted-hooks.ts";
import { activePolicyTransaction } from "./policy-transaction.ts";
import { requireRequirements } from "./requirement-gate.ts";
import { closeReviews, requireReview } from "./review-gate.ts";
import { findNewestEntry } from "./undo-repository.ts";

/**
 * Puts a text in force. Errors, and then nothing changed: `policy_invalid` with every problem, also with each gate that would only label, `policy_blocked` with
 * every finding that blocks, `cases_failing` with every case, `policy_moved_on`, `review_required` where the policy asks for four eyes, `requirements_unmet`.
 */
export async function publish(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: PublishPolicy,
  gate: CaseGate,
): Promise<PublicationView> {
  const text = await permitted(actor, "this policy", input.source);
  await requireAtRevision(db, actor.workspaceId, input);
  const findings = await findBlocking(db, actor, { policyId: input.policyId, ...text }, gate.findPrograms);
  const blocked = requireOverridden(actor, findings, input.override);
  const failing = await requireCases(gate, input.policyId, text, input.override);
  return activePolicyTransaction(db, bus, actor, async (tx) => {
    const policy = await policies.findForUpdate(tx, actor.workspaceId, input.policyId);
    if (!policy) throw new AppError("policy_not_found");
    requireUnmoved(policy, input);
    const published = await insertRevision(tx, actor, policy, { ...input, failing, blocked }, text);
    await drafts.removeDraft(tx, actor.workspaceId, policy.id);
    return { ...published, entry: await findNewestEntry(tx, actor.workspaceId) };
  });
}

/**
 * Publishes by name on top of the latest revision, and creates the policy if it is missing. Does not change a draft.
 */
export async function publishByName(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: PublishByName,
  gate: CaseGate,
): Promise<PublishedView> {
  const text = await permitted(actor, input.name, input.source);
  const known = await policies.findByName(db.prisma, actor.workspaceId, input.name);
  const policyId = known?.id ?? uuidv7();
  const findings = await findBlocking(db, actor, { policyId, ...text }, gate.findPrograms);
  const blocked = requireOverridden(actor, findings, input.override);
  const failing = known ? await requireCases(gate, known.id, text, input.override) : [];
  return activePolicyTransaction(db, bus, actor, async (tx) => {
    const found = await policies.findByName(tx, actor.workspaceId, input.name);
    // The policy was created or replaced while the cases ran, so their results are for another policy.
    if (found?.id !== known?.id) throw new AppError("policy_moved_on", input.name);
    if (!found) await insertPolicy(tx, actor, policyId, { name: input.name }, false);
    const policy = await policies.findForUpdate(tx, actor.workspaceId, policyId);
    if (!policy) throw new AppError("policy_not_found");
    return insertRevision(tx, actor, policy, { ...input, failing, blocked }, text);
  });
}

/** Errors: `policy_invalid`; `forbidden`. Nothing of the text has run by then. */
async function permitted(actor: Administrator, name: string, source: string): Promise<PermittedText> {
  return permitPublication(actor, { name, source, ...(await requireValid(actor.id, source)) });
}

/** A text that is stale already runs no case. Asked again, under the lock, before it is published. */
async function requireAtRevision(db: Database, workspaceId: string, input: PublishPolicy): Promise<void> {
  const policy = await policies.find(db.prisma, workspaceId, input.policyId);
  if (!policy) throw new AppError("policy_not_found");
  requireUnmoved(policy, input);
}

function requireUnmoved(policy: policies.PolicyRow, input: PublishPolicy): void {
  if (policy.latestRevision !== input.baseRevision) throw new AppError("policy_moved_on", policy.id);
  if ((policy.draft?.version ?? 0) !== input.draftVersion) throw new AppError("policy_moved_on", policy.id);
}

interface ValidPolicy {
  readonly profile: Profile;
  readonly hooks: HooksConfig;
}

/** Errors: `policy_invalid` with every problem. */
export async function requirePublishable(asker: string, source: string): Promise<void> {
  await requireValid(asker, source);
}

async function requireValid(asker: string, source: string): Promise<ValidPolicy> {
  const { profile, hooks, problems } = await readText(asker, source);
  if (hooks) return { profile, hooks };
  const first = problems[0];
  const says = first ? `${first.path ? `${first.path}: ` : ""}${first.message} (line ${first.line})` : undefined;
  throw new AppError("policy_invalid", undefined, { ...(says ? { says } : {}), problems });
}

interface NewRevision {
  readonly note: string;
  /** The failed test cases and the findings that `override` covers. */
  readonly failing: readonly FailingCase[];
  readonly blocked: readonly BlockingFinding[];
  readonly override?: Override | undefined;
  readonly rollout?: Rollout | undefined;
}

async function insertRevision(
  tx: InForceTx,
  actor: Administrator,
  policy: policies.PolicyRow,
  input: NewRevision,
  text: PermittedText,
): Promise<PublishedView> {
  requireGatesKept(policy, text);
  const { source, profile, hooks } = text;
  const { workspaceId } = actor;
  const { note, rollout, failing } = input;
  const override = overridden(failing, policy.name, input.override);
  const isCanary = rollout?.kind === "canary";
  const number = policy.latestRevision + 1;
  const sha256 = createHash("sha256").update(source).digest("hex");
  const author = actor.name;
  await requireRequirements(tx, workspaceId, { policy, sha256, hooks, failing });
  const review = await requireReview(tx, workspaceId, policy, sha256);
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
  await closeReviews(tx, workspaceId, policy.id, review, number);
  const named = { by: author, policy: policy.id, revision: number, sha256, note };
  await recordAudit(
    tx,
    actor,
    { kind: "policy_published", version: 3, ...named, name: policy.name, override, review },
    diffFields(
      { revision: policy.latestRevision, live: policy.liveRevision, canary: policy.canaryRevision },
      isCanary
        ? { revision: number, live: policy.liveRevision, canary: number }
        : { revision: number, live: number, canary: null },
    ),
  );
  const bound = permitPublished(tx, policy, rollout);
  await recordOverride(bound, actor, { policyId: policy.id, name: policy.name, number }, input.blocked, input.override);
  const agents = await takeEffect(bound, actor, policy, number, rollout);
  return { policyId: policy.id, name: policy.name, number, sha256, agents };
}
