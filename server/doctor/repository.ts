import type { Pool, Tx } from "../platform/db.ts";

export interface Durability {
  readonly version: string;
  readonly fsync: string;
  readonly synchronousCommit: string;
  readonly fullPageWrites: string;
  /** Milliseconds since 1970, by PostgreSQL's clock. */
  readonly nowMs: number;
}

export async function findDurability(pool: Pool): Promise<Durability> {
  const { rows } = await pool.query<Durability>(`
    SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
      current_setting('synchronous_commit') AS "synchronousCommit",
      current_setting('full_page_writes') AS "fullPageWrites",
      (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs"`);
  const [row] = rows;
  if (!row) throw new Error("PostgreSQL gave no settings");
  return row;
}

export interface Wall {
  readonly role: string;
  /** True if row-level security does not hold this role at all. */
  readonly passes: boolean;
  /** Tables with a workspace without row-level security, or not forced for their owner. */
  readonly open: readonly string[];
}

export async function findWall(pool: Pool): Promise<Wall> {
  const { rows } = await pool.query<Wall>(`
    SELECT rolname AS role, rolsuper OR rolbypassrls AS passes, ARRAY(
      SELECT relname::text FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'workspace_id'
      WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND NOT attisdropped
        AND NOT (relrowsecurity AND relforcerowsecurity) ORDER BY 1) AS open
    FROM pg_roles WHERE rolname = current_user`);
  const [row] = rows;
  if (!row) throw new Error("PostgreSQL does not know its own role");
  return row;
}

const LOOKED_AT_MAX = 2_000;

/** Agents whose newest reports claim to be from the future: by how many milliseconds at most. */
export async function listFastClocks(pool: Pool, workspaceId: string, from: Date, overMs: number) {
  const { rows } = await pool.query<{ agent: string; aheadMs: number }>(
    `SELECT agent_name AS agent, max(ahead)::float8 AS "aheadMs" FROM (
       SELECT agent_name, extract(epoch FROM occurred_at - received_at) * 1000 AS ahead FROM dispatch
       WHERE workspace_id = $1 AND occurred_at >= $2 AND origin = 'report'
       ORDER BY occurred_at DESC LIMIT $4) newest
     GROUP BY agent_name HAVING max(ahead) > $3 ORDER BY 2 DESC LIMIT 20`,
    [workspaceId, from, overMs, LOOKED_AT_MAX],
  );
  return rows;
}

/** Agents that asked about a gate without a nonce after `after`. */
export async function listAgentsWithUncheckedAnswers(tx: Tx, workspaceId: string, after: Date) {
  return tx.agent.findMany({
    where: { workspaceId, isDemo: false, retiredAt: null, unsignedAskedAt: { gt: after } },
    select: { name: true, client: true },
    orderBy: { name: "asc" },
    take: 5_000,
  });
}

/** Agents that hold a key that works, with when they were last heard and when their last key ends. */
export async function listAgentsWithValidKeys(tx: Tx, workspaceId: string, now: Date) {
  const works = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
  const agents = await tx.agent.findMany({
    where: { workspaceId, isDemo: false, retiredAt: null, keys: { some: works } },
    select: {
      id: true,
      name: true,
      lastSeenAt: true,
      createdAt: true,
      keys: { where: works, select: { expiresAt: true } },
    },
    orderBy: { name: "asc" },
    take: 5_000,
  });
  return agents.map(({ keys, ...agent }) => {
    const ends = keys.map(({ expiresAt }) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    return { ...agent, endsMs: Math.max(...ends) };
  });
}

/** Agents whose machines hold refused events, with the numbers of kept and dropped ones. */
export async function listAgentsWithRefusedEvents(tx: Tx, workspaceId: string) {
  const rows = await tx.executorRefusal.groupBy({
    by: ["agentId"],
    where: { workspaceId, OR: [{ kept: { gt: 0 } }, { dropped: { gt: 0 } }] },
    _sum: { kept: true, dropped: true },
    orderBy: { agentId: "asc" },
    take: 100,
  });
  const ids = rows.map(({ agentId }) => agentId);
  const named = await tx.agent.findMany({ where: { workspaceId, id: { in: ids } }, select: { id: true, name: true } });
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return rows.map(({ agentId, _sum }) => ({
    agent: names.get(agentId) ?? agentId,
    events: (_sum.kept ?? 0) + (_sum.dropped ?? 0),
  }));
}

/** Those of `names` that are not tables. */
export async function listMissingTables(pool: Pool, names: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL ORDER BY name",
    [names],
  );
  return rows.map(({ name }) => name);
}

/**
 * Webhooks whose last attempt failed and that are retried: the number of waiting deliveries, and the result of the
 * newest attempt.
 */
export async function listFailingReceivers(pool: Pool, workspaceId: string) {
  const { rows } = await pool.query<{ url: string; waiting: number; error: string }>(
    `SELECT url, count(*)::int AS waiting, (array_agg(error ORDER BY attempted_at DESC))[1] AS error
     FROM webhook_delivery AS delivery
     JOIN webhook ON webhook.workspace_id = delivery.workspace_id AND webhook.id = delivery.webhook_id
     WHERE delivery.workspace_id = $1 AND state = 'waiting' AND error IS NOT NULL AND is_enabled
     GROUP BY webhook.id, url ORDER BY waiting DESC, url LIMIT 100`,
    [workspaceId],
  );
  return rows;
}

/** The questions to each model since then, and those without a verdict; the model with most failures first. */
export async function listModelQuestionCounts(pool: Pool, workspaceId: string, from: Date) {
  const { rows } = await pool.query<{ model: string; calls: number; failed: number }>(
    `SELECT model, sum(calls)::float8 AS calls, coalesce(sum(calls) FILTER (WHERE cause <> ''), 0)::float8 AS failed
     FROM judge_hour
     WHERE workspace_id = $1 AND bucket >= $2 GROUP BY model ORDER BY 3 DESC, 1 LIMIT 1000`,
    [workspaceId, from],
  );
  return rows;
}
