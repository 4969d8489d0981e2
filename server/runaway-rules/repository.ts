/** The counters of runaway rules: SQL, because they are counted under races. Every instant is PostgreSQL's. */
import type { Pool } from "../platform/db.ts";

/** Digests of a call: of its session, of the tool with its input at one stage, of the request, and of the tool. */
export interface CountedCall {
  readonly agent: string;
  readonly session: Buffer;
  readonly call: bigint;
  readonly request: bigint;
  readonly tool: bigint;
}

/** Seconds since each, the newest first. */
export interface CallCounts {
  readonly callAges: readonly number[];
  readonly failureAges: readonly number[];
}

/** Counts each call, once per request, or only reads the counts. The results are in the order of the calls. */
export async function countCalls(
  pool: Pool,
  workspaceId: string,
  calls: readonly CountedCall[],
  isCounted: boolean,
): Promise<readonly CallCounts[]> {
  const { rows } = await pool.query<CallCounts & { readonly place: number }>({
    name: "guard_calls",
    text: `SELECT place, call_ages AS "callAges", failure_ages AS "failureAges"
           FROM quarterdeck_guard_calls($1::uuid, $2::uuid[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[], $7)
           ORDER BY place`,
    values: [
      workspaceId,
      calls.map(({ agent }) => agent),
      calls.map(({ session }) => session),
      calls.map(({ call }) => String(call)),
      calls.map(({ request }) => String(request)),
      calls.map(({ tool }) => String(tool)),
      isCounted,
    ],
  });
  return rows;
}

/**
 * The agent of a call was removed (its foreign key), or is being removed (a deadlock): this fails the statement for all
 * calls.
 */
const OF_ONE_CALL: ReadonlySet<string> = new Set(["23503", "40P01"]);
const isOfOneCall = (error: unknown): boolean =>
  error instanceof Error && "code" in error && OF_ONE_CALL.has(String(error.code));

/**
 * Counts each call like `countCalls`; if one call fails the whole statement, counts them one by one. Errors are in the
 * position of their call.
 */
export async function countEachCall(
  pool: Pool,
  workspaceId: string,
  calls: readonly CountedCall[],
): Promise<readonly PromiseSettledResult<CallCounts>[]> {
  try {
    return (await countCalls(pool, workspaceId, calls, true)).map((value) => ({ status: "fulfilled", value }) as const);
  } catch (error) {
    if (!isOfOneCall(error)) throw error;
    const each: PromiseSettledResult<CallCounts>[] = [];
    for (const call of calls) each.push(...(await Promise.allSettled([countCall(pool, workspaceId, call)])));
    return each;
  }
}

async function countCall(pool: Pool, workspaceId: string, call: CountedCall): Promise<CallCounts> {
  const [counts] = await countCalls(pool, workspaceId, [call], true);
  if (counts === undefined) throw new Error("a call was not counted");
  return counts;
}

export interface ToolOutcome extends Omit<CountedCall, "call"> {
  readonly isFailure: boolean;
}

export async function noteOutcomes(pool: Pool, workspaceId: string, outcomes: readonly ToolOutcome[]): Promise<void> {
  await pool.query({
    name: "guard_outcomes",
    text: "SELECT quarterdeck_guard_outcomes($1::uuid, $2::uuid[], $3::bytea[], $4::bigint[], $5::bigint[], $6::boolean[])",
    values: [
      workspaceId,
      outcomes.map(({ agent }) => agent),
      outcomes.map(({ session }) => session),
      outcomes.map(({ tool }) => String(tool)),
      outcomes.map(({ request }) => String(request)),
      outcomes.map(({ isFailure }) => isFailure),
    ],
  });
}

/**
 * Clears the counts of one session of an agent, or of all its sessions; locked in the order in which calls are counted.
 */
export async function forgetCounts(
  pool: Pool,
  workspaceId: string,
  agent: string,
  session: Buffer | null,
): Promise<void> {
  await pool.query({
    name: "guard_forget",
    text: `DELETE FROM guarded_session WHERE workspace_id = $1 AND agent_id = $2 AND session_sha256 IN (
             SELECT session_sha256 FROM guarded_session
             WHERE workspace_id = $1 AND agent_id = $2 AND ($3::bytea IS NULL OR session_sha256 = $3)
             ORDER BY session_sha256 FOR UPDATE)`,
    values: [workspaceId, agent, session],
  });
}

/** Nano-dollars by agent, from sums by the minute: the minute in which the time begins counts as a whole. */
export async function listSpend(
  pool: Pool,
  workspaceId: string,
  seconds: number,
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await pool.query<{ agent: string; nano: string }>({
    name: "guard_spend",
    text: `SELECT agent_id AS agent, sum(cost_nano)::text AS nano FROM rollup_minute
           WHERE workspace_id = $1 AND bucket > clock_timestamp() - ($2 + 60) * interval '1 second' AND cost_nano > 0
           GROUP BY agent_id`,
    values: [workspaceId, seconds],
  });
  return new Map(rows.map(({ agent, nano }) => [agent, BigInt(nano)]));
}

/** The instant since which a tool is known, in milliseconds; null for an unknown tool. */
export async function findTool(pool: Pool, workspaceId: string, tool: string): Promise<number | null> {
  const { rows } = await pool.query<{ at: Date }>({
    name: "guard_tool",
    text: "SELECT first_seen_at AS at FROM workspace_tool WHERE workspace_id = $1 AND tool_name = $2",
    values: [workspaceId, tool],
  });
  return rows[0]?.at.getTime() ?? null;
}

/**
 * Matches the first 63 bytes of the name (the index), and then all of it. The instant is when the server received the
 * decision, from the id (UUIDv7): an agent could report any time. Only the earliest rows are read.
 */
const FIRST_DECISION = `SELECT min(to_timestamp(('x' || translate(left(early.dispatch_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0))
  FROM (SELECT dispatch_id FROM tool_decision
    WHERE workspace_id = $1::uuid AND tool_name::name = $2::text::name AND tool_name = $2::text
    ORDER BY occurred_at, dispatch_id LIMIT 100) AS early`;

export async function findFirstDecision(pool: Pool, workspaceId: string, tool: string): Promise<number | null> {
  const { rows } = await pool.query<{ at: Date | null }>({
    name: "guard_first_decision",
    text: `SELECT (${FIRST_DECISION}) AS at`,
    values: [workspaceId, tool],
  });
  return rows[0]?.at?.getTime() ?? null;
}

/** Makes a tool known from its first decision on, or else from now; null where the workspace has too many. */
export async function addTool(pool: Pool, workspaceId: string, tool: string, toolsMax: number): Promise<number | null> {
  const { rows } = await pool.query<{ at: Date }>({
    name: "guard_add_tool",
    text: `INSERT INTO workspace_tool AS known (workspace_id, tool_name, first_seen_at)
           SELECT $1::uuid, $2::text, coalesce((${FIRST_DECISION}), clock_timestamp())
           WHERE (SELECT count(*) FROM workspace_tool WHERE workspace_id = $1::uuid) < $3::integer
           ON CONFLICT (workspace_id, tool_name) DO UPDATE SET first_seen_at = known.first_seen_at
           RETURNING first_seen_at AS at`,
    values: [workspaceId, tool, toolsMax],
  });
  return rows[0]?.at.getTime() ?? null;
}

/** Removes sessions without calls for `hours`, except those that a call locks at the moment; returns their number. */
export async function removeRested(pool: Pool, hours: number, limit: number): Promise<number> {
  const removed = await pool.query({
    name: "guard_remove",
    text: `DELETE FROM guarded_session WHERE (workspace_id, agent_id, session_sha256) IN (
             SELECT workspace_id, agent_id, session_sha256 FROM guarded_session
             WHERE touched_at < clock_timestamp() - $1 * interval '1 hour' LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    values: [hours, limit],
  });
  return removed.rowCount ?? 0;
}

interface Window {
  readonly from: Date;
  readonly to: Date;
}

export async function countRunawayHalts(pool: Pool, workspaceId: string, { from, to }: Window): Promise<bigint> {
  const { rows } = await pool.query<{ count: string }>({
    name: "guard_halts",
    text: "SELECT count(*) AS count FROM halt WHERE workspace_id = $1 AND halted_at >= $2 AND halted_at < $3 AND by_rule",
    values: [workspaceId, from, to],
  });
  return BigInt(rows[0]?.count ?? 0);
}

export async function countNewTools(pool: Pool, workspaceId: string, { from, to }: Window): Promise<bigint> {
  const { rows } = await pool.query<{ count: string }>({
    name: "guard_new_tools",
    text: `SELECT count(*) AS count FROM workspace_tool
           WHERE workspace_id = $1 AND first_seen_at >= $2 AND first_seen_at < $3`,
    values: [workspaceId, from, to],
  });
  return BigInt(rows[0]?.count ?? 0);
}
