import type { Administrator } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Tx } from "../../platform/db.ts";
import * as policies from "../repository.ts";
import type { CreatePolicy } from "../schema.ts";
import * as drafts from "../text/draft-repository.ts";

/** Inserts a policy without assignments, and its draft if there is a text. Errors: `name_taken`. */
export async function insertPolicy(
  tx: Tx,
  actor: Administrator,
  policyId: string,
  input: CreatePolicy,
  isDemo: boolean,
) {
  const { workspaceId } = actor;
  if (!(await policies.insert(tx, workspaceId, { id: policyId, name: input.name, isDemo })))
    throw new AppError("name_taken", input.name, { says: `There is already a policy named "${input.name}".` });
  if (input.source !== undefined)
    await drafts.insertDraft(tx, workspaceId, { policyId, source: input.source, baseRevision: 0 }, actor);
  await recordAudit(tx, actor, {
    kind: "policy_created",
    version: 1,
    by: actor.name,
    policy: policyId,
    name: input.name,
  });
}
