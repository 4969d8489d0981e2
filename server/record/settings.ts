/**
 * The settings of the record: checkpoints, retention, legal hold. Every change is an audit entry with the earlier
 * values.
 */
import type { Administrator } from "../access/actor.ts";
import { diffFields } from "../audit/diff-fields.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { type AddressRule, receiverRefusal } from "../platform/outgoing/address-rule.ts";
import type { AddHold, RetentionDays, SetCheckpoints } from "./schema.ts";
import * as settings from "./settings-repository.ts";

/** Errors: `invalid_input` at the webhook's address. */
export async function setCheckpoints(
  db: Database,
  addresses: AddressRule,
  actor: Administrator,
  input: SetCheckpoints,
): Promise<void> {
  const url = input.webhookUrl?.trim() ?? "";
  if (url !== "") {
    const refusal = URL.canParse(url)
      ? receiverRefusal(addresses, new URL(url))
      : "Write a whole address, such as https://example.com/checkpoints.";
    if (refusal !== null) throw new AppError("invalid_input", undefined, { says: refusal, pointer: "/webhookUrl" });
  }
  const after = { ...input, webhookUrl: url === "" ? null : url };
  await db.prisma.$transaction(async (tx) => {
    const before = await settings.findCheckpointSetting(tx, actor.workspaceId);
    await settings.setCheckpoints(tx, actor.workspaceId, after);
    const entry = { kind: "checkpoints_configured", version: 1, by: actor.name } as const;
    await recordAudit(tx, actor, entry, diffFields({ ...before }, after));
  });
}

export async function setRetention(db: Database, actor: Administrator, input: RetentionDays): Promise<void> {
  const before = await settings.findRetention(db.pool, actor.workspaceId);
  await db.prisma.$transaction(async (tx) => {
    await settings.setRetention(tx, actor.workspaceId, input);
    const entry = { kind: "retention_set", version: 1, by: actor.name } as const;
    await recordAudit(tx, actor, entry, diffFields(before, input));
  });
}

export async function addHold(db: Database, actor: Administrator, input: AddHold): Promise<{ id: string }> {
  const id = uuidv7();
  const { reason, agentId, sessionId, from, to } = input;
  await db.prisma.$transaction(async (tx) => {
    await settings.insertHold(tx, actor.workspaceId, { id, ...input, createdBy: actor.name });
    await recordAudit(tx, actor, {
      kind: "hold_placed",
      version: 1,
      by: actor.name,
      hold: id,
      reason,
      agent: agentId,
      session: sessionId,
      from: from?.toISOString() ?? null,
      to: to?.toISOString() ?? null,
    });
  });
  return { id };
}

/** Errors: `hold_not_found`. */
export async function releaseHold(db: Database, actor: Administrator, id: string): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const reason = await settings.releaseHold(tx, actor.workspaceId, id, actor.name);
    if (reason === null) throw new AppError("hold_not_found", id);
    await recordAudit(tx, actor, { kind: "hold_released", version: 1, by: actor.name, hold: id, reason });
  });
}
