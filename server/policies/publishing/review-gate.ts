/**
 * Four eyes: where a policy asks for them, a text takes effect only after a second person approved exactly that text.
 */
import { AppError } from "../../errors/app-error.ts";
import type { Tx } from "../../platform/db.ts";
import type { PolicyRow } from "../repository.ts";
import * as reviews from "./review-repository.ts";

export interface Reviewed {
  readonly id: string;
  readonly by: string;
  readonly name: string;
}

/**
 * The approval that lets this text be published; null where none was given and none is needed. A text that was published
 * before needs one as well: publishing it again is a way back to it.
 *
 * Errors: `review_required`, with what to do.
 */
export async function requireReview(
  tx: Tx,
  workspaceId: string,
  policy: Pick<PolicyRow, "id" | "name" | "fourEyes">,
  sha256: string,
): Promise<Reviewed | null> {
  const current = await reviews.findCurrentReview(tx, workspaceId, policy.id);
  const isThisText = current?.sha256 === sha256;
  if (isThisText && current.state === "approved" && current.decidedBy !== null)
    return { id: current.id, by: current.decidedBy, name: current.decidedName ?? "" };
  if (!policy.fourEyes) return null;
  const next = isThisText
    ? "This text is in review. Ask a person who has not edited it to approve it."
    : current
      ? "A different text is in review. Send this text."
      : "Save the text as the policy's draft and send it for review.";
  throw new AppError("review_required", policy.id, {
    says: `Not published: ${policy.name} requires four eyes, and no other person has approved this text. ${next}`,
  });
}

/** Closes the reviews of a policy with a new revision: the review of its text is published, any other is outdated. */
export async function closeReviews(
  tx: Tx,
  workspaceId: string,
  policyId: string,
  reviewed: Reviewed | null,
  revision: number,
): Promise<void> {
  if (reviewed) await reviews.updatePublished(tx, workspaceId, reviewed.id, revision);
  await reviews.outdateReviews(tx, workspaceId, policyId);
}
