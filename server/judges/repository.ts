/** The settings of judges (Prisma), and the sums spent today (SQL, because they are counted under races). */
import type { Pool, Tx } from "../platform/db.ts";
import { transaction } from "../platform/db.ts";
import type { ModelPrice } from "./schema.ts";
import { priceColumns } from "./stored-price.ts";

export function list(tx: Tx, workspaceId: string) {
  return tx.modelConnection.findMany({
    where: { workspaceId },
    include: { prices: { orderBy: { model: "asc" } } },
    orderBy: { createdAt: "asc" },
    take: 200,
  });
}

export function find(tx: Tx, workspaceId: string, id: string) {
  return tx.modelConnection.findFirst({ where: { workspaceId, id } });
}

export interface Settings {
  readonly name: string;
  readonly provider: string;
  readonly baseUrl: string;
  readonly callsPerDay: bigint | null;
  readonly nanoPerDay: bigint | null;
  readonly fallback: string | null;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** The settings that are compared to describe a change. */
export type Comparable = Omit<Settings, "updatedAt" | "updatedBy">;

/** False if the name is taken, also by a connection that is being created at the same moment. */
export async function insert(tx: Tx, workspaceId: string, id: string, settings: Settings): Promise<boolean> {
  const data = [{ workspaceId, id, ...settings }];
  return (await tx.modelConnection.createMany({ data, skipDuplicates: true })).count === 1;
}

export async function isNameTaken(tx: Tx, workspaceId: string, name: string, exceptId: string): Promise<boolean> {
  return (await tx.modelConnection.count({ where: { workspaceId, name, id: { not: exceptId } } })) > 0;
}

export async function update(tx: Tx, workspaceId: string, id: string, settings: Settings): Promise<void> {
  await tx.modelConnection.update({ where: { workspaceId_id: { workspaceId, id } }, data: settings });
}

/** Null removes it. */
export async function setCredential(
  tx: Tx,
  workspaceId: string,
  id: string,
  credential: { readonly bytes: Uint8Array; readonly hint: string | null; readonly setAt: Date } | null,
): Promise<void> {
  await tx.modelConnection.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: {
      credential: credential ? new Uint8Array(credential.bytes) : null,
      credentialHint: credential?.hint ?? null,
      credentialSetAt: credential?.setAt ?? null,
    },
  });
}

export async function replacePrices(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  prices: readonly ModelPrice[],
): Promise<void> {
  await tx.modelPrice.deleteMany({ where: { workspaceId, connectionId } });
  await tx.modelPrice.createMany({
    data: prices.map((price) => ({ workspaceId, connectionId, ...priceColumns(price) })),
  });
}

export async function remove(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.modelConnection.delete({ where: { workspaceId_id: { workspaceId, id } } });
}

export type CapRow = Awaited<ReturnType<typeof listCaps>>[number];

export function listCaps(tx: Tx, workspaceId: string) {
  return tx.judgeCap.findMany({ where: { workspaceId }, take: 1_000 });
}

export function findCap(tx: Tx, workspaceId: string, { policy, hook }: { policy: string; hook: string }) {
  const key = { workspaceId, policy, hook };
  return tx.judgeCap.findFirst({
    where: key,
    select: { callsPerDay: true, nanoPerDay: true, reusesVerdicts: true },
  });
}

/** Removes the row of a judge without settings of its own. */
export async function setCap(
  tx: Tx,
  workspaceId: string,
  { policy, hook }: { readonly policy: string; readonly hook: string },
  cap: {
    readonly callsPerDay: bigint | null;
    readonly nanoPerDay: bigint | null;
    readonly reusesVerdicts: boolean;
  },
): Promise<void> {
  const key = { workspaceId, policy, hook };
  if (cap.callsPerDay === null && cap.nanoPerDay === null && cap.reusesVerdicts)
    await tx.judgeCap.deleteMany({ where: key });
  else
    await tx.judgeCap.upsert({
      where: { workspaceId_policy_hook: key },
      create: { ...key, ...cap },
      update: cap,
    });
}

/** Names of judge prompts that are halted. */
export async function listHalted(pool: Pool, workspaceId: string): Promise<string[]> {
  const found = await pool.query<{ name: string }>({
    name: "judges_halted",
    text: `SELECT name FROM judge_watch AS watch JOIN judge_prompt AS prompt
             ON prompt.workspace_id = watch.workspace_id AND prompt.id = watch.prompt_id
           WHERE watch.workspace_id = $1 AND halted_at IS NOT NULL`,
    values: [workspaceId],
  });
  return found.rows.map(({ name }) => name);
}

export interface Account {
  readonly account: string;
  readonly callsPerDay: bigint | null;
  readonly nanoPerDay: bigint | null;
  /** A fixed day under which everything counts, for a total cap instead of a daily one. */
  readonly day?: string;
}

class SpentError extends Error {}

/**
 * Counts one call and `nano` against every account for `day`, or nothing at all: then the account that has no room left.
 * Rows are locked in one order, so two calls never wait for each other in a circle.
 */
export async function reserve(
  pool: Pool,
  workspaceId: string,
  day: string,
  accounts: readonly Account[],
  nano: bigint,
): Promise<Account | null> {
  const inOrder = [...accounts].sort((a, b) => (a.account < b.account ? -1 : 1));
  let spent: Account | null = null;
  try {
    await transaction(pool, async (client) => {
      for (const one of inOrder) {
        const { account, callsPerDay, nanoPerDay } = one;
        const counted = await client.query({
          name: "judges_reserve",
          text: `INSERT INTO judge_spend_day AS today (workspace_id, day, account, calls, nano)
                 SELECT $1::uuid, $2::date, $3::text, 1, $4::bigint
                 WHERE coalesce(1 <= $5::bigint, true) AND coalesce($4::bigint <= $6::bigint, true)
                 ON CONFLICT (workspace_id, day, account) DO UPDATE
                   SET calls = today.calls + 1, nano = today.nano + excluded.nano
                   WHERE coalesce(today.calls + 1 <= $5::bigint, true)
                     AND coalesce(today.nano + excluded.nano <= $6::bigint, true)
                 RETURNING 1`,
          values: [workspaceId, one.day ?? day, account, nano, callsPerDay, nanoPerDay],
        });
        if (counted.rowCount === 1) continue;
        spent = one;
        throw new SpentError();
      }
    });
  } catch (error) {
    if (!(error instanceof SpentError)) throw error;
  }
  return spent;
}

/** Corrects the reserved amount by `delta`, which may be negative. */
export async function correct(
  pool: Pool,
  workspaceId: string,
  day: string,
  accounts: readonly Account[],
  delta: bigint,
): Promise<void> {
  await pool.query({
    name: "judges_correct",
    text: `UPDATE judge_spend_day SET nano = greatest(nano + $4::bigint, 0)
           FROM (SELECT day, account FROM judge_spend_day
                 WHERE workspace_id = $1 AND (day, account) IN (SELECT * FROM unnest($2::date[], $3::text[]))
                 ORDER BY account FOR UPDATE) AS locked
           WHERE workspace_id = $1 AND judge_spend_day.day = locked.day AND judge_spend_day.account = locked.account`,
    values: [workspaceId, accounts.map((one) => one.day ?? day), accounts.map(({ account }) => account), delta],
  });
}

/** The use of every account on `day`. */
export async function listSpend(
  pool: Pool,
  workspaceId: string,
  day: string,
): Promise<Map<string, { calls: number; nano: bigint }>> {
  const found = await pool.query<{ account: string; calls: string; nano: string }>({
    name: "judges_spend",
    text: "SELECT account, calls, nano FROM judge_spend_day WHERE workspace_id = $1 AND day = $2",
    values: [workspaceId, day],
  });
  return new Map(found.rows.map(({ account, calls, nano }) => [account, { calls: Number(calls), nano: BigInt(nano) }]));
}
