/** Two people of a workspace who turned out to be one. */
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database } from "../platform/db.ts";
import { lockInForce, raiseSequence } from "../policies/index.ts";
import * as merging from "./merge-repository.ts";
import type { MergeStep } from "./merge-step.ts";
import { findUsable } from "./repository.ts";
import type { MergePeople } from "./schema.ts";

/**
 * Records that one person turned out to be another. Records keep the id that they were written with, and pages show the
 * other person. Errors: `person_not_found`, `invalid_input` for the same person or two kinds.
 */
export async function mergePeople(
  db: Database,
  bus: Bus,
  actor: Administrator,
  { personId, intoId }: MergePeople,
  steps: readonly MergeStep[],
): Promise<void> {
  const { workspaceId } = actor;
  await announcedTransaction({ db, bus }, workspaceId, MERGE_TOPICS, async (tx) => {
    await lockInForce(tx, workspaceId);
    const rows = await merging.lockForMerge(tx, workspaceId, [personId, intoId]);
    const [from, into] = [personId, intoId].map((id) => rows.find((row) => row.id === id && row.isUsable));
    if (!from || !into) throw new AppError("person_not_found", personId, { says: NOT_MERGEABLE });
    if (from === into || from.kind !== into.kind)
      throw new AppError("invalid_input", undefined, { says: OTHER_KIND, pointer: "/intoId" });
    const named = await findUsable(tx, workspaceId, personId);
    const target = await findUsable(tx, workspaceId, intoId);
    const [ofFrom, ofInto] = [
      await merging.listFamily(tx, workspaceId, personId),
      await merging.listFamily(tx, workspaceId, intoId),
    ];
    for (const step of steps) await step(tx, workspaceId, { from: personId, into: intoId, ofFrom, ofInto });
    await merging.merge(tx, workspaceId, personId, intoId);
    await recordAudit(tx, actor, {
      kind: "people_merged",
      version: 1,
      by: actor.name,
      principal: personId,
      name: named?.name ?? "",
      into: intoId,
      intoName: target?.name ?? "",
    });
    await raiseSequence(tx, workspaceId);
  });
}

const MERGE_TOPICS = ["agents", "costs", "budgets", "policies", "rules", "audit", "keys"] as const;
const NOT_MERGEABLE = "One of these people is not known, was merged already, or was erased.";
const OTHER_KIND = "Choose another person, or another service for a service.";
