/** Reviews as the pages read them. */
import type { Administrator } from "../access/actor.ts";
import { holdersOf } from "../access/permissions.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { listChanges } from "./binding-changes.ts";
import { type Independence, independenceIn } from "./independence.ts";
import * as reviews from "./repository.ts";
import {
  type ListReviews,
  type PolicyReviewView,
  REVIEW_STATES,
  type ReviewDetailView,
  type ReviewView,
} from "./schema.ts";
import { reasonAgainstDeciding } from "./second-person.ts";

const REVIEWS_MAX = 200;

export async function list(db: Database, actor: Administrator, input: ListReviews): Promise<ReviewView[]> {
  const of = { policyId: input.policyId, isCurrent: input.which === "current" };
  const rows = await reviews.list(db.prisma, actor.workspaceId, of, REVIEWS_MAX);
  const independence = await independenceIn(db.prisma, actor.workspaceId);
  return rows.map((row) => viewOf(actor, row, independence));
}

/** The number of texts and changes that wait for this very actor. */
export async function countWaiting(db: Database, actor: Administrator): Promise<number> {
  const open = await list(db, actor, { which: "current" });
  const changes = await listChanges(db, actor);
  return [...open, ...changes].filter(({ state, whyNot }) => state === "open" && whyNot === null).length;
}

/** Errors: `review_not_found`. */
export async function get(db: Database, actor: Administrator, reviewId: string): Promise<ReviewDetailView> {
  const row = await reviews.find(db.prisma, actor.workspaceId, reviewId);
  if (!row) throw new AppError("review_not_found", reviewId);
  const { source, policyId, baseRevision, comments } = row;
  const baseSource =
    baseRevision === 0 ? "" : await reviews.findRevisionText(db.prisma, actor.workspaceId, policyId, baseRevision);
  return {
    ...viewOf(actor, row, await independenceIn(db.prisma, actor.workspaceId)),
    source,
    baseSource,
    editors: isCurrent(row.state) ? editorsOf(row).map(({ name }) => name) : [],
    said: comments.map(({ id, authorName, body, createdAt }) => ({ id, authorName, body, createdAt })),
  };
}

/** Where a policy's review stands. Errors: `policy_not_found`. */
export async function ofPolicy(db: Database, actor: Administrator, policyId: string): Promise<PolicyReviewView> {
  const { workspaceId } = actor;
  const [policy, [newest], reviewers] = await Promise.all([
    reviews.findPolicy(db.prisma, workspaceId, policyId),
    reviews.list(db.prisma, workspaceId, { policyId }, 1),
    reviews.countPeople(db.prisma, workspaceId, holdersOf("policy:review")),
  ]);
  if (!policy) throw new AppError("policy_not_found");
  const { fourEyes, fourEyesOffBy, fourEyesOffName, fourEyesOffAt } = policy;
  const view = newest ? viewOf(actor, newest, await independenceIn(db.prisma, workspaceId)) : null;
  const isNow = newest !== undefined && isCurrent(newest.state);
  return {
    fourEyes,
    offAsked:
      fourEyesOffAt && fourEyesOffBy !== null
        ? { name: fourEyesOffName ?? "", at: fourEyesOffAt, isMine: fourEyesOffBy === actor.id }
        : null,
    current: isNow ? view : null,
    last: isNow ? null : view,
    reviewers,
  };
}

const isCurrent = (state: string): boolean => state === "open" || state === "approved";
const editorsOf = (row: reviews.ReviewRow) => row.policy.draft?.editors ?? [];

function viewOf(actor: Administrator, row: reviews.ReviewRow, independence: Independence): ReviewView {
  const { id, policyId, note, sha256, baseRevision, authorId, authorName, createdAt } = row;
  const { decidedName, decidedAt, revision } = row;
  return {
    ...{ id, policyId, note, sha256, baseRevision, authorName, createdAt, decidedName, decidedAt, revision },
    policyName: row.policy.name,
    // Holds: the column's own CHECK.
    state: REVIEW_STATES.find((state) => state === row.state) ?? "outdated",
    isMine: authorId === actor.id,
    comments: row._count.comments,
    whyNot: reasonAgainstDeciding(actor, { authorId, editors: editorsOf(row), at: createdAt }, independence),
  };
}
