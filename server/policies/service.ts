import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import type { Database } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { type Authority, OWN, permitBinding } from "./binding/gate.ts";
import { insertPolicy } from "./publishing/insert-policy.ts";
import { activePolicyTransaction, policyTransaction } from "./publishing/policy-transaction.ts";
import * as policies from "./repository.ts";
import type { CreatePolicy } from "./schema.ts";
import { type PackText, rememberPack } from "./text/pack-text.ts";

/** A new policy with a draft and nothing in force. */
export async function create(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: CreatePolicy,
  isDemo = false,
  pack: PackText | null = null,
): Promise<{ policyId: string }> {
  const policyId = uuidv7();
  await policyTransaction(db, bus, actor, async (tx) => {
    await insertPolicy(tx, actor, policyId, input, isDemo);
    if (pack) await rememberPack(tx, actor, policyId, pack);
  });
  return { policyId };
}

/** Deletes a policy with its revisions. Agents it bound are free of it at once. */
export async function remove(
  db: Database,
  bus: Bus,
  actor: Administrator,
  policyId: string,
  authority: Authority = OWN,
): Promise<void> {
  await activePolicyTransaction(db, bus, actor, async (tx) => {
    const policy = await policies.findForUpdate(tx, actor.workspaceId, policyId);
    if (!policy) throw new AppError("policy_not_found");
    const summary = `Deletes ${policy.name} with its revisions.`;
    const change = { kind: "remove", input: { policyId }, summary, weakens: [policy], enforces: [] } as const;
    const bound = await permitBinding(tx, actor, change, authority);
    await policies.remove(bound, actor.workspaceId, policyId);
    await recordAudit(tx, actor, {
      kind: "policy_deleted",
      version: 1,
      by: actor.name,
      policy: policyId,
      name: policy.name,
    });
  });
}
