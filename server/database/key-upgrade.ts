/**
 * Brings an installation of before to keys that lead with the workspace (docs/adr/0047-keys-lead-with-the-workspace.md), in steps
 * while everybody works: `session` and `delivery` are copied into hash partitions, each month of `dispatch` gets an index for its
 * new key, and then each table is switched under a short lock. Whatever ends it, the next run goes on behind the last step.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg, { type Client } from "pg";
import type { Log } from "../platform/log.ts";

export interface KeyUpgradeOptions {
  /** As the owner of the tables. */
  readonly url: string;
  readonly log: Log;
  /** Rows that a step copies. */
  readonly stepRows?: number;
  /** Called behind each step that is committed. */
  readonly onStep?: (step: KeyUpgradeStep) => Promise<void> | void;
  readonly signal?: AbortSignal;
}

export type KeyUpgradeStep =
  | { readonly kind: "copied"; readonly table: string; readonly rows: number }
  | { readonly kind: "indexed"; readonly month: string }
  | { readonly kind: "switched"; readonly table: string };

/** `waiting`: somebody is in the way, or at it. `nodes`: one of the version before is at work. Whoever asks again later goes on. */
export type KeyUpgradeResult = "done" | "waiting" | "nodes";

const STEP_ROWS = 500;
const AGAIN_MS = 5_000;
/** Any number will do, as long as every node takes the same one. */
const LOCK = 7_361_900_421;
/** The connection that every process of a version before these keys holds open. Its look-ups know no workspace. */
const FORMER_NODES = "quarterdeck bus";
/** A lock that was not given, a statement that took too long, a deadlock, a table or an index that went meanwhile. */
const IN_THE_WAY: ReadonlySet<string> = new Set(["55P03", "57014", "40P01", "42P01", "42704"]);

/** The key of each copied table, in the order of its index. */
const COPIED: Readonly<Record<string, readonly (readonly [column: string, type: string])[]>> = {
  session: [
    ["workspace_id", "uuid"],
    ["agent_id", "uuid"],
    ["session_id", "text"],
  ],
  delivery: [
    ["workspace_id", "uuid"],
    ["agent_id", "uuid"],
    ["event_id", "uuid"],
  ],
};

/** Runs in the background until the tables are switched. */
export function startKeyUpgrade(options: Omit<KeyUpgradeOptions, "signal">): { stop(): Promise<void> } {
  const ending = new AbortController();
  const { signal } = ending;
  const work = async () => {
    let isSaid = false;
    while (!signal.aborted) {
      const result = await upgradeKeys({ ...options, signal }).catch((err: unknown) => {
        if (!signal.aborted) options.log.warn({ err }, "the keys of large tables could not be brought up to date yet");
        return "waiting" as const;
      });
      if (result === "done") return;
      if (result === "nodes" && !isSaid)
        options.log.info("large tables get their new keys once no process of the version before is connected");
      isSaid ||= result === "nodes";
      await sleep(AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const working = work();
  return {
    async stop() {
      ending.abort();
      await working;
    },
  };
}

/** Goes as far as it can now. */
export async function upgradeKeys(options: KeyUpgradeOptions): Promise<KeyUpgradeResult> {
  const { url, signal } = options;
  const client = new pg.Client({
    connectionString: url,
    application_name: "quarterdeck key upgrade",
    connectionTimeoutMillis: 5_000,
  });
  client.on("error", () => undefined); // a lost connection is reported by the query that meets it
  const leave = () => void client.end().catch(() => undefined);
  await client.connect();
  signal?.addEventListener("abort", leave, { once: true });
  try {
    if (!(await isPending(client))) return "done";
    const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [LOCK]);
    if (rows[0]?.taken !== true) return "waiting";
    await client.query("SELECT set_config('quarterdeck.workspace', '*', false)");
    return await takeSteps(client, options);
  } catch (error) {
    if (error instanceof pg.DatabaseError && IN_THE_WAY.has(error.code ?? "")) return "waiting";
    throw error;
  } finally {
    signal?.removeEventListener("abort", leave);
    await client.end().catch(() => undefined);
  }
}

async function takeSteps(client: Client, options: KeyUpgradeOptions): Promise<KeyUpgradeResult> {
  const { log, onStep } = options;
  for (const table of await listUncopied(client)) await copyTable(client, table, options);
  for (let month = await nextMonth(client); month !== undefined; month = await nextMonth(client)) {
    await indexMonth(client, month);
    await onStep?.({ kind: "indexed", month });
  }
  if (await hasFormerNodes(client)) return "nodes";
  for (const table of [...(await listCopied(client)), "dispatch"]) {
    if (!(await switchTable(client, table))) continue;
    log.info({ table }, "a large table has its new key");
    await onStep?.({ kind: "switched", table });
  }
  return (await isPending(client)) ? "waiting" : "done";
}

/** True while a table has the key of before. */
async function isPending(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ pending: boolean }>(
    `SELECT EXISTS (SELECT FROM key_upgrade) OR EXISTS (SELECT FROM pg_index WHERE indrelid = 'dispatch'::regclass
       AND indisprimary AND pg_get_indexdef(indexrelid) LIKE '%(occurred_at, id)') AS pending`,
  );
  return rows[0]?.pending === true;
}

async function listUncopied(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT table_name AS table FROM key_upgrade WHERE NOT is_copied ORDER BY 1`,
  );
  return rows.map(({ table }) => table);
}

async function listCopied(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT table_name AS table FROM key_upgrade WHERE is_copied ORDER BY 1`,
  );
  return rows.map(({ table }) => table);
}

async function copyTable(client: Client, table: string, { stepRows = STEP_ROWS, onStep, log }: KeyUpgradeOptions) {
  let copied = 0;
  for (let isMore = true; isMore; ) {
    const step = await copyStep(client, table, stepRows);
    if (step === null) continue;
    copied += step.rows;
    isMore = step.isMore;
    await onStep?.({ kind: "copied", table, rows: step.rows });
  }
  log.info({ table, rows: copied }, "the rows of a large table are copied");
}

/**
 * Copies the rows behind the last step. They stay locked until it commits, so that whoever changes one waits for its copy and
 * changes that too. Null when somebody holds one of them: waiting for it with others locked could end a record in a deadlock.
 */
async function copyStep(client: Client, table: string, limit: number) {
  const key = COPIED[table] ?? [];
  const columns = key.map(([column]) => column).join(", ");
  const bound = (from: number) => key.map(([, type], at) => `$${from + at}::${type}`).join(", ");
  await client.query("BEGIN");
  try {
    await client.query("SET LOCAL lock_timeout = '100ms'");
    const saved = await client.query<{ position: string[] | null }>(
      "SELECT position FROM key_upgrade WHERE table_name = $1 FOR UPDATE",
      [table],
    );
    const after = saved.rows[0]?.position ?? null;
    const behind = after === null ? "true" : `(${columns}) > (${bound(1)})`;
    const values = after ?? [];
    const last = await client.query<{ key: string[] }>(
      `SELECT jsonb_build_array(${columns}) AS key FROM ${table} WHERE ${behind} ORDER BY ${columns} OFFSET ${limit - 1} LIMIT 1`,
      values,
    );
    const to = last.rows[0]?.key ?? null;
    const upTo = to === null ? "true" : `(${columns}) <= (${bound(values.length + 1)})`;
    const done = await client.query(
      `WITH step AS MATERIALIZED (SELECT * FROM ${table} WHERE ${behind} AND ${upTo} FOR SHARE)
       INSERT INTO ${table}_next SELECT * FROM step ON CONFLICT DO NOTHING`,
      [...values, ...(to ?? [])],
    );
    await client.query(
      "UPDATE key_upgrade SET position = coalesce($2::jsonb, position), is_copied = $3 WHERE table_name = $1",
      [table, to === null ? null : JSON.stringify(to), to === null],
    );
    await client.query("COMMIT");
    return { rows: done.rowCount ?? 0, isMore: to !== null };
  } catch (error) {
    await client.query("ROLLBACK");
    if (error instanceof pg.DatabaseError && error.code === "55P03") return null;
    throw error;
  }
}

async function nextMonth(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ month: string }>(
    "SELECT quarterdeck_months_without_key() AS month ORDER BY 1 DESC LIMIT 1",
  );
  return rows[0]?.month;
}

/** Nobody waits for it: CONCURRENTLY takes SHARE UPDATE EXCLUSIVE. What is left of one that was interrupted goes first. */
async function indexMonth(client: Client, month: string): Promise<void> {
  const [table, index] = [client.escapeIdentifier(month), client.escapeIdentifier(`${month}_key`)];
  await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
  await client.query(`CREATE UNIQUE INDEX CONCURRENTLY ${index} ON ${table} (workspace_id, occurred_at, id)`);
}

async function hasFormerNodes(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1 LIMIT 1",
    [FORMER_NODES],
  );
  return rowCount === 1;
}

/** False when it could not be done now. Gates wait for two seconds at most, whatever is in the way. */
async function switchTable(client: Client, table: string): Promise<boolean> {
  await client.query("BEGIN");
  try {
    await client.query("SET LOCAL statement_timeout = '2s'");
    const text = table === "dispatch" ? "quarterdeck_switch_dispatch()" : "quarterdeck_switch_table($1)";
    const { rows } = await client.query<{ done: boolean }>(
      `SELECT ${text} AS done`,
      table === "dispatch" ? [] : [table],
    );
    await client.query("COMMIT");
    return rows[0]?.done === true;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}
