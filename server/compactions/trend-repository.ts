/** Sums and medians over the joined records of a range. */
import type { Pool } from "../platform/db.ts";
import type { GroupBy } from "./schema.ts";
import { measures } from "./schema.ts";

const COLUMNS: Readonly<Record<GroupBy, string>> = { model: "model_id", agent: "agent_name", reason: "reason" };
const IN_RANGE = "workspace_id = $1 AND occurred_at >= $2 AND occurred_at < $3";

const middle = (of: string) => `percentile_disc(0.5) WITHIN GROUP (ORDER BY ${of})`;
const FIGURES = `count(*)::int AS attempts, count(*) FILTER (WHERE state = 'applied')::int AS applied,
  ${middle("tokens_after::float8 / nullif(tokens_before, 0)")} AS ratio,
  count(is_troubled)::int AS judged, count(*) FILTER (WHERE is_troubled)::int AS troubled`;

export interface FiguresRow {
  readonly attempts: number;
  readonly applied: number;
  readonly ratio: number | null;
  readonly judged: number;
  readonly troubled: number;
}

interface Range {
  readonly from: Date;
  readonly to: Date;
}

/** The time of the first joined attempt of the range; null when there are no attempts. */
export async function findFirstAttemptTime(pool: Pool, workspaceId: string, { from, to }: Range): Promise<Date | null> {
  const { rows } = await pool.query<{ occurred_at: Date }>({
    name: "compaction_trend_first",
    text: `SELECT occurred_at FROM compaction_record WHERE ${IN_RANGE} ORDER BY occurred_at LIMIT 1`,
    values: [workspaceId, from, to],
  });
  return rows[0]?.occurred_at ?? null;
}

/** The groups with the most attempts, at most `limit`. */
export async function listLargestGroups(
  pool: Pool,
  workspaceId: string,
  { from, to }: Range,
  by: GroupBy,
  limit: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>({
    name: `compaction_trend_keys_${by}`,
    text: `SELECT ${COLUMNS[by]} AS key FROM compaction_record WHERE ${IN_RANGE}
           GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT $4`,
    values: [workspaceId, from, to, limit],
  });
  return rows.map(({ key }) => key);
}

export type PointRow = FiguresRow & { readonly bucket: number; readonly key: string | null };

/** Buckets of `bucketMs` counted from `from`; every group that is not one of `keys` together under null. */
export async function listTrendPoints(
  pool: Pool,
  workspaceId: string,
  { from, to }: Range,
  by: GroupBy,
  bucketMs: number,
  keys: readonly string[],
): Promise<PointRow[]> {
  const { rows } = await pool.query<PointRow>({
    name: `compaction_trend_${by}`,
    text: `SELECT floor(extract(epoch FROM occurred_at - $2) * 1000 / $4::float8)::int AS bucket,
             CASE WHEN ${COLUMNS[by]} = ANY($5::text[]) THEN ${COLUMNS[by]} END AS key, ${FIGURES}
           FROM compaction_record WHERE ${IN_RANGE} GROUP BY 1, 2 ORDER BY 1, 2`,
    values: [workspaceId, from, to, bucketMs, keys],
  });
  return rows;
}

const MEASURES = measures.keyof().options;
const SUMS = (["before", "after"] as const).flatMap((when) =>
  // Only attempts that can be compared count: a baseline without later turns says nothing.
  MEASURES.map(
    (name) => `coalesce(sum(${when}_${name}) FILTER (WHERE is_troubled IS NOT NULL), 0)::float8 AS ${when}_${name}`,
  ),
);

export type LineRow = FiguresRow & {
  readonly name: string | null;
  readonly groups: number;
  readonly vetoed: number;
  readonly before: string | null;
  readonly after: string | null;
  readonly duration: string | null;
  readonly hooks_failed: number;
  readonly summaries: number;
  readonly leaking: number;
  readonly secrets: number;
  readonly cost_nano: string;
  readonly costs_told: number;
} & Readonly<Record<`${"before" | "after"}_${(typeof MEASURES)[number]}`, number>>;

/** The largest `limit` groups, and all together as the one whose name is null; each with how many groups there are. */
export async function listBreakdownRows(
  pool: Pool,
  workspaceId: string,
  { from, to }: Range,
  by: GroupBy,
  limit: number,
): Promise<LineRow[]> {
  const { rows } = await pool.query<LineRow>({
    name: `compaction_breakdown_${by}`,
    text: `SELECT ${COLUMNS[by]} AS name, (count(*) OVER () - 1)::int AS groups, ${FIGURES},
             count(*) FILTER (WHERE state = 'vetoed')::int AS vetoed, ${middle("tokens_before")} AS before,
             ${middle("tokens_after")} AS after,
             percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE state = 'applied') AS duration,
             sum(hooks_failed)::int AS hooks_failed, count(secrets)::int AS summaries,
             count(*) FILTER (WHERE secrets > 0)::int AS leaking, coalesce(sum(secrets), 0)::int AS secrets,
             coalesce(sum(cost_nano), 0)::bigint AS cost_nano, count(cost_nano)::int AS costs_told, ${SUMS.join(", ")}
           FROM compaction_record WHERE ${IN_RANGE} GROUP BY GROUPING SETS ((${COLUMNS[by]}), ())
           ORDER BY ${COLUMNS[by]} IS NULL DESC, attempts DESC, 1 LIMIT $4 + 1`,
    values: [workspaceId, from, to, limit],
  });
  return rows;
}
