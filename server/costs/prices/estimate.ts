/**
 * Estimates by the workspace's price list for calls without a reported cost. They are kept separate from the reported
 * costs and are not included in their sums. A pass reads a bounded number of calls; the next pass, on any node, finds
 * its entries.
 */

import type { PoolClient } from "pg";
import type { Database } from "../../platform/db.ts";
import { uuidv7, uuidv7Ms } from "../../platform/ids.ts";
import { type Call, type LatestEntry, type LedgerEntry, repricing } from "../ledger/entry.ts";
import { insertEntries, withLedgerLock } from "../ledger/repository.ts";
import { costBy, costOfKnown, priceFinder, priceText } from "./pricing.ts";
import * as prices from "./repository.ts";
import { type Price, storedPrices } from "./schema.ts";

export const PASS_MAX = 1_000;
/**
 * A call's id is created on arrival, but the call is recorded after its hooks. Calls younger than this are read again,
 * because calls with older ids may still appear.
 */
const YOUNG_MS = 3 * 60_000;

export interface Passed {
  /** Entries added. */
  readonly added: number;
  /** The last call read, after which the next pass continues; null at the end. */
  readonly next: string | null;
}

interface PassOptions {
  readonly nowMs: number;
  readonly after: string | null;
  readonly limit?: number;
}

/** Looks at the next calls without a cost, those after `after` where it is set. Null: nothing is estimated here. */
export function pass(db: Database, workspaceId: string, options: PassOptions): Promise<Passed | null> {
  return withLedgerLock(db.pool, workspaceId, (client) => passWithin(client, workspaceId, options));
}

/** The same within a transaction that already holds the ledger's lock. */
export async function passWithin(
  client: PoolClient,
  workspaceId: string,
  { nowMs, after, limit = PASS_MAX }: PassOptions,
): Promise<Passed | null> {
  const estimation = await prices.findEstimation(client, workspaceId);
  if (!estimation) return null;
  const { version, begunBy, settledAt } = estimation;
  const from = after ?? estimation.reached;
  const rows = await prices.listUnpriced(client, workspaceId, { reached: from, limit });
  const isAll = rows.length < limit;
  const last = rows.at(-1)?.dispatch_id;
  if (last === undefined && settledAt !== null) return { added: 0, next: null };
  const finder = priceFinder(storedPrices.parse(await prices.findPrices(client, workspaceId, version)));
  const entries = rows.flatMap((row) => entryOf(row, finder, version, begunBy) ?? []);
  await insertEntries(client, workspaceId, entries);
  await prices.reach(client, workspaceId, { reached: notYoung(last ?? from, nowMs), isAll });
  return { added: entries.length, next: isAll ? null : (last ?? null) };
}

/** The id, but no later than the id of the instant from which calls count as young. */
function notYoung(id: string, nowMs: number): string {
  const youngMs = nowMs - YOUNG_MS;
  return uuidv7Ms(id) < youngMs ? id : smallestIdAt(youngMs);
}

/** The smallest id of a millisecond. */
export function smallestIdAt(ms: number): string {
  const time = Math.max(0, ms).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** Null if the call already has the right estimate. */
function entryOf(
  row: prices.UnpricedRow,
  priceOf: (modelId: string) => Price | null,
  version: number,
  author: string,
): LedgerEntry | null {
  if (row.is_corrected) return null;
  const price = priceOf(row.model_id);
  const nano = price === null ? null : (row.omits_unknown ? costOfKnown : costBy)(price, usageOf(row));
  const before = standingOf(row);
  // A call with no estimate before and none now needs no entry; one that this very version has estimated keeps it.
  if (before === null ? nano === null : row.entry_version === version || (before.nano === null && nano === null))
    return null;
  const reason =
    price === null
      ? "This version has no price for the model."
      : nano === null
        ? "A token count needed for the price is unknown."
        : `By the price of ${priceText(price, usageOf(row))}.`;
  return repricing(callOf(row), before, nano, { id: uuidv7(), author, reason, priceVersion: version });
}

const known = (digits: string | null) => (digits === null ? null : BigInt(digits));

const usageOf = (row: prices.UnpricedRow) => ({
  input: known(row.input_tokens),
  output: known(row.output_tokens),
  cachedInput: known(row.cached_input_tokens),
  cachedWrite: known(row.cached_write_tokens),
});

const standingOf = ({ entry_id, entry_step, entry_nano }: prices.UnpricedRow): LatestEntry | null =>
  entry_id === null || entry_step === null ? null : { id: entry_id, step: entry_step, nano: known(entry_nano) };

const callOf = (row: prices.UnpricedRow): Call => ({
  occurredAt: row.occurred_at,
  dispatchId: row.dispatch_id,
  agentId: row.agent_id,
  agentName: row.agent_name,
  principalId: row.principal_id,
  sessionId: row.session_id,
  modelId: row.model_id,
  reported: null,
  isFree: false,
});
