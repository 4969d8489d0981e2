/** The sums that measures compare: rollups of dispatches, judges and spend, and the denials of people. */
import type { Pool } from "../platform/db.ts";
import { type RollupRange, selectRollupsParameters, selectRollupsSql } from "../recording/index.ts";
import type { Sums } from "./condition.ts";
import type { Condition } from "./schema.ts";

/** `spend`: rollups of model calls by person. `denials`: the decisions themselves, because no rollup of denials names a person. */
export type Family = "rollup" | "judge" | "spend" | "denials";
type Filters = Pick<Condition, "agentId" | "groupId" | "modelId" | "personId" | "signOnGroupId">;
/** Computed, because no column holds it: a question can fail whether or not its reply has a price. */
const EXPRESSIONS: Readonly<Record<string, string>> = { failed: "CASE WHEN cause = '' THEN 0 ELSE calls END" };
const expressionOf = (name: string): string => EXPRESSIONS[name] ?? name;
const KIND_OF_DENIAL: Readonly<Record<string, string>> = { gate_denied: "gate", denied: "final" };
/** Columns of `denials`: the number of denied decisions of one kind. */
const countedSql = (columns: readonly string[]) =>
  ["1 AS cells", ...columns.map((name) => `count(*) FILTER (WHERE kind = '${KIND_OF_DENIAL[name]}') AS ${name}`)].join(
    ", ",
  );

/** Holds for columns of `MEASURES`, which are constants and not input. */
const sums = (columns: readonly string[], of: (name: string) => string) =>
  ["count(*) AS cells", ...columns.map((name) => `coalesce(sum(${of(name)}), 0) AS ${name}`)].join(", ");

/** SQL over a rollup's row, with its values from $`from` on. */
function narrowed({ agentId, groupId, modelId, personId, signOnGroupId }: Filters, from: number) {
  const conditions = ["true"];
  const values: string[] = [];
  const take = (value: string) => `$${from + values.push(value) - 1}`;
  if (agentId !== null) conditions.push(`agent_id = ${take(agentId)}`);
  if (groupId !== null)
    conditions.push(`agent_id IN (SELECT agent_id FROM agent_group_member
      WHERE workspace_id = $1 AND group_id = ${take(groupId)})`);
  if (modelId !== null) conditions.push(`model_id = ${take(modelId)}`);
  // People who were merged since count together.
  if (personId !== null)
    conditions.push(`principal_id IN (SELECT one.id FROM principal AS one JOIN principal AS named
        ON named.workspace_id = one.workspace_id AND coalesce(named.merged_into, named.id) = coalesce(one.merged_into, one.id)
      WHERE named.workspace_id = $1 AND named.id = ${take(personId)})`);
  if (signOnGroupId !== null)
    conditions.push(`principal_id IN (SELECT one.id FROM principal AS one JOIN principal AS own
        ON own.workspace_id = one.workspace_id AND coalesce(own.merged_into, own.id) = coalesce(one.merged_into, one.id)
      JOIN sign_on_group_member AS member ON member.workspace_id = own.workspace_id AND member.person_id = own.account_id
      WHERE member.workspace_id = $1 AND member.group_id = ${take(signOnGroupId)})`);
  return { sql: conditions.join(" AND "), values };
}

const sumsIn = (row: Readonly<Record<string, string>> | undefined): Sums => ({
  cells: BigInt(row?.cells ?? 0),
  of: (column) => BigInt(row?.[column] ?? 0),
});

/** The columns summed over a stretch. */
export async function findSums(
  pool: Pool,
  workspaceId: string,
  {
    family,
    columns,
    filters,
  }: { readonly family: Family; readonly columns: readonly string[]; readonly filters: Filters },
  stretch: RollupRange,
): Promise<Sums> {
  if (family === "denials") return findDenials(pool, workspaceId, { columns, filters }, stretch);
  const { sql, values } = narrowed(filters, 8);
  const selected = columns.map((name) => `${expressionOf(name)} AS ${name}`).join(", ");
  const cells = selectRollupsSql(selected || "bucket", sql, family);
  const { rows } = await pool.query<Record<string, string>>({
    text: `SELECT ${sums(columns, (name) => name)} FROM (${cells}) AS cell`,
    values: [...selectRollupsParameters(workspaceId, stretch), ...values],
  });
  return sumsIn(rows[0]);
}

export interface Bucket extends Sums {
  readonly atMs: number;
}

/** The columns summed by bucket of one rollup. */
export async function listBuckets(
  pool: Pool,
  workspaceId: string,
  of: {
    readonly family: Family;
    readonly columns: readonly string[];
    readonly filters: Filters;
    readonly width: "minute" | "hour" | "day";
  },
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<Bucket[]> {
  const { sql, values } = narrowed(of.filters, 4);
  const text =
    of.family === "denials"
      ? `SELECT date_trunc('${of.width}', occurred_at, 'UTC') AS bucket, ${countedSql(of.columns)} FROM tool_decision
         WHERE workspace_id = $1 AND verdict = 'deny' AND occurred_at >= $2 AND occurred_at < $3 AND ${sql}
         GROUP BY bucket ORDER BY bucket`
      : `SELECT bucket, ${sums(of.columns, expressionOf)} FROM ${of.family}_${of.width}
         WHERE workspace_id = $1 AND bucket >= $2 AND bucket < $3 AND ${sql} GROUP BY bucket ORDER BY bucket`;
  const { rows } = await pool.query<Record<string, string> & { bucket: Date }>({
    text,
    values: [workspaceId, from, to, ...values],
  });
  return rows.map((row) => ({ ...sumsIn(row), atMs: row.bucket.getTime() }));
}

/** Always one cell: no denial is a known zero. */
async function findDenials(
  pool: Pool,
  workspaceId: string,
  { columns, filters }: { readonly columns: readonly string[]; readonly filters: Filters },
  { from, to }: RollupRange,
): Promise<Sums> {
  const { sql, values } = narrowed(filters, 4);
  const { rows } = await pool.query<Record<string, string>>({
    text: `SELECT ${countedSql(columns)} FROM tool_decision
           WHERE workspace_id = $1 AND verdict = 'deny' AND occurred_at >= $2 AND occurred_at < $3 AND ${sql}`,
    values: [workspaceId, from, to, ...values],
  });
  return sumsIn(rows[0]);
}
