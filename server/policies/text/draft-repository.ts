/** A policy's draft, its authors, and the effect of a change on its review. */
import { randomInt } from "node:crypto";
import type { Tx } from "../../platform/db.ts";
import { outdateReviews } from "../publishing/review-repository.ts";

/** Whose text it is. */
export interface Editor {
  readonly id: string;
  readonly name: string;
}

const FIRST_VERSION_MAX = 1_000_000_000;

/** A random first version, so that an editor still open on a deleted draft does not take the new draft for its own. */
export async function insertDraft(
  tx: Tx,
  workspaceId: string,
  draft: { policyId: string; source: string; baseRevision: number },
  by: Editor,
) {
  const version = randomInt(1, FIRST_VERSION_MAX);
  const made = await tx.policyDraft.create({ data: { workspaceId, version, ...draft, updatedBy: by.name } });
  await insertEditor(tx, workspaceId, draft.policyId, by);
  return made;
}

/** Raises the draft by one version; null if it is not at `version` any more. Its reviews become outdated. */
export async function updateDraft(
  tx: Tx,
  workspaceId: string,
  policyId: string,
  version: number,
  next: { source: string; baseRevision?: number },
  by: Editor,
) {
  const data = { ...next, updatedBy: by.name, version: version + 1, updatedAt: new Date() };
  const moved = await tx.policyDraft.updateMany({ where: { workspaceId, policyId, version }, data });
  if (moved.count !== 1) return null;
  await insertEditor(tx, workspaceId, policyId, by);
  const outdatedReview = await outdateReviews(tx, workspaceId, policyId);
  return { version: data.version, updatedAt: data.updatedAt, outdatedReview };
}

export async function removeDraft(tx: Tx, workspaceId: string, policyId: string): Promise<void> {
  await tx.policyDraft.deleteMany({ where: { workspaceId, policyId } });
  await outdateReviews(tx, workspaceId, policyId);
}

async function insertEditor(tx: Tx, workspaceId: string, policyId: string, by: Editor): Promise<void> {
  const data = [{ workspaceId, policyId, actorId: by.id, name: by.name }];
  await tx.policyDraftEditor.createMany({ data, skipDuplicates: true });
}
