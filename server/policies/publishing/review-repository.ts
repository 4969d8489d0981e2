/** The part of reviews that publishing and drafts need. Reviews themselves are read and decided in server/reviews. */
import type { Tx } from "../../platform/db.ts";

const CURRENT = { in: ["open", "approved"] };

/** Marks reviews as outdated when their text is not what would be published any more. True if there was any. */
export async function outdateReviews(tx: Tx, workspaceId: string, policyId: string): Promise<boolean> {
  const outdated = await tx.policyReview.updateMany({
    where: { workspaceId, policyId, state: CURRENT },
    data: { state: "outdated" },
  });
  return outdated.count > 0;
}

export function findCurrentReview(tx: Tx, workspaceId: string, policyId: string) {
  return tx.policyReview.findFirst({ where: { workspaceId, policyId, state: CURRENT }, omit: { source: true } });
}

export async function updatePublished(tx: Tx, workspaceId: string, id: string, revision: number): Promise<void> {
  await tx.policyReview.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: { state: "published", revision },
  });
}
