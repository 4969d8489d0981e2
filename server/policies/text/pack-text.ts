/** Policies with a text from a pack: the pack's version, and the update to a newer one. */
import { createHash } from "node:crypto";
import type { Administrator } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Database, Tx } from "../../platform/db.ts";
import { policyTransaction } from "../publishing/policy-transaction.ts";
import * as policies from "../repository.ts";
import * as drafts from "./draft-repository.ts";

export interface PackText {
  readonly id: string;
  readonly version: number;
  readonly source: string;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Says on the policy, and in the audit log, that its draft is this text. */
export async function rememberPack(tx: Tx, actor: Administrator, policyId: string, pack: PackText, from = 0) {
  const origin = { packId: pack.id, packVersion: pack.version, packSha256: sha256(pack.source) };
  await policies.updatePack(tx, actor.workspaceId, policyId, origin);
  await recordAudit(tx, actor, {
    kind: "policy_pack_taken",
    version: 1,
    by: actor.name,
    policy: policyId,
    pack: pack.id,
    from,
    to: pack.version,
  });
}

export interface InstalledPack {
  readonly policyId: string;
  readonly name: string;
  readonly packId: string;
  readonly packVersion: number;
  /** 0 before the first publication. */
  readonly latestRevision: number;
}

/** Every policy created from a pack, the oldest first. */
export async function installedPacks(db: Database, workspaceId: string): Promise<InstalledPack[]> {
  return (await policies.listFromPacks(db.prisma, workspaceId)).flatMap(({ id, packId, packVersion, ...rest }) =>
    packId === null || packVersion === null ? [] : [{ policyId: id, packId, packVersion, ...rest }],
  );
}

export type TakenPack =
  | { readonly outcome: "drafted" | "current" }
  /** Somebody made the text their own: nothing was changed. */
  | { readonly outcome: "differs"; readonly yours: string; readonly theirs: string };

/**
 * Puts a pack's newer text into the draft, unless the older text was edited, published or in a draft.
 *
 * Errors: `policy_not_found`, also for a policy of another pack; `policy_moved_on` if the draft was saved at the same
 * moment.
 */
export function takePack(
  db: Database,
  bus: Bus,
  actor: Administrator,
  policyId: string,
  packOf: (id: string) => PackText | undefined,
): Promise<TakenPack> {
  const { workspaceId } = actor;
  return policyTransaction(db, bus, actor, async (tx) => {
    const policy = await policies.findForUpdate(tx, workspaceId, policyId);
    const pack = policy?.packId ? packOf(policy.packId) : undefined;
    if (!policy || !pack) throw new AppError("policy_not_found");
    const from = policy.packVersion ?? 0;
    if (from >= pack.version) return { outcome: "current" };
    const yours = [policy.live?.source, policy.draft?.source].filter((text) => text !== undefined);
    const own = yours.findLast((text) => sha256(text) !== policy.packSha256);
    if (own !== undefined || yours.length === 0) return { outcome: "differs", yours: own ?? "", theirs: pack.source };
    const { source } = pack;
    if (!policy.draft)
      await drafts.insertDraft(tx, workspaceId, { policyId, source, baseRevision: policy.latestRevision }, actor);
    else if (!(await drafts.updateDraft(tx, workspaceId, policyId, policy.draft.version, { source }, actor)))
      throw new AppError("policy_moved_on", policyId);
    await rememberPack(tx, actor, policyId, pack, from);
    return { outcome: "drafted" };
  });
}
