/**
 * The ledger's entries: people correct the cost of a call, price lists estimate unreported costs. Entries are never
 * overwritten.
 */
import type { Administrator } from "../../access/actor.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Topic } from "../../events/schema.ts";
import type { Database } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import type { EventKey } from "../../recording/event-key-schema.ts";
import { formatUsd, parseCost } from "../../recording/index.ts";
import { correction, repricing } from "./entry.ts";
import * as ledger from "./repository.ts";
import type { CorrectCall, HistoryView } from "./schema.ts";

const HISTORY_MAX = 100;
const TOPICS: readonly Topic[] = ["costs", "overview"];

/**
 * Corrects the cost of a call to `usd` and updates the sums; the call as reported does not change. An estimate for the
 * call is withdrawn: a call has a cost or an estimate, never both.
 * Errors: `call_not_found`, `ledger_moved_on`.
 */
export async function correct(
  { db, bus }: { db: Database; bus: Bus },
  actor: Administrator,
  { call: key, usd, reason, corrects }: CorrectCall,
): Promise<{ entryId: string }> {
  const { workspaceId } = actor;
  const cost = parseCost(usd);
  if (typeof cost === "string") throw new AppError("invalid_input", cost, { says: `The ${cost}.`, pointer: "/usd" });
  const entryId = uuidv7();
  await ledger.withLedgerLock(db.pool, workspaceId, async (client) => {
    const call = await ledger.findCall(client, workspaceId, key);
    if (!call) throw new AppError("call_not_found", key.id);
    const before = await ledger.findLatestEntry(client, workspaceId, key, "correction");
    if ((before?.id ?? null) !== corrects) throw new AppError("ledger_moved_on", key.id);
    const because = { author: actor.name, reason };
    const estimate = await ledger.findLatestEntry(client, workspaceId, key, "repricing");
    const withdrawn =
      estimate === null || estimate.nano === null
        ? []
        : [repricing(call, estimate, null, { id: uuidv7(), ...because, reason: "Corrected by hand." })];
    const corrected = correction(call, before, cost.nano, { id: entryId, ...because });
    await ledger.insertEntries(client, workspaceId, [corrected, ...withdrawn]);
    const was = before === null ? call.reported : before.nano;
    await ledger.append(
      client,
      actor,
      {
        kind: "call_corrected",
        version: 1,
        by: actor.name,
        entry: entryId,
        dispatch: key.id,
        occurredAt: key.occurredAt.toISOString(),
        from: was === null ? null : formatUsd(was),
        to: formatUsd(cost.nano),
        reason,
      },
      { channel: bus.channel, message: bus.message(workspaceId, [...TOPICS, "audit"]) },
    );
  });
  bus.announce(workspaceId, [...TOPICS, "audit"]);
  return { entryId };
}

/** The entries about a call's cost since it was recorded. */
export async function history(db: Database, workspaceId: string, key: EventKey): Promise<HistoryView> {
  const rows = await ledger.list(db.pool, workspaceId, key, HISTORY_MAX + 1);
  return {
    entries: rows.slice(0, HISTORY_MAX).map(({ nano, price_version, created_at, ...row }) => ({
      ...row,
      nano: nano === null ? null : BigInt(nano),
      priceVersion: price_version,
      at: created_at,
    })),
    isCut: rows.length > HISTORY_MAX,
  };
}
