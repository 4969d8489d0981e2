/** The statements of backtests: the queue of runs, and their results. */
import type { Pool, PoolClient } from "../platform/db.ts";
import { IN_FORCE_DIGEST_SQL } from "../policies/index.ts";
import type { ReplayRow } from "./replay-row.ts";
import { inTransaction } from "./repository.ts";
import type { Flip } from "./row-end.ts";
import { RUN_LIMITS, type StartBacktest } from "./run-schema.ts";
import * as samples from "./sampling/sample-repository.ts";
import type { BacktestSample } from "./sampling/sample-schema.ts";
import { EMPTY_TALLY, type Tally } from "./tally-schema.ts";

export interface NewRun extends Pick<StartBacktest, "policyId" | "days"> {
  readonly id: string;
  readonly source: string;
  readonly sha256: string;
  readonly callsMax: number | null;
  readonly sample: BacktestSample;
  readonly by: string;
  readonly byId: string;
}

export const OPEN = "state IN ('waiting', 'running')";

/** False when the workspace has too many runs that wait or run. */
export async function insert(pool: Pool, workspaceId: string, run: NewRun): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "backtest_insert",
    text: `INSERT INTO backtest_run (workspace_id, id, policy_id, source, sha256, days, calls_max, state, asked_by, asked_by_id, tally,
             commands_max, judges_max, judges_nano)
           SELECT $1, $2, $3, $4, $5, $6, $7, 'waiting', $8, $9, $10, $11, $12, $13
           WHERE (SELECT count(*) FROM backtest_run WHERE workspace_id = $1 AND ${OPEN}) < ${RUN_LIMITS.openMax}`,
    values: [
      ...[workspaceId, run.id, run.policyId, run.source, run.sha256, run.days, run.callsMax, run.by, run.byId],
      ...[JSON.stringify(EMPTY_TALLY), run.sample.commands, run.sample.judges?.calls ?? null],
      run.sample.judges?.nanoMax.toString() ?? null,
    ],
  });
  return rowCount === 1;
}

export interface ClaimedRun {
  readonly workspaceId: string;
  readonly id: string;
  readonly policyId: string;
  readonly source: string;
  readonly sha256: string;
  readonly callsMax: number | null;
  readonly askedAt: Date;
  readonly days: number;
  readonly sequence: number | null;
  readonly restarts: number;
  readonly cursor: { readonly at: Date; readonly id: string } | null;
  readonly looked: number;
  readonly total: number | null;
  readonly tally: unknown;
  readonly sample: BacktestSample;
  /** The calls that a sample can resolve, as stored. */
  readonly candidates: unknown;
}

interface ClaimedRow extends Omit<ClaimedRun, "cursor" | "sample"> {
  readonly cursorAt: Date | null;
  readonly cursorId: string | null;
  readonly commandsMax: number | null;
  readonly judgesMax: number | null;
  readonly judgesNano: string | null;
}

/**
 * The run whose turn it is, leased to `lease`; null when none waits. The person whose runs waited longest is next, so that
 * many runs of one person do not delay the others. A run whose process ended is free once its lease has lapsed.
 */
export async function claim(pool: Pool, lease: string, leaseMs: number): Promise<ClaimedRun | null> {
  const { rows } = await pool.query<ClaimedRow>({
    name: "backtest_claim",
    text: `UPDATE backtest_run AS run SET state = 'running', lease = $1, started_at = coalesce(started_at, clock_timestamp()),
             lease_until = clock_timestamp() + $2 * interval '1 millisecond', turn_at = clock_timestamp()
           WHERE (run.workspace_id, run.id) = (
             SELECT one.workspace_id, one.id FROM backtest_run AS one
             WHERE one.state IN ('waiting', 'running') AND (one.lease_until IS NULL OR one.lease_until < clock_timestamp())
             ORDER BY (SELECT max(own.turn_at) FROM backtest_run AS own WHERE own.state IN ('waiting', 'running') AND own.workspace_id = one.workspace_id
               AND own.asked_by_id = one.asked_by_id) NULLS FIRST, one.turn_at NULLS FIRST, one.asked_at, one.id
             LIMIT 1 FOR UPDATE SKIP LOCKED)
           RETURNING workspace_id AS "workspaceId", id, policy_id AS "policyId", source, sha256, calls_max AS "callsMax", asked_at AS "askedAt",
             days, sequence::float8 AS sequence, restarts, cursor_at AS "cursorAt", cursor_id AS "cursorId", looked::float8 AS looked,
             total::float8 AS total, tally, commands_max AS "commandsMax", judges_max AS "judgesMax", judges_nano::text AS "judgesNano",
             candidates`,
    values: [lease, leaseMs],
  });
  const [row] = rows;
  if (!row) return null;
  const { cursorAt, cursorId, commandsMax, judgesMax, judgesNano, ...run } = row;
  const judges = judgesMax !== null && judgesNano !== null ? { calls: judgesMax, nanoMax: BigInt(judgesNano) } : null;
  const cursor = cursorAt && cursorId ? { at: cursorAt, id: cursorId } : null;
  return { ...run, cursor, sample: { commands: commandsMax, judges } };
}

const HELD = "workspace_id = $1 AND id = $2 AND lease = $3 AND state = 'running'";

/** Begins the run, again where the policies in force have changed. False when the lease is lost. */
export async function begin(
  pool: Pool,
  { workspaceId, id }: Pick<ClaimedRun, "workspaceId" | "id">,
  lease: string,
  {
    sequence,
    total,
    restarts,
  }: { readonly sequence: number; readonly total: number | null; readonly restarts: number },
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      // Without agents there is no counter to compare with.
      `UPDATE backtest_run SET sequence = $4::bigint, total = $5, restarts = $6, cursor_at = NULL, cursor_id = NULL, looked = 0, tally = $7, candidates = '{}',
         in_force = CASE WHEN $4::bigint IN (0, (SELECT value FROM policy_sequence WHERE workspace_id = $1::uuid)) THEN ${IN_FORCE_DIGEST_SQL} END
       WHERE ${HELD}`,
      [workspaceId, id, lease, sequence, total, restarts, JSON.stringify(EMPTY_TALLY)],
    );
    await client.query("DELETE FROM backtest_flip WHERE workspace_id = $1 AND run_id = $2", [workspaceId, id]);
    await samples.removeSample(client, { workspaceId, id });
    return rowCount === 1;
  });
}

export interface DoneChunk {
  readonly rows: readonly ReplayRow[];
  readonly flips: readonly Flip[];
  readonly tally: Tally;
  readonly looked: number;
  readonly leaseMs: number;
  /** The calls that a sample can resolve, and their number so far. */
  readonly candidates: readonly samples.FoundCandidates[];
  readonly candidateCounts: samples.CandidateCounts;
}

/** Stores a chunk with the place up to which the run has read. False when the run was canceled or its lease is lost. */
export async function saveChunk(
  pool: Pool,
  { workspaceId, id }: Pick<ClaimedRun, "workspaceId" | "id">,
  lease: string,
  chunk: DoneChunk,
): Promise<boolean> {
  const last = chunk.rows.at(-1);
  if (!last) return true;
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE backtest_run SET cursor_at = $4, cursor_id = $5, looked = $6, tally = $7,
         lease_until = clock_timestamp() + $8 * interval '1 millisecond', candidates = $9 WHERE ${HELD}`,
      [
        ...[
          workspaceId,
          id,
          lease,
          new Date(last.atMs),
          last.id,
          chunk.looked,
          JSON.stringify(chunk.tally),
          chunk.leaseMs,
        ],
        JSON.stringify(chunk.candidateCounts),
      ],
    );
    if (rowCount !== 1) return false;
    for (const found of chunk.candidates) await samples.insertCandidates(client, { workspaceId, id }, found);
    await insertFlips(client, workspaceId, id, chunk);
    return true;
  });
}

export interface SampledChunk extends Pick<DoneChunk, "rows" | "flips" | "tally" | "leaseMs"> {
  readonly done: readonly samples.DoneCall[];
}

/** Stores the results of sampled calls with the counts. False as for `saveChunk`. */
export async function saveSampled(
  pool: Pool,
  { workspaceId, id }: Pick<ClaimedRun, "workspaceId" | "id">,
  lease: string,
  { done, tally, leaseMs, ...found }: SampledChunk,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE backtest_run SET tally = $4, lease_until = clock_timestamp() + $5 * interval '1 millisecond' WHERE ${HELD}`,
      [workspaceId, id, lease, JSON.stringify(tally), leaseMs],
    );
    if (rowCount !== 1) return false;
    await samples.saveResults(client, { workspaceId, id }, done);
    await insertFlips(client, workspaceId, id, found);
    return true;
  });
}

/** Keeps the lease of a run whose calls take long. */
export async function extendLease(
  pool: Pool,
  { workspaceId, id }: Pick<ClaimedRun, "workspaceId" | "id">,
  lease: string,
  leaseMs: number,
): Promise<void> {
  await pool.query({
    name: "backtest_extend_lease",
    text: `UPDATE backtest_run SET lease_until = clock_timestamp() + $4 * interval '1 millisecond' WHERE ${HELD}`,
    values: [workspaceId, id, lease, leaseMs],
  });
}

export async function insertFlips(
  client: PoolClient,
  workspaceId: string,
  runId: string,
  { rows, flips }: Pick<DoneChunk, "rows" | "flips">,
): Promise<void> {
  if (flips.length === 0) return;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const found = flips.flatMap((flip) => {
    const row = byId.get(flip.id);
    return row ? [{ ...flip, row }] : [];
  });
  const columns = [
    found.map(({ row }) => new Date(row.atMs)),
    found.map(({ id }) => id),
    found.map(({ row }) => row.agentId),
    found.map(({ row }) => row.agentName),
    found.map(({ row }) => row.sessionId),
    found.map(({ row }) => row.event),
    found.map(({ row }) => row.tool_name ?? ""),
    found.map(({ family }) => family),
    found.map(({ rule }) => rule),
    found.map(({ from }) => from),
    found.map(({ to }) => to),
    found.map(({ isLooser }) => isLooser),
  ];
  await client.query(
    `INSERT INTO backtest_flip (workspace_id, run_id, occurred_at, dispatch_id, agent_id, agent_name, session_id, event, tool_name, family,
       rule, verdict_from, verdict_to, is_looser)
     SELECT $1, $2, * FROM unnest($3::timestamptz[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
       $11::text[], $12::text[], $13::text[], $14::boolean[])`,
    [workspaceId, runId, ...columns],
  );
}

/** Releases the run for the next turn, or ends it. */
export async function leave(
  pool: Pool,
  { workspaceId, id }: Pick<ClaimedRun, "workspaceId" | "id">,
  lease: string,
  end: { readonly state: "running" | "finished" | "failed"; readonly says?: string },
): Promise<void> {
  await pool.query({
    name: "backtest_leave",
    text: `UPDATE backtest_run SET state = $4, says = $5, lease = NULL, lease_until = NULL, turn_at = clock_timestamp(),
             ended_at = CASE WHEN $4 = 'running' THEN NULL ELSE clock_timestamp() END WHERE ${HELD}`,
    values: [workspaceId, id, lease, end.state, end.says ?? ""],
  });
}

/** False if it does not exist. A run that has ended stays as it is. */
export async function cancel(pool: Pool, workspaceId: string, policyId: string, id: string): Promise<boolean> {
  const { rows } = await pool.query({
    name: "backtest_cancel",
    text: `UPDATE backtest_run SET state = CASE WHEN ${OPEN} THEN 'canceled' ELSE state END,
             ended_at = coalesce(ended_at, clock_timestamp()) WHERE workspace_id = $1 AND policy_id = $2 AND id = $3 RETURNING id`,
    values: [workspaceId, policyId, id],
  });
  return rows.length === 1;
}
