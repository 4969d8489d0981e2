/** The statements of a report. Every instant is PostgreSQL's. */
import type { Tx } from "../platform/db.ts";
import { KEPT_MAX, PERIOD_MINUTES } from "./schema.ts";

export interface ReportingClient {
  readonly agentId: string;
  readonly client: string;
}

/** Counts a report, and returns the number in this period. Reports of one agent wait for each other from here on. */
export async function countReport(tx: Tx, workspaceId: string, { agentId, client }: ReportingClient): Promise<number> {
  await tx.$queryRaw`SELECT 1 FROM agent WHERE workspace_id = ${workspaceId}::uuid AND id = ${agentId}::uuid
    FOR NO KEY UPDATE`;
  const rows = await tx.$queryRaw<{ reports: number }[]>`
    INSERT INTO extension_report AS known (workspace_id, agent_id, client)
    VALUES (${workspaceId}::uuid, ${agentId}::uuid, ${client})
    ON CONFLICT (workspace_id, agent_id, client) DO UPDATE SET reported_at = clock_timestamp(),
      reports = CASE WHEN known.period_at < clock_timestamp() - ${PERIOD_MINUTES} * interval '1 minute' THEN 1
        ELSE known.reports + 1 END,
      period_at = CASE WHEN known.period_at < clock_timestamp() - ${PERIOD_MINUTES} * interval '1 minute'
        THEN clock_timestamp() ELSE known.period_at END
    RETURNING reports`;
  return rows[0]?.reports ?? 0;
}

export interface WrittenExtension {
  /** 64 hexadecimal digits. */
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  /** Empty for an extension of the user. */
  readonly project: string;
  readonly path: string;
  readonly version: string | null;
  readonly digest: string | null;
}

export interface Written {
  readonly added: number;
  readonly returned: number;
  readonly removed: number;
  readonly unaccepted: number;
  readonly changes: readonly {
    readonly kind: string;
    readonly name: string;
    readonly from: string | null;
    readonly to: string | null;
  }[];
}

/** An extension whose row is as new as this is not written again unless it differs. */
const FRESH = "interval '10 minutes'";

/** Stores the extensions of a client, and compares them with its former report. */
export async function write(
  tx: Tx,
  workspaceId: string,
  { agentId, client }: ReportingClient,
  report: { readonly extensions: readonly WrittenExtension[]; readonly project: string; readonly isComplete: boolean },
): Promise<Written> {
  const rows = await tx.$queryRawUnsafe<Written[]>(
    WRITE,
    ...[workspaceId, agentId, client, JSON.stringify(report.extensions), report.project, report.isComplete],
  );
  return rows[0] ?? { added: 0, returned: 0, removed: 0, unaccepted: 0, changes: [] };
}

// `known` is read before this statement writes.
const WRITE = `
WITH sent AS (
  SELECT decode(one.key, 'hex') AS key, one.kind, one.name, one.project, one.path, one.version, one.digest
  FROM jsonb_to_recordset($4::jsonb)
    AS one (key text, kind text, name text, project text, path text, version text, digest text)
), known AS (
  SELECT key, digest, removed_at FROM agent_extension
  WHERE workspace_id = $1::uuid AND agent_id = $2::uuid AND client = $3
), written AS (
  INSERT INTO agent_extension AS stored (workspace_id, agent_id, client, key, kind, name, project, path, version, digest)
  SELECT $1::uuid, $2::uuid, $3, key, kind, name, project, path, version, digest FROM sent ORDER BY key
  ON CONFLICT (workspace_id, agent_id, key) DO UPDATE SET
    version = excluded.version, digest = excluded.digest, last_seen_at = clock_timestamp(), removed_at = NULL,
    former_version = CASE WHEN stored.digest IS DISTINCT FROM excluded.digest THEN stored.version ELSE stored.former_version END,
    former_digest = CASE WHEN stored.digest IS DISTINCT FROM excluded.digest THEN stored.digest ELSE stored.former_digest END,
    changed_at = CASE WHEN stored.digest IS DISTINCT FROM excluded.digest THEN clock_timestamp() ELSE stored.changed_at END
    WHERE stored.digest IS DISTINCT FROM excluded.digest OR stored.version IS DISTINCT FROM excluded.version
      OR stored.removed_at IS NOT NULL OR stored.last_seen_at < clock_timestamp() - ${FRESH}
), gone AS (
  UPDATE agent_extension AS stored SET removed_at = clock_timestamp()
  WHERE $6 AND workspace_id = $1::uuid AND agent_id = $2::uuid AND client = $3 AND removed_at IS NULL
    AND project IN ('', $5) AND NOT EXISTS (SELECT FROM sent WHERE sent.key = stored.key)
  RETURNING 1
), compared AS (
  SELECT sent.*, known.key IS NULL AS is_new, known.removed_at IS NOT NULL AS is_back, known.digest AS former,
    known.key IS NOT NULL AND known.digest IS DISTINCT FROM sent.digest AS is_changed
  FROM sent LEFT JOIN known USING (key)
)
SELECT count(*) FILTER (WHERE is_new)::int AS added, count(*) FILTER (WHERE is_back)::int AS returned,
  (SELECT count(*) FROM gone)::int AS removed,
  count(*) FILTER (WHERE NOT EXISTS (SELECT FROM accepted_extension AS accepted WHERE accepted.workspace_id = $1::uuid
    AND accepted.kind = compared.kind AND accepted.name = compared.name AND accepted.digest = compared.digest))::int AS unaccepted,
  coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'name', name, 'from', former, 'to', digest) ORDER BY kind, name)
    FILTER (WHERE is_changed), '[]') AS changes
FROM compared`;

/** Removes the extensions of an agent that were seen longest ago, beyond the limit. Returns their number. */
export const prune = (tx: Tx, workspaceId: string, agentId: string): Promise<number> =>
  tx.$executeRaw`
    DELETE FROM agent_extension WHERE workspace_id = ${workspaceId}::uuid AND agent_id = ${agentId}::uuid AND key IN (
      SELECT key FROM agent_extension WHERE workspace_id = ${workspaceId}::uuid AND agent_id = ${agentId}::uuid
      ORDER BY last_seen_at DESC, key OFFSET ${KEPT_MAX})`;
