import type { Pool, PoolClient, Tx } from "../../platform/db.ts";

export interface VersionRow {
  readonly version: number;
  readonly prices: unknown;
  readonly note: string;
  readonly createdAt: Date;
  readonly createdBy: string;
}

export async function newestVersion(tx: Tx, workspaceId: string): Promise<number> {
  const newest = await tx.priceVersion.findFirst({
    where: { workspaceId },
    orderBy: { version: "desc" },
    select: { version: true },
  });
  return newest?.version ?? 0;
}

/** `prices` are plain JSON. False if another request saved the same version at the same moment. */
export async function insert(
  tx: Tx,
  workspaceId: string,
  made: { version: number; prices: readonly object[]; note: string; createdBy: string },
): Promise<boolean> {
  const data = [{ workspaceId, ...made, prices: [...made.prices] }];
  return (await tx.priceVersion.createMany({ data, skipDuplicates: true })).count === 1;
}

export function find(tx: Tx, workspaceId: string, version: number): Promise<VersionRow | null> {
  return tx.priceVersion.findFirst({ where: { workspaceId, version } });
}

export async function list(pool: Pool, workspaceId: string, limit: number) {
  const found = await pool.query<{ version: number; note: string; createdAt: Date; createdBy: string; count: number }>({
    name: "price_versions",
    text: `SELECT version, note, created_at AS "createdAt", created_by AS "createdBy", CASE WHEN jsonb_typeof(prices) = 'array' THEN jsonb_array_length(prices) ELSE 0 END AS count
           FROM price_version WHERE workspace_id = $1 ORDER BY version DESC LIMIT $2`,
    values: [workspaceId, limit],
  });
  return found.rows;
}

export interface Estimation {
  readonly version: number;
  readonly begunAt: Date;
  readonly begunBy: string;
  readonly reached: string;
  readonly settledAt: Date | null;
}
const ESTIMATION = `version, begun_at AS "begunAt", begun_by AS "begunBy", reached, settled_at AS "settledAt"`;

export async function findEstimation(db: Pool | PoolClient, workspaceId: string): Promise<Estimation | null> {
  const found = await db.query<Estimation>({
    name: "price_estimation",
    text: `SELECT ${ESTIMATION} FROM price_estimation WHERE workspace_id = $1`,
    values: [workspaceId],
  });
  return found.rows[0] ?? null;
}

/** Every workspace whose unpriced calls are estimated. Asked in the installation's scope. */
export async function listEstimating(pool: Pool): Promise<string[]> {
  const found = await pool.query<{ id: string }>("SELECT workspace_id AS id FROM price_estimation ORDER BY 1");
  return found.rows.map(({ id }) => id);
}

/** Restarts the estimates at the first call, with this version. */
export async function begin(
  client: PoolClient,
  workspaceId: string,
  { version, by, first }: { version: number; by: string; first: string },
): Promise<void> {
  await client.query(
    `INSERT INTO price_estimation (workspace_id, version, begun_at, begun_by, reached) VALUES ($1, $2, now(), $3, $4)
     ON CONFLICT (workspace_id) DO UPDATE SET version = excluded.version, begun_at = excluded.begun_at,
       begun_by = excluded.begun_by, reached = excluded.reached, settled_at = NULL`,
    [workspaceId, version, by, first],
  );
}

export async function reach(
  client: PoolClient,
  workspaceId: string,
  { reached, isAll }: { reached: string; isAll: boolean },
): Promise<void> {
  await client.query(
    `UPDATE price_estimation SET reached = greatest(reached, $2::uuid),
       settled_at = coalesce(settled_at, CASE WHEN $3::bool THEN now() END) WHERE workspace_id = $1`,
    [workspaceId, reached, isAll],
  );
}

export async function findPrices(client: PoolClient, workspaceId: string, version: number): Promise<unknown> {
  const found = await client.query<{ prices: unknown }>(
    "SELECT prices FROM price_version WHERE workspace_id = $1 AND version = $2",
    [workspaceId, version],
  );
  return found.rows[0]?.prices;
}

export interface UnpricedRow {
  readonly dispatch_id: string;
  readonly occurred_at: Date;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly principal_id: string | null;
  readonly session_id: string;
  readonly model_id: string;
  readonly input_tokens: string | null;
  readonly output_tokens: string | null;
  readonly cached_input_tokens: string | null;
  readonly cached_write_tokens: string | null;
  readonly entry_id: string | null;
  readonly entry_step: number | null;
  readonly entry_nano: string | null;
  readonly entry_version: number | null;
  readonly is_corrected: boolean;
  /** True if the client omits unknown numbers; docker-agent omits zeros. */
  readonly omits_unknown: boolean;
}

/** Calls without a cost after `reached`, in the order of arrival, each with its estimate. */
export async function listUnpriced(
  client: PoolClient,
  workspaceId: string,
  { reached, limit }: { reached: string; limit: number },
): Promise<readonly UnpricedRow[]> {
  const found = await client.query<UnpricedRow>({
    name: "prices_unpriced",
    text: `SELECT call.dispatch_id, call.occurred_at, call.agent_id, call.agent_name, call.principal_id, call.session_id, call.model_id,
             call.input_tokens, call.output_tokens, call.cached_input_tokens, call.cached_write_tokens,
             entry.id AS entry_id, entry.step AS entry_step, entry.nano AS entry_nano,
             entry.price_version AS entry_version,
             EXISTS (SELECT FROM ledger_entry other WHERE other.workspace_id = $1
               AND other.occurred_at = call.occurred_at AND other.dispatch_id = call.dispatch_id
               AND other.kind = 'correction') AS is_corrected,
             EXISTS (SELECT FROM dispatch AS origin WHERE origin.workspace_id = $1
               AND origin.occurred_at = call.occurred_at AND origin.id = call.dispatch_id
               AND strpos(origin.facts, '"client":"') > 0) AS omits_unknown
           FROM (SELECT * FROM llm_call WHERE workspace_id = $1 AND cost_usd IS NULL AND dispatch_id > $2
                 ORDER BY dispatch_id LIMIT $3) call
           LEFT JOIN LATERAL (
             SELECT id, step, nano, price_version FROM ledger_entry WHERE workspace_id = $1
               AND occurred_at = call.occurred_at AND dispatch_id = call.dispatch_id AND kind = 'repricing'
             ORDER BY step DESC LIMIT 1) entry ON true
           ORDER BY call.dispatch_id`,
    values: [workspaceId, reached, limit],
  });
  return found.rows;
}
