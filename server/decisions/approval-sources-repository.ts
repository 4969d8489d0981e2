/** Reads of how calls were settled, from the sums per hour and day. */
import { APPROVAL_SOURCE_KINDS, sourcesOf } from "@quarterdeck/hooks/contract/approval-sources";
import type { Pool } from "../platform/db.ts";
import { type HourRollupRange, selectHourRollupsParameters, selectHourRollupsSql } from "../recording/index.ts";
import type { ApprovalSourcesInput } from "./schema.ts";

/** The kind of the source in `column`, as SQL. The values come from a fixed table. */
export function kindSql(column: string): string {
  const cases = APPROVAL_SOURCE_KINDS.flatMap((kind) => {
    const names = sourcesOf(kind).map((source) => `'${source}'`);
    return names.length === 0 ? [] : [`WHEN ${column} IN (${names.join(", ")}) THEN '${kind}'`];
  });
  return `CASE ${cases.join(" ")} WHEN ${column} ~ '^\\w+_hook_(allow|ask|deny)$' THEN 'hook' ELSE 'unknown' END`;
}
const KIND = `CASE WHEN by_judge THEN 'judge' ELSE ${kindSql("source")} END`;

const VERDICTS: Readonly<Record<ApprovalSourcesInput["verdict"], string>> = {
  passed: "verdict = 'allow'",
  refused: "verdict <> 'allow'",
  all: "true",
};

export interface LineRow {
  /** Both null: all beyond the limit. */
  readonly agent: string | null;
  readonly tool: string | null;
  readonly kind: string;
  readonly count: string;
}

/** Calls by agent and tool and kind: of the `limit` pairs with the most calls, and of all others together. */
export async function listLines(
  pool: Pool,
  workspaceId: string,
  stretch: HourRollupRange,
  verdict: ApprovalSourcesInput["verdict"],
  limit: number,
): Promise<LineRow[]> {
  const found = await pool.query<LineRow>({
    text: `WITH cells AS MATERIALIZED (
             SELECT agent_name, tool_name, ${KIND} AS kind, sum(count) AS count
             FROM (${selectHourRollupsSql("decision", "agent_name, tool_name, source, by_judge, count", VERDICTS[verdict])}) AS cell
             GROUP BY 1, 2, 3
           ), top AS (
             SELECT agent_name, tool_name FROM cells GROUP BY 1, 2 ORDER BY sum(count) DESC, 1, 2 LIMIT $6
           )
           SELECT top.agent_name AS agent, top.tool_name AS tool, kind, sum(count) AS count
           FROM cells LEFT JOIN top USING (agent_name, tool_name) GROUP BY 1, 2, 3`,
    values: [...selectHourRollupsParameters(workspaceId, stretch), limit],
  });
  return found.rows;
}

export interface SourceRow {
  readonly source: string;
  readonly by_judge: boolean;
  readonly verdict: string;
  readonly kind: string;
  readonly count: string;
}

export async function listSources(
  pool: Pool,
  workspaceId: string,
  stretch: HourRollupRange,
  verdict: ApprovalSourcesInput["verdict"],
  limit: number,
): Promise<SourceRow[]> {
  const found = await pool.query<SourceRow>({
    text: `SELECT source, by_judge, verdict, ${KIND} AS kind, sum(count) AS count
           FROM (${selectHourRollupsSql("decision", "source, by_judge, verdict, count", VERDICTS[verdict])}) AS cell
           GROUP BY 1, 2, 3, 4 ORDER BY sum(count) DESC, 1, 2, 3 LIMIT $6`,
    values: [...selectHourRollupsParameters(workspaceId, stretch), limit],
  });
  return found.rows;
}

export interface PointRow {
  readonly at: Date;
  readonly kind: string;
  readonly count: string;
}

export interface ApprovalSourceBuckets {
  readonly from: Date;
  readonly to: Date;
  readonly bucketMs: number;
  readonly unit: "hour" | "day";
}

/** One row per bucket and kind in which anything was settled. */
export async function listPoints(
  pool: Pool,
  workspaceId: string,
  { from, to, bucketMs, unit }: ApprovalSourceBuckets,
  verdict: ApprovalSourcesInput["verdict"],
): Promise<PointRow[]> {
  const found = await pool.query<PointRow>({
    text: `SELECT date_bin($4::bigint * interval '1 millisecond', bucket, timestamptz '1970-01-01Z') AS at, ${KIND} AS kind,
             sum(count) AS count
           FROM decision_${unit} WHERE workspace_id = $1 AND bucket >= $2 AND bucket < $3 AND ${VERDICTS[verdict]}
           GROUP BY 1, 2 ORDER BY 1, 2`,
    values: [workspaceId, from, to, bucketMs],
  });
  return found.rows;
}

export interface FinalRow {
  readonly kind: string;
  readonly verdict: string;
  readonly count: string;
}

/** The final decisions of a stretch by kind of source and verdict. */
export async function countFinalDecisions(
  pool: Pool,
  workspaceId: string,
  stretch: HourRollupRange,
): Promise<FinalRow[]> {
  const found = await pool.query<FinalRow>({
    text: `SELECT ${KIND} AS kind, verdict, sum(count) AS count
           FROM (SELECT source, by_judge, verdict, sum(count) AS count
                 FROM (${selectHourRollupsSql("decision", "source, by_judge, verdict, count")}) AS cell GROUP BY 1, 2, 3) AS named
           GROUP BY 1, 2`,
    values: selectHourRollupsParameters(workspaceId, stretch),
  });
  return found.rows;
}
