/** Freezing a workspace: nothing in force changes until the freeze is lifted. */
import type { Administrator } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import type { Freeze, FreezeView } from "../assignments/assignment-schema.ts";
import * as policies from "../repository.ts";
import { frozenSentence, policyTransaction } from "./policy-transaction.ts";

/** The freeze of the workspace: by whom, when and why; null if it is not frozen. */
export async function frozen(db: Database, workspaceId: string): Promise<FreezeView | null> {
  const found = await policies.findFreeze(db.prisma, workspaceId);
  return found && { by: found.frozenBy, at: found.frozenAt, reason: found.reason };
}

/** For changes outside `changingInForce`. Errors: `workspace_frozen`. */
export async function requireThawed(db: Database, workspaceId: string): Promise<void> {
  const found = await policies.findFreeze(db.prisma, workspaceId);
  if (found) throw new AppError("workspace_frozen", undefined, { says: frozenSentence(found) });
}

/** Waits for changes in progress; no change begins after it. Errors: `workspace_frozen` if it is already frozen. */
export async function freeze(db: Database, bus: Bus, actor: Administrator, { reason }: Freeze): Promise<void> {
  const { workspaceId } = actor;
  await policyTransaction(db, bus, actor, async (tx) => {
    const found = await policies.findFreezeForUpdate(tx, workspaceId);
    if (found) throw new AppError("workspace_frozen", undefined, { says: frozenSentence(found) });
    await policies.insertFreeze(tx, workspaceId, { reason, frozenBy: actor.name });
    await recordAudit(tx, actor, { kind: "workspace_frozen", version: 1, by: actor.name, reason });
  });
}

/** Lifts the freeze. Does nothing if the workspace is not frozen. */
export async function unfreeze(db: Database, bus: Bus, actor: Administrator): Promise<void> {
  const { workspaceId } = actor;
  await policyTransaction(db, bus, actor, async (tx) => {
    const found = await policies.findFreezeForUpdate(tx, workspaceId);
    if (!found) return;
    await policies.removeFreeze(tx, workspaceId);
    const since = found.frozenAt.toISOString();
    await recordAudit(tx, actor, { kind: "workspace_thawed", version: 1, by: actor.name, since });
  });
}
