/** Erases rows of one table, a step at a time: each step is one transaction with its entry and its progress. */
import type { Bus } from "../../events/index.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Pool, PoolClient } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { transaction } from "../repository.ts";
import { append } from "../retention/retention-repository.ts";
import * as rows from "./erasure-repository.ts";
import { DISPATCH, type ErasedTable } from "./erasure-tables.ts";

const NOTIFY_EVERY_MS = 1_000;

export interface ErasureOptions {
  readonly pool: Pool;
  readonly log: Log;
  readonly clock: Clock;
  readonly bus?: Pick<Bus, "tell">;
  /** Asked before each step. */
  readonly pacer?: { step(): Promise<void> };
  /** Rows read by one statement, and rows erased by one transaction. */
  readonly sizes?: { readonly looked: number; readonly step: number };
}

/** Shared by the steps of one runner. */
export interface ErasureContext extends ErasureOptions {
  readonly sizes: { readonly looked: number; readonly step: number };
  readonly isEnding: () => boolean;
  notifiedAtMs: number;
}

/** A request, and the table that it is carried out in. */
export interface ErasureTarget {
  readonly work: rows.ErasureWork;
  readonly table: ErasedTable;
}

export class Interrupted extends Error {}

/**
 * Erases a step in one transaction. Returns the number of held rows of the log. Errors: those of PostgreSQL;
 * `Interrupted`.
 */
export async function eraseStep(
  context: ErasureContext,
  target: ErasureTarget,
  step: rows.Found["rows"],
  isWalk = true,
): Promise<number> {
  const { pool, clock, bus, pacer, isEnding } = context;
  const { work, table } = target;
  await pacer?.step();
  if (isEnding()) throw new Interrupted();
  const keys = step.flatMap((row) => (row.isHeld ? [] : [row.key]));
  const held = table === DISPATCH ? step.length - keys.length : 0;
  const progress = isWalk ? { position: { table: table.table, after: step.at(-1)?.key ?? null } } : {};
  const erased = await transaction(pool, async (client) => {
    if (!(await rows.lock(client, work))) throw new Interrupted();
    const gone = await eraseIn(client, target, keys);
    const count = table === DISPATCH ? { erased: gone.length, held } : { copies: gone.length };
    // The cursor does not move past rows that another transaction holds locked: they must still be erased.
    await rows.saveProgress(client, work, { ...(gone.length === keys.length ? progress : {}), ...count });
    return gone;
  });
  if (clock.now() - context.notifiedAtMs >= NOTIFY_EVERY_MS) {
    context.notifiedAtMs = clock.now();
    bus?.tell(work.workspaceId, ["audit"]);
  }
  if (erased.length < keys.length) {
    await eraseOneByOne(pool, target, keys, erased);
    await rows.saveProgress(pool, work, progress);
  }
  return held;
}

/** Erases, one at a time, the rows that were locked, waiting for each lock. */
async function eraseOneByOne(
  pool: Pool,
  target: ErasureTarget,
  keys: readonly rows.RowKey[],
  erased: readonly rows.RowKey[],
): Promise<void> {
  const { work, table } = target;
  const done = new Set(erased.map((key) => key.join("\0")));
  for (const key of keys) {
    if (done.has(key.join("\0"))) continue;
    await transaction(pool, async (client) => {
      if (!(await rows.lock(client, work))) throw new Interrupted();
      const gone = (await eraseIn(client, target, [key])).length;
      await rows.saveProgress(client, work, table === DISPATCH ? { erased: gone } : { copies: gone });
    });
  }
}

async function eraseIn(client: PoolClient, { work, table }: ErasureTarget, keys: readonly rows.RowKey[]) {
  const gone = await rows.eraseRows(client, work, table, keys);
  if (table !== DISPATCH || gone.length === 0) return gone;
  await rows.forgetDeliveries(client, work.workspaceId, gone);
  const dispatches = gone
    .map(([, id = ""]) => id.replaceAll("-", ""))
    .sort()
    .join("");
  const { requestedBy: by, requestedById, reason, id: request } = work;
  const entry = { kind: "content_erased", version: 2, by, reason, request, dispatches } as const;
  await append(client, work.workspaceId, entry, requestedById);
  return gone;
}
