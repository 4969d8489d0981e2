/** Reviews: a person submits a text, and another person approves exactly that text or asks for changes. */
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database, Tx } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { sha256 } from "../platform/secrets.ts";
import { get as policyOf, requirePublishable } from "../policies/index.ts";
import { independenceIn } from "./independence.ts";
import * as reviews from "./repository.ts";
import type { CommentReview, DecideReview, RequestReview } from "./schema.ts";
import { reasonAgainstDeciding } from "./second-person.ts";

/**
 * Submits the draft's text for review; earlier submissions become outdated. Errors: `policy_moved_on` when the draft
 * has changed, `policy_invalid` with every problem.
 */
export async function request(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: RequestReview,
): Promise<{ reviewId: string }> {
  const { workspaceId } = actor;
  const reviewId = uuidv7();
  // Read before the row is locked: a large text takes a while.
  const { source: read, draftVersion } = await policyOf(db, workspaceId, input.policyId);
  if (draftVersion !== input.draftVersion) throw new AppError("policy_moved_on", input.policyId);
  await requirePublishable(actor.id, read);
  await announcedTransaction({ db, bus }, workspaceId, ["reviews"], async (tx) => {
    const policy = await reviews.findPolicyForUpdate(tx, workspaceId, input.policyId);
    if (!policy) throw new AppError("policy_not_found");
    const { draft, latestRevision: baseRevision } = policy;
    if (draft?.version !== input.draftVersion || draft.source !== read)
      throw new AppError("policy_moved_on", policy.id);
    const hash = sha256(draft.source).toString("hex");
    await reviews.outdate(tx, workspaceId, policy.id);
    await reviews.insert(tx, workspaceId, {
      ...{ id: reviewId, policyId: policy.id, source: draft.source, sha256: hash, baseRevision, note: input.note },
      ...{ authorId: actor.id, authorName: actor.name },
    });
    await recordAudit(tx, actor, {
      ...{ kind: "review_requested", version: 1, by: actor.name },
      ...{ policy: policy.id, review: reviewId, sha256: hash, base: baseRevision },
    });
  });
  return { reviewId };
}

/**
 * Records a second person's decision on exactly one text. Errors: `second_person_needed`, `review_settled`, and
 * `policy_moved_on` when the person has read another text than the submitted one.
 */
export async function decide(db: Database, bus: Bus, actor: Administrator, input: DecideReview): Promise<void> {
  const { workspaceId } = actor;
  const { outcome, comment } = input;
  await announcedTransaction({ db, bus }, workspaceId, ["reviews"], async (tx) => {
    const review = await requireReview(tx, workspaceId, input.reviewId);
    requireCurrent(review.state);
    if (review.sha256 !== input.sha256) throw new AppError("policy_moved_on", review.policyId);
    const editors = review.policy.draft?.editors ?? [];
    const written = { authorId: review.authorId, editors, at: review.createdAt };
    const reason = reasonAgainstDeciding(actor, written, await independenceIn(tx, workspaceId));
    if (reason !== null) throw new AppError("second_person_needed", review.id, { says: reason });
    const decided = { decidedBy: actor.id, decidedName: actor.name, decidedAt: new Date() };
    await reviews.updateState(tx, workspaceId, review.id, { state: outcome, ...decided });
    if (comment !== "") await addComment(tx, actor, review.id, comment);
    await recordDecided(tx, actor, review, outcome);
  });
}

/** Withdraws a submitted text. Errors: `review_settled`; `second_person_needed` for another person's text. */
export async function withdraw(db: Database, bus: Bus, actor: Administrator, reviewId: string): Promise<void> {
  await announcedTransaction({ db, bus }, actor.workspaceId, ["reviews"], async (tx) => {
    const review = await requireReview(tx, actor.workspaceId, reviewId);
    requireCurrent(review.state);
    if (review.authorId !== actor.id)
      throw new AppError("second_person_needed", reviewId, {
        says: "Only the person who sent it for review can withdraw it.",
      });
    await reviews.updateState(tx, actor.workspaceId, reviewId, { state: "withdrawn" });
    await recordDecided(tx, actor, review, "withdrawn");
  });
}

export async function comment(db: Database, bus: Bus, actor: Administrator, input: CommentReview): Promise<void> {
  await announcedTransaction({ db, bus }, actor.workspaceId, ["reviews"], async (tx) => {
    const review = await requireReview(tx, actor.workspaceId, input.reviewId);
    const id = await addComment(tx, actor, review.id, input.body);
    await recordAudit(tx, actor, {
      ...{ kind: "review_commented", version: 1, by: actor.name },
      ...{ policy: review.policyId, review: review.id, comment: id },
    });
  });
}

type Found = NonNullable<Awaited<ReturnType<typeof reviews.find>>>;

async function requireReview(tx: Tx, workspaceId: string, id: string): Promise<Found> {
  const review = await reviews.findForUpdate(tx, workspaceId, id);
  if (!review) throw new AppError("review_not_found", id);
  return review;
}

const ENDED: Readonly<Record<string, string>> = {
  changes_requested: "Changes were requested. Send the changed text as a new review.",
  withdrawn: "It was withdrawn by its sender.",
  published: "It is already published.",
  outdated: "The draft was changed, discarded or superseded by another revision. Ask for the new text to be sent.",
};

function requireCurrent(state: string): void {
  const ended = ENDED[state];
  if (ended !== undefined) throw new AppError("review_settled", state, { says: `This review is closed. ${ended}` });
}

async function addComment(tx: Tx, actor: Administrator, reviewId: string, body: string): Promise<string> {
  const id = uuidv7();
  await reviews.insertComment(tx, actor.workspaceId, {
    id,
    reviewId,
    authorId: actor.id,
    authorName: actor.name,
    body,
  });
  return id;
}

async function recordDecided(
  tx: Tx,
  actor: Administrator,
  { id, policyId, sha256: hash }: Found,
  outcome: "approved" | "changes_requested" | "withdrawn",
): Promise<void> {
  const about = { policy: policyId, review: id, sha256: hash };
  await recordAudit(tx, actor, { kind: "review_decided", version: 1, by: actor.name, ...about, outcome });
}
