/** Reading and setting the requirements of the workspace for each text that takes effect. */
import type { Administrator } from "../../access/actor.ts";
import { diffFields } from "../../audit/diff-fields.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import { lockInForce, policyTransaction } from "./policy-transaction.ts";
import { findRequirements, upsertRequirements } from "./requirements-repository.ts";
import type { PublishRequirements, PublishRequirementsView } from "./requirements-schema.ts";

export const getRequirements = (db: Database, workspaceId: string): Promise<PublishRequirementsView> =>
  findRequirements(db.prisma, workspaceId);

/** Applies to each text that takes effect from now on. Texts in force stay in force. */
export async function setRequirements(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: PublishRequirements,
): Promise<void> {
  const { workspaceId, name } = actor;
  await policyTransaction(db, bus, actor, async (tx) => {
    await lockInForce(tx, workspaceId);
    const { setBy, setAt, ...before } = await findRequirements(tx, workspaceId);
    await upsertRequirements(tx, workspaceId, input, name);
    const entry = { kind: "publish_requirements_set", version: 2, by: name, ...input } as const;
    await recordAudit(tx, actor, entry, diffFields(before, input));
  });
}
