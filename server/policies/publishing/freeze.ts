/** Freezing a workspace: nothing in force changes until the freeze is lifted. */
import type { Administrator } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import type { Freeze, FreezeView } from "../assignments/assignment-schema.ts";
import * as policies from "../repository.ts";
import { findActiveFreeze, findFreezeForUpdate } from "./active-freeze.ts";
import { frozenSentence, policyTransaction } from "./policy-transaction.ts";

/** The freeze of the workspace: by whom, when and why, and until when; null if it is not frozen. */
export async function frozen(db: Database, workspaceId: string): Promise<FreezeView | null> {
  const found = await findActiveFreeze(db.prisma, workspaceId);
  if (!found) return null;
  const { by, since: at, reason, end } = found;
  return { by, at, reason, until: end && { at: end.at, timeZone: end.timeZone } };
}

/** For changes outside `changingInForce`. Errors: `workspace_frozen`. */
export async function requireThawed(db: Database, workspaceId: string): Promise<void> {
  const found = await findActiveFreeze(db.prisma, workspaceId);
  if (found) throw new AppError("workspace_frozen", undefined, { says: frozenSentence(found) });
}

/** Waits for changes in progress; no change begins after it. Errors: `workspace_frozen` if it is already frozen. */
export async function freeze(db: Database, bus: Bus, actor: Administrator, { reason }: Freeze): Promise<void> {
  const { workspaceId } = actor;
  await policyTransaction(db, bus, actor, async (tx) => {
    const found = await findFreezeForUpdate(tx, workspaceId);
    // A window of the calendar ends by itself, so a person may freeze beyond its end.
    if (found?.end === null) throw new AppError("workspace_frozen", undefined, { says: frozenSentence(found) });
    await policies.insertFreeze(tx, workspaceId, { reason, frozenBy: actor.name });
    await recordAudit(tx, actor, { kind: "workspace_frozen", version: 1, by: actor.name, reason });
  });
}

/** Lifts the freeze that a person set. Does nothing without one. Windows of the calendar stay. */
export async function unfreeze(db: Database, bus: Bus, actor: Administrator): Promise<void> {
  const { workspaceId } = actor;
  await policyTransaction(db, bus, actor, async (tx) => {
    const found = await findFreezeForUpdate(tx, workspaceId);
    if (found?.end !== null) return;
    await policies.removeFreeze(tx, workspaceId);
    const since = found.since.toISOString();
    await recordAudit(tx, actor, { kind: "workspace_thawed", version: 1, by: actor.name, since });
  });
}
