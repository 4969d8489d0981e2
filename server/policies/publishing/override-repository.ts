import type { Prisma } from "../../../prisma/generated/client.ts";
import type { Tx } from "../../platform/db.ts";
import type { BindingTx } from "../binding/binding-tx.ts";

const SHOWN_MAX = 20;

/** Overrides of some revisions of a policy, the newest first. */
export function listOverrides(tx: Tx, workspaceId: string, policyId: string, numbers: readonly number[]) {
  return tx.policyOverride.findMany({
    where: { workspaceId, policyId, number: { in: [...numbers] } },
    orderBy: { madeAt: "desc" },
    take: SHOWN_MAX,
  });
}

export async function insertOverride(
  tx: BindingTx,
  workspaceId: string,
  override: Omit<Prisma.PolicyOverrideUncheckedCreateInput, "workspaceId">,
): Promise<void> {
  await tx.policyOverride.create({ data: { workspaceId, ...override } });
}
