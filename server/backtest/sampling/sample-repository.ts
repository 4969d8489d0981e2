/** The statements of samples: the calls of a run on which commands run and judges are asked, and their results. */
import { z } from "zod";
import type { Pool, PoolClient } from "../../platform/db.ts";
import type { ReplayRow } from "../replay-row.ts";
import { pickEvenly, strideOf } from "./even-sample.ts";
import type { SampledResult } from "./sample-schema.ts";
import type { SampledKind } from "./sampled-kind-schema.ts";

export interface RunKey {
  readonly workspaceId: string;
  readonly id: string;
}

const counts = z.object({ command: z.number().default(0), judge: z.number().default(0) });
/** Calls by kind that a sample can resolve. */
export type CandidateCounts = Readonly<Record<SampledKind, number>>;

/** The counts as stored; 0 where they cannot be read. */
export const readCandidates = (stored: unknown): CandidateCounts =>
  counts.safeParse(stored).data ?? { command: 0, judge: 0 };

/** The calls of a chunk that a sample can resolve, in order. `before` of them were found in earlier chunks. */
export interface FoundCandidates {
  readonly kind: SampledKind;
  readonly rows: readonly ReplayRow[];
  readonly before: number;
  /** The wanted size of the sample. */
  readonly wanted: number;
}

/** Keeps an even part of them. */
export async function insertCandidates(client: PoolClient, run: RunKey, found: FoundCandidates): Promise<void> {
  const { kind, rows, before, wanted } = found;
  if (rows.length === 0) return;
  const stride = strideOf(before + rows.length, wanted);
  const kept = rows
    .map((row, at) => ({ row, position: before + at }))
    .filter(({ position }) => position % stride === 0);
  await client.query(
    `INSERT INTO backtest_sample (workspace_id, run_id, kind, position, occurred_at, dispatch_id, agent_name, session_id, event, tool_name)
     SELECT $1, $2, $3, * FROM unnest($4::bigint[], $5::timestamptz[], $6::uuid[], $7::text[], $8::text[], $9::text[], $10::text[])`,
    [
      ...[run.workspaceId, run.id, kind, kept.map(({ position }) => position)],
      ...[kept.map(({ row }) => new Date(row.atMs)), kept.map(({ row }) => row.id)],
      ...[kept.map(({ row }) => row.agentName), kept.map(({ row }) => row.sessionId)],
      ...[kept.map(({ row }) => row.event), kept.map(({ row }) => row.tool_name ?? "")],
    ],
  );
  if (stride === strideOf(before, wanted)) return;
  await client.query(
    "DELETE FROM backtest_sample WHERE workspace_id = $1 AND run_id = $2 AND kind = $3 AND position % $4 <> 0",
    [run.workspaceId, run.id, kind, stride],
  );
}

/** Reduces the kept calls to the wanted number, at even distances. Does nothing once they are. */
export async function chooseSample(pool: Pool, run: RunKey, kind: SampledKind, wanted: number): Promise<void> {
  const { rows } = await pool.query<{ position: string }>({
    name: "backtest_sample_positions",
    text: "SELECT position FROM backtest_sample WHERE workspace_id = $1 AND run_id = $2 AND kind = $3 ORDER BY position",
    values: [run.workspaceId, run.id, kind],
  });
  if (rows.length <= wanted) return;
  const chosen = pickEvenly(rows, wanted).map(({ position }) => position);
  await pool.query({
    name: "backtest_sample_choose",
    text: "DELETE FROM backtest_sample WHERE workspace_id = $1 AND run_id = $2 AND kind = $3 AND position <> ALL($4::bigint[])",
    values: [run.workspaceId, run.id, kind, chosen],
  });
}

export async function removeSample(client: PoolClient, run: RunKey): Promise<void> {
  await client.query("DELETE FROM backtest_sample WHERE workspace_id = $1 AND run_id = $2", [run.workspaceId, run.id]);
}

export interface WaitingCall {
  readonly kind: SampledKind;
  readonly position: string;
  readonly at: Date;
  readonly id: string;
}

/** In an order that is spread over the period, so that an early end leaves an even part. */
export async function listWaiting(pool: Pool, run: RunKey, limit: number): Promise<WaitingCall[]> {
  const { rows } = await pool.query<WaitingCall>({
    name: "backtest_sample_waiting",
    text: `SELECT kind, position, occurred_at AS at, dispatch_id AS id FROM backtest_sample
           WHERE workspace_id = $1 AND run_id = $2 AND state = 'waiting' ORDER BY kind, md5(position::text) LIMIT $3`,
    values: [run.workspaceId, run.id, limit],
  });
  return rows;
}

/** The remaining calls of a kind are not run; with `position`, only that call. */
export async function skipWaiting(
  pool: Pool,
  run: RunKey,
  kind: SampledKind,
  position: string | null = null,
): Promise<void> {
  await pool.query({
    name: "backtest_sample_skip",
    text: `UPDATE backtest_sample SET state = 'skipped'
           WHERE workspace_id = $1 AND run_id = $2 AND kind = $3 AND state = 'waiting'
             AND ($4::bigint IS NULL OR position = $4)`,
    values: [run.workspaceId, run.id, kind, position],
  });
}

export interface DoneCall extends WaitingCall {
  readonly result: SampledResult;
  readonly why: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly commandsRun: number;
  readonly asked: number;
  readonly reused: number;
  readonly durationMs: number;
}

export async function saveResults(client: PoolClient, run: RunKey, done: readonly DoneCall[]): Promise<void> {
  for (const one of done)
    await client.query(
      `UPDATE backtest_sample SET state = 'done', result = $5, why = $6, verdict_from = $7, verdict_to = $8, commands_run = $9,
         asked = $10, reused = $11, duration_ms = $12
       WHERE workspace_id = $1 AND run_id = $2 AND kind = $3 AND position = $4`,
      [
        ...[run.workspaceId, run.id, one.kind, one.position, one.result, one.why, one.from, one.to],
        ...[one.commandsRun, one.asked, one.reused, one.durationMs],
      ],
    );
}
