/** The statements that read the results of samples. */
import type { Pool } from "../../platform/db.ts";
import type { RunKey } from "./sample-repository.ts";
import type { BacktestSpend, ListSampled, SampledResult } from "./sample-schema.ts";
import type { SampledKind } from "./sampled-kind-schema.ts";

export interface CountRow {
  readonly kind: SampledKind;
  readonly state: "waiting" | "done" | "skipped";
  readonly result: SampledResult | null;
  readonly calls: number;
  readonly reused: number;
}

export async function countSample(pool: Pool, run: RunKey): Promise<readonly CountRow[]> {
  const { rows } = await pool.query<CountRow>({
    name: "backtest_sample_counts",
    text: `SELECT kind, state, result, count(*)::int AS calls, sum(reused)::int AS reused FROM backtest_sample
           WHERE workspace_id = $1 AND run_id = $2 GROUP BY kind, state, result`,
    values: [run.workspaceId, run.id],
  });
  return rows;
}

export interface AnswerSums {
  readonly asked: number;
  readonly unpriced: number;
  readonly nano: string;
}

const SUMS = `count(*)::int AS asked, count(*) FILTER (WHERE cost_nano IS NULL AND cause = '')::int AS unpriced,
  coalesce(sum(cost_nano), 0)::text AS nano`;
const NONE: AnswerSums = { asked: 0, unpriced: 0, nano: "0" };

export async function sumAnswers(pool: Pool, run: RunKey): Promise<AnswerSums> {
  const { rows } = await pool.query<AnswerSums>({
    name: "backtest_answer_sums",
    text: `SELECT ${SUMS} FROM backtest_answer WHERE workspace_id = $1 AND run_id = $2`,
    values: [run.workspaceId, run.id],
  });
  return rows[0] ?? NONE;
}

/** The questions of all backtests in a range. */
export async function sumSpend(
  pool: Pool,
  workspaceId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<BacktestSpend> {
  const { rows } = await pool.query<AnswerSums>({
    name: "backtest_spend",
    text: `SELECT ${SUMS} FROM backtest_answer WHERE workspace_id = $1 AND asked_at >= $2 AND asked_at < $3`,
    values: [workspaceId, from, to],
  });
  const { asked, unpriced, nano } = rows[0] ?? NONE;
  return { asked, unpriced, nano: BigInt(nano) };
}

export interface SampledRow {
  readonly occurredAt: Date;
  readonly id: string;
  readonly kind: SampledKind;
  readonly agentName: string;
  readonly tool: string;
  readonly event: string;
  readonly result: SampledResult;
  readonly why: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly commandsRun: number;
  readonly asked: number;
  readonly reused: number;
  readonly durationMs: number;
  /** Null once the call is gone. */
  readonly input: string | null;
}

const INPUT_CHARS_MAX = 16_384;
const ORDER = `array_position(ARRAY['looser', 'stricter', 'otherwise', 'unknown', 'unchanged'], sample.result),
  sample.occurred_at DESC, sample.dispatch_id`;

/** The calls of a sample that have run: looser ones first, then by result and time. */
export async function listSampled(pool: Pool, workspaceId: string, asked: ListSampled): Promise<readonly SampledRow[]> {
  const { rows } = await pool.query<SampledRow>({
    name: "backtest_sampled",
    text: `SELECT sample.occurred_at AS "occurredAt", sample.dispatch_id AS id, sample.kind, sample.agent_name AS "agentName",
             sample.tool_name AS tool, sample.event, sample.result, sample.why, sample.verdict_from AS "from", sample.verdict_to AS "to",
             sample.commands_run AS "commandsRun", sample.asked, sample.reused, sample.duration_ms AS "durationMs",
             left(dispatch.input, ${INPUT_CHARS_MAX}) AS input
           FROM backtest_sample AS sample
           LEFT JOIN dispatch ON dispatch.workspace_id = $1 AND dispatch.occurred_at = sample.occurred_at
             AND dispatch.id = sample.dispatch_id AND dispatch.erased_at IS NULL
           WHERE sample.workspace_id = $1 AND sample.run_id = $2 AND sample.state = 'done' ORDER BY ${ORDER} LIMIT $3 OFFSET $4`,
    values: [workspaceId, asked.runId, asked.limit, asked.offset],
  });
  return rows;
}
