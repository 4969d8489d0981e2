/** Drafts: texts before their publication. */
import type { Administrator } from "../../access/actor.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import * as policies from "../repository.ts";
import type { DraftSavedView, SaveDraft } from "../schema.ts";
import * as drafts from "./draft-repository.ts";

/**
 * Saves the text, valid or not.
 *
 * Errors: `policy_moved_on` if another text was saved or published since; the editor then merges both and saves again.
 */
export async function saveDraft(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: SaveDraft,
): Promise<DraftSavedView> {
  const { workspaceId } = actor;
  const { policyId, source, baseVersion, onRevision } = input;
  const saved = await db.prisma.$transaction(async (tx) => {
    const policy = await policies.findForUpdate(tx, workspaceId, policyId);
    if (!policy) throw new AppError("policy_not_found");
    const { draft, latestRevision } = policy;
    const movedOn = new AppError("policy_moved_on", policyId);
    if (onRevision !== undefined && onRevision !== latestRevision) throw movedOn;
    // The request was repeated because its first answer was lost: a text that is saved already is not a conflict.
    if (draft?.source === source && (onRevision ?? draft.baseRevision) === draft.baseRevision) return draft;
    if ((draft?.version ?? 0) !== baseVersion) throw movedOn;
    if (!draft && latestRevision !== input.baseRevision) throw movedOn;
    if (!draft) return drafts.insertDraft(tx, workspaceId, { policyId, source, baseRevision: latestRevision }, actor);
    const next = { source, ...(onRevision === undefined ? {} : { baseRevision: onRevision }) };
    const moved = await drafts.updateDraft(tx, workspaceId, policyId, baseVersion, next, actor);
    if (!moved) throw movedOn;
    return moved;
  });
  // The list shows that a draft exists, but not its later changes.
  if (baseVersion === 0) bus.tell(workspaceId, ["policies"]);
  if ("outdatedReview" in saved && saved.outdatedReview) bus.tell(workspaceId, ["reviews"]);
  return { version: saved.version, updatedAt: saved.updatedAt };
}

/** Throws the draft away: the text is the published one again. */
export async function discardDraft(db: Database, bus: Bus, actor: Administrator, policyId: string): Promise<void> {
  await db.prisma.$transaction((tx) => drafts.removeDraft(tx, actor.workspaceId, policyId));
  bus.tell(actor.workspaceId, ["policies", "reviews"]);
}
