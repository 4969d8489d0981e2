/** Reads of judge calls from the records of their dispatches. */
import type { Pool } from "../platform/db.ts";
import { type RollupRange, selectRollupsParameters, selectRollupsSql } from "../recording/index.ts";
import type { JudgeCallKey, JudgeCallsInput } from "./schema.ts";

/** Sums as PostgreSQL answers them: bigint and numeric arrive as digits. */
export interface SumRow {
  readonly policy: string;
  readonly hook: string;
  readonly model: string;
  readonly cause: string;
  readonly calls: string;
  readonly priced: string;
  readonly free: string;
  readonly unpriced: string;
  readonly unanswered: string;
  readonly nano: string;
  readonly input: string;
  readonly output: string;
}

const COLUMNS = `policy, hook, model, cause, calls, priced, free, unpriced, unanswered, cost_nano, input_tokens, output_tokens`;
const CELLS = selectRollupsSql(COLUMNS, "true", "judge");

/** One row for each judge, model and cause of the stretch; more than `limit` are not read. */
export async function listSums(
  pool: Pool,
  workspaceId: string,
  stretch: RollupRange,
  limit: number,
): Promise<SumRow[]> {
  const found = await pool.query<SumRow>({
    name: "judges_sums",
    text: `SELECT policy, hook, model, cause, sum(calls) AS calls, sum(priced) AS priced, sum(free) AS free,
             sum(unpriced) AS unpriced, sum(unanswered) AS unanswered, sum(cost_nano) AS nano,
             sum(input_tokens) AS input, sum(output_tokens) AS output
           FROM (${CELLS}) AS cells GROUP BY policy, hook, model, cause ORDER BY sum(calls) DESC, 1, 2, 3, 4 LIMIT $8`,
    values: [...selectRollupsParameters(workspaceId, stretch), limit],
  });
  return found.rows;
}

export interface CallRow {
  readonly occurred_at: Date;
  readonly dispatch_id: string;
  readonly place: number;
  readonly agent_name: string;
  readonly event: string;
  readonly tool_name: string | null;
  readonly policy: string;
  readonly revision: number;
  readonly hook: string;
  readonly model: string;
  readonly provider: string;
  readonly verdict: string;
  readonly cause: string;
  readonly pricing: "priced" | "free" | "unpriced" | "unanswered";
  readonly cost_nano: string | null;
  readonly input_tokens: string | null;
  readonly output_tokens: string | null;
  readonly latency_ms: number | null;
}
const CALL = `call.occurred_at, call.dispatch_id, call.place, call.agent_name, call.event, call.tool_name, call.policy,
  call.revision, call.hook, call.model, call.provider, call.verdict, call.cause, call.pricing, call.cost_nano,
  call.input_tokens + coalesce(call.cached_input_tokens, 0) + coalesce(call.cache_write_tokens, 0) AS input_tokens,
  call.output_tokens, call.latency_ms`;

/** The newest calls before the cursor that pass every filter that is set; one more than asked for when there are more. */
export async function listCalls(
  pool: Pool,
  workspaceId: string,
  { from, to, causes, verdicts, hooks, models, text, cursor, limit }: JudgeCallsInput,
): Promise<CallRow[]> {
  const values: unknown[] = [workspaceId, from, to, limit + 1];
  const put = (value: unknown) => `$${values.push(value)}`;
  const where = [
    ...(causes.length > 0 ? [`call.cause = ANY(${put(causes)}::text[])`] : []),
    ...(verdicts.length > 0 ? [`call.verdict = ANY(${put(verdicts)}::text[])`] : []),
    ...(hooks.length > 0 ? [`call.hook = ANY(${put(hooks)}::text[])`] : []),
    ...(models.length > 0 ? [`call.model = ANY(${put(models)}::text[])`] : []),
    ...text
      .split(/\s+/)
      .filter((word) => word !== "")
      .map(
        (word) =>
          `position(lower(${put(word)}) IN lower(call.hook || ' ' || call.model || ' ' || call.policy || ' ' || call.agent_name)) > 0`,
      ),
    ...(cursor
      ? [
          `(call.occurred_at, call.dispatch_id, call.place) < (${put(cursor.occurredAt)}::timestamptz, ${put(cursor.id)}::uuid, ${put(cursor.place)}::int)`,
        ]
      : []),
  ];
  const found = await pool.query<CallRow>(
    `SELECT ${CALL} FROM judge_call AS call
     WHERE call.workspace_id = $1 AND call.occurred_at >= $2 AND call.occurred_at < $3
       ${where.map((condition) => `AND ${condition}`).join(" ")}
     ORDER BY call.occurred_at DESC, call.dispatch_id DESC, call.place DESC LIMIT $4`,
    values,
  );
  return found.rows;
}

/** One call, with the stored hooks of its dispatch; null if either was dropped. */
export async function findCall(pool: Pool, workspaceId: string, { occurredAt, id, place }: JudgeCallKey) {
  const found = await pool.query<CallRow & { hooks: string; is_decision: boolean }>({
    name: "judges_call",
    text: `SELECT ${CALL}, dispatch.hooks, EXISTS (SELECT 1 FROM tool_decision AS decision
             WHERE decision.workspace_id = call.workspace_id AND decision.occurred_at = call.occurred_at
               AND decision.dispatch_id = call.dispatch_id) AS is_decision
           FROM judge_call AS call
           JOIN dispatch ON dispatch.occurred_at = call.occurred_at AND dispatch.id = call.dispatch_id
             AND dispatch.workspace_id = call.workspace_id
           WHERE call.workspace_id = $1 AND call.occurred_at = $2 AND call.dispatch_id = $3 AND call.place = $4`,
    values: [workspaceId, occurredAt, id, place],
  });
  return found.rows[0] ?? null;
}
