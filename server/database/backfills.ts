/**
 * The long parts of migrations, made after the start while gates are answered. A migration leaves out the statement that such a
 * part replaces, so that neither a start nor a gate of another node waits for it. Each part is taken in steps; a killed process
 * loses the step under way, and the next start goes on after the last one. A part is done when `upgrade_step` or the catalogue
 * says so, and doing it again does no harm.
 */
import type { Client } from "pg";
import { z } from "zod";

export interface Backfill {
  readonly name: string;
  readonly migration: string;
  /** The statement of the migration that is left out, as it is written there. */
  readonly replaces: string;
  /** Takes one step; true when nothing is left. */
  step(client: Client): Promise<boolean>;
}

const RAN_COLUMNS = "(workspace_id, (session_id::name), (tool_use_id::name)) WHERE event = 'post_tool_use'";
const BY_TIME = "USING brin (occurred_at) WITH (pages_per_range = 16, autosummarize = on)";
const NAMED_BATCH = `'"batch":"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"'`;
/** Of `audit_entry`: a step takes some milliseconds. */
const ENTRIES_A_STEP = 2_000;

export const BACKFILLS: readonly Backfill[] = [
  {
    name: "dispatch_ran",
    migration: "20261122220000_calls_that_ran",
    replaces: `CREATE INDEX dispatch_ran ON dispatch ${RAN_COLUMNS};`,
    step: indexOneMonth,
  },
  {
    name: "audit_entry_batch",
    migration: "20261123010000_verification_runs",
    replaces: `INSERT INTO audit_entry_batch (workspace_id, batch, seq)
  SELECT workspace_id, substring(body FROM ${NAMED_BATCH})::uuid, seq
  FROM audit_entry WHERE kind = 'dispatches_recorded' AND chain_version = 2
    AND body ~ ${NAMED_BATCH.replace("(", "").replace(")", "")}
  ON CONFLICT DO NOTHING;`,
    step: noteOldBatches,
  },
  {
    name: "delivery_by_time",
    migration: "20261123020000_erasure_requests",
    replaces: `CREATE INDEX delivery_by_time ON delivery ${BY_TIME};`,
    step: async (client) => {
      await buildIndex(client, "delivery_by_time", `delivery ${BY_TIME}`);
      return true;
    },
  },
];

/** The text of a migration without what a backfill makes. Errors: the statement is not there as it was. */
export function withoutBackfills(name: string, sql: string): string {
  return BACKFILLS.filter(({ migration }) => migration === name).reduce((text, { replaces }) => {
    if (!text.includes(replaces)) throw new Error(`${name} does not hold the statement that a backfill replaces`);
    return text.replace(replaces, "");
  }, sql);
}

/** The names of the backfills that are not done, in order. */
export async function pendingBackfills(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>("SELECT name FROM upgrade_step WHERE finished_at IS NOT NULL");
  const finished = new Set(rows.map(({ name }) => name));
  return BACKFILLS.map(({ name }) => name).filter((name) => !finished.has(name));
}

/** Takes steps until nothing is left or `signal` aborts; `onStep` is called after each. The caller holds the lock of backfills. */
export async function backfill(client: Client, signal: AbortSignal, onStep?: (name: string) => void): Promise<void> {
  for (const name of await pendingBackfills(client)) {
    const found = BACKFILLS.find((one) => one.name === name);
    if (!found) continue;
    await client.query("INSERT INTO upgrade_step (name) VALUES ($1) ON CONFLICT DO NOTHING", [name]);
    for (let isDone = false; !isDone; ) {
      if (signal.aborted) return;
      isDone = await found.step(client);
      onStep?.(name);
    }
    await client.query("UPDATE upgrade_step SET finished_at = now(), position = NULL WHERE name = $1", [name]);
  }
}

/** One month's index, built while the month is written to, and then taken into the whole; months to come have theirs from it. */
async function indexOneMonth(client: Client): Promise<boolean> {
  const { rows: whole } = await client.query("SELECT FROM pg_class WHERE relname = 'dispatch_ran' AND relkind = 'I'");
  // Of the whole alone, without any month: only the catalogue is written.
  if (whole.length === 0) await briefly(client, `CREATE INDEX dispatch_ran ON ONLY dispatch ${RAN_COLUMNS}`);
  const { rows } = await client.query<{ month: string }>(`
    SELECT month.relname AS month FROM pg_inherits part JOIN pg_class month ON month.oid = part.inhrelid
    WHERE part.inhparent = 'dispatch'::regclass AND NOT EXISTS (SELECT FROM pg_index own
      JOIN pg_inherits taken ON taken.inhrelid = own.indexrelid
      WHERE own.indrelid = month.oid AND taken.inhparent = 'dispatch_ran'::regclass)
    ORDER BY month.relname DESC`);
  const month = rows[0]?.month;
  if (month === undefined) return true;
  await buildIndex(client, `${month}_ran`, `${month} ${RAN_COLUMNS}`);
  await briefly(client, `ALTER INDEX dispatch_ran ATTACH PARTITION ${month}_ran`);
  return rows.length === 1;
}

/** Builds an index while its table is written to. One that a killed process left unfinished serves nobody, and goes first. */
async function buildIndex(client: Client, name: string, on: string): Promise<void> {
  const { rows } = await client.query<{ isvalid: boolean }>(
    "SELECT indisvalid AS isvalid FROM pg_index WHERE indexrelid = to_regclass($1)",
    [name],
  );
  if (rows[0]?.isvalid === true) return;
  if (rows.length > 0) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
  await client.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
}

/** A statement that needs a strong lock for a moment: it waits a second for it at most, because others wait behind it. */
async function briefly(client: Client, sql: string): Promise<void> {
  await client.query("SET lock_timeout = '1s'");
  try {
    await client.query(sql);
  } finally {
    await client.query("SET lock_timeout = 0");
  }
}

const entryPosition = z.strictObject({ workspace: z.uuid(), seq: z.string().regex(/^\d+$/) }).nullable();
const BEFORE_ALL = { workspace: "00000000-0000-0000-0000-000000000000", seq: "0" };

/** Notes the batches of the next entries: those of before the trigger that notes new ones. The rows and the position share one fate. */
async function noteOldBatches(client: Client): Promise<boolean> {
  await client.query("BEGIN");
  try {
    const found = await client.query<{ position: unknown }>(
      "SELECT position FROM upgrade_step WHERE name = 'audit_entry_batch' FOR UPDATE",
    );
    const after = entryPosition.parse(found.rows[0]?.position ?? null) ?? BEFORE_ALL;
    const { rows } = await client.query<{ workspace: string; seq: string; count: string }>(NOTE_BATCHES, [
      after.workspace,
      after.seq,
      ENTRIES_A_STEP,
    ]);
    const [last] = rows;
    if (last) {
      const position = JSON.stringify({ workspace: last.workspace, seq: last.seq });
      await client.query("UPDATE upgrade_step SET position = $1 WHERE name = 'audit_entry_batch'", [position]);
    }
    await client.query("COMMIT");
    return Number(last?.count ?? 0) < ENTRIES_A_STEP;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined); // a lost connection undid it already
    throw error;
  }
}

const NOTE_BATCHES = `
  WITH page AS (
    SELECT workspace_id, seq, kind, chain_version, body FROM audit_entry
    WHERE (workspace_id, seq) > ($1::uuid, $2::bigint) ORDER BY workspace_id, seq LIMIT $3
  ), noted AS (
    INSERT INTO audit_entry_batch (workspace_id, batch, seq)
    SELECT workspace_id, named::uuid, seq FROM page, LATERAL substring(body FROM ${NAMED_BATCH}) AS named
    WHERE kind = 'dispatches_recorded' AND chain_version = 2 AND named IS NOT NULL
    ON CONFLICT DO NOTHING
  )
  SELECT workspace_id AS workspace, seq::text AS seq, (SELECT count(*) FROM page) AS count
  FROM page ORDER BY workspace_id DESC, page.seq DESC LIMIT 1`;
