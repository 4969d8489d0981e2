/**
 * Sums of a time range by one or two dimensions, with those of the range before. All dimensions except sessions come
 * from rollups.
 */
import type { Database } from "../platform/db.ts";
import {
  type DayShift,
  dayShiftParameters,
  type RollupRange,
  SPEND_COUNTS,
  selectDayShiftsSql,
  selectRollupsParameters,
  selectRollupsSql,
} from "../recording/index.ts";
import type { Dimension } from "./schema.ts";

const ENTRY_SUMS = ["corrected", "corrected_nano", "estimated", "estimated_nano"] as const;
const PREVIOUS = ["previous_calls", "previous_unpriced", "previous_nano"] as const;
const SUMS = [...SPEND_COUNTS, ...ENTRY_SUMS, ...PREVIOUS] as const;

/** Sums as PostgreSQL returns them, in digits. A null `a` or `b` is the sum of the unlisted ones. */
export type PivotRow = { readonly a: string | null; readonly b: string | null; readonly groups: string } & {
  readonly [Name in (typeof SUMS)[number]]: string;
};

export type RollupDimension = Exclude<Dimension, "session" | "root">;

/** The line of a rollup row. Several groups or tags of an agent are one line: every call is on exactly one. */
const NAMES: Readonly<Record<RollupDimension, string>> = {
  agent: "agent_name",
  person: "coalesce(coalesce(who.merged_into, who.id)::text, '')",
  model: "model_id",
  provider: "CASE WHEN position('/' IN model_id) > 1 THEN split_part(model_id, '/', 1) ELSE '' END",
  day: "cells.day",
  group: "coalesce(label.groups, '')",
  tag: "coalesce(label.tags, '')",
  workspace: "(SELECT name FROM workspace WHERE id = $1)",
};

const LABELS = `LEFT JOIN (
    SELECT agent.id, array_to_string(ARRAY(SELECT DISTINCT tag FROM unnest(agent.tags) AS tag ORDER BY tag), ' + ') AS tags,
      (SELECT string_agg(named.name, ' + ' ORDER BY named.position, named.id) FROM agent_group_member AS member
        JOIN agent_group AS named ON named.workspace_id = member.workspace_id AND named.id = member.group_id
        WHERE member.workspace_id = agent.workspace_id AND member.agent_id = agent.id) AS groups
    FROM agent WHERE agent.workspace_id = $1) AS label ON label.id = cells.agent_id`;

const PEOPLE = "LEFT JOIN principal AS who ON who.workspace_id = $1 AND who.id = cells.principal_id";

const zeros = (names: readonly string[]) => names.map((name) => `0 AS ${name}`).join(", ");
const dayUtc = (at: string) => `to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
/** The day of an instant: the last one that had begun. The first instants of days are parameter `first`, their names the next. */
const dayOf = (at: string, first: number) =>
  `coalesce(($${first + 1}::text[])[width_bucket(${at}, $${first}::timestamptz[])], ${dayUtc(at)})`;
const DAY_UTC = dayUtc("bucket");
const WHOSE = ["agent_id", "agent_name", "model_id"];
const KEYS = WHOSE.join(", ");
const IS_CALL = "calls_priced + calls_free + calls_unpriced > 0";
const CALLS_OF = `${KEYS}, ${SPEND_COUNTS.join(", ")}`;
const ENTRIES_OF = `${KEYS}, ${ENTRY_SUMS.join(", ")}`;
const ASIDE = `${ENTRY_SUMS.map(() => "0").join(", ")}, ${PREVIOUS.map(() => "0").join(", ")}`;
const NO_CALLS = SPEND_COUNTS.map(() => "0").join(", ");
const NO_ENTRIES = ENTRY_SUMS.map(() => "0").join(", ");
const NO_PREVIOUS = PREVIOUS.map(() => "0").join(", ");
/** Sums of the range and of the one before. Lines of days have their calls by days UTC, and then what moves between those. */
const cells = (isByDay: boolean) => `
  SELECT ${isByDay ? DAY_UTC : "NULL::text"} AS day, ${CALLS_OF}, ${zeros(ENTRY_SUMS)}, ${zeros(PREVIOUS)}
    FROM (${selectRollupsSql(`bucket, ${CALLS_OF}`, IS_CALL)}) AS calls
  UNION ALL SELECT ${isByDay ? DAY_UTC : "NULL"}, ${KEYS}, ${NO_CALLS}, ${ENTRY_SUMS.join(", ")}, ${NO_PREVIOUS}
    FROM (${selectRollupsSql(`bucket, ${ENTRIES_OF}`, "true", "ledger")}) AS entries
  UNION ALL SELECT NULL, ${KEYS}, ${NO_CALLS}, ${ENTRY_SUMS.map(() => "0").join(", ")},
      calls_priced + calls_free + calls_unpriced, calls_unpriced, cost_nano
    FROM (${selectRollupsSql(`${KEYS}, calls_priced, calls_free, calls_unpriced, cost_nano`, IS_CALL, "rollup", 8)}) AS before
  ${isByDay ? MOVED : ""}`;
const SPEND_MOVED = `
  UNION ALL SELECT name, ${KEYS}, principal_id, ${SPEND_COUNTS.join(", ")}, ${ASIDE}
    FROM (${selectDayShiftsSql("spend", { keys: [...WHOSE, "principal_id"], sums: SPEND_COUNTS, first: 16 })}) AS moved_spend`;
const MOVED = `
  UNION ALL SELECT moved.*, ${ASIDE} FROM (${selectDayShiftsSql("rollup", { keys: WHOSE, sums: SPEND_COUNTS, first: 16 })}) AS moved
  UNION ALL SELECT name, ${KEYS}, ${NO_CALLS}, ${ENTRY_SUMS.join(", ")}, ${NO_PREVIOUS}
    FROM (${selectDayShiftsSql("ledger", { keys: WHOSE, sums: ENTRY_SUMS, first: 16 })}) AS moved_entries`;
/**
 * The same with the principal: the sums of all calls are those of an unknown person, and each known person's are moved from
 * there. So people always add up to the total. Entries of the ledger are few, and are read one by one.
 */
const personCells = (isByDay: boolean) => {
  const entry = "priced, free, unpriced, 0, corrected_nano, 0, 0, 0, 0, 0";
  const entries = (columns: string, from: string, to: string) => `SELECT ${columns} FROM ledger_entry
    WHERE workspace_id = $1 AND principal_id IS NOT NULL AND occurred_at >= ${from} AND occurred_at < ${to}`;
  const known = `
    SELECT ${isByDay ? DAY_UTC : "NULL::text"} AS day, ${KEYS}, principal_id, ${SPEND_COUNTS.join(", ")}, ${zeros(ENTRY_SUMS)},
        ${zeros(PREVIOUS)}
      FROM (${selectRollupsSql(`bucket, principal_id, ${CALLS_OF}`, "true", "spend")}) AS calls
    UNION ALL ${entries(`${isByDay ? dayOf("occurred_at", 21) : "NULL"}, ${KEYS}, principal_id, ${entry}, ${ENTRY_SUMS.join(", ")}, ${NO_PREVIOUS}`, "$2", "$7")}
    UNION ALL SELECT NULL, ${KEYS}, principal_id, ${NO_CALLS}, ${NO_ENTRIES}, calls_priced + calls_free + calls_unpriced,
        calls_unpriced, cost_nano
      FROM (${selectRollupsSql(`principal_id, ${CALLS_OF}`, "true", "spend", 8)}) AS before
    UNION ALL ${entries(`NULL, ${KEYS}, principal_id, ${NO_CALLS}, ${NO_ENTRIES}, 0, unpriced, corrected_nano`, "$8", "$13")}
    ${isByDay ? SPEND_MOVED : ""}`;
  const signed = SUMS.map((sum) => `side.sign * ${sum} AS ${sum}`).join(", ");
  return `SELECT day, ${KEYS}, NULL::uuid AS principal_id, ${SUMS.join(", ")} FROM (${cells(isByDay)}) AS whole
    UNION ALL SELECT day, ${KEYS}, CASE WHEN side.sign = 1 THEN principal_id END, ${signed}
      FROM (${known}) AS known CROSS JOIN (VALUES (1), (-1)) AS side (sign)`;
};

/** Omits lines whose calls were all moved to other lines. */
const isAny = (sums: readonly string[]) => `HAVING ${sums.map((sum) => `sum(${sum}) <> 0`).join(" OR ")}`;

const sums = (from: string) => SUMS.map((name) => `coalesce(sum(${from}${name}), 0) AS ${name}`).join(", ");
/** Days are in chronological order, other dimensions in the order of their cost. */
const order = (by: Dimension, name: string) =>
  by === "day"
    ? `${name} DESC`
    : `sum(cost_nano) DESC, sum(calls_priced + calls_free + calls_unpriced) DESC, sum(previous_nano) DESC, ${name}`;

export interface PivotSides {
  readonly stretch: RollupRange;
  /** Null: nothing is compared. */
  readonly before: RollupRange | null;
  /** Between the days of the stretch. */
  readonly shifts: readonly DayShift[];
  /** The first instants of the days from the first zone on that is not UTC; before, days are UTC. */
  readonly days: readonly ZoneDay[];
}

interface ZoneDay {
  readonly day: string;
  readonly starts_at: Date;
}

/**
 * The lines of a pivot. After `linesMax` lines, or `partsMax` parts of a line, the rest is summed under null, so that
 * the parts always add up to the total.
 */
export async function listPivot(
  db: Database,
  workspaceId: string,
  { stretch, before, shifts, days }: PivotSides,
  { by, split }: { by: RollupDimension; split: RollupDimension | null },
  { linesMax, partsMax }: { linesMax: number; partsMax: number },
): Promise<readonly PivotRow[]> {
  const second = split ?? "workspace";
  const b = split === null ? "''::text" : NAMES[split];
  const isByDay = by === "day" || split === "day";
  const isByPerson = by === "person" || split === "person";
  // An empty stretch compares with nothing.
  const { from } = stretch;
  const nothing = { from, hourFrom: from, dayFrom: from, dayTo: from, hourTo: from, to: from };
  const found = await db.pool.query<PivotRow>({
    name: `costs_pivot_${by}_${split}`,
    text: `WITH pairs AS MATERIALIZED (
             SELECT ${NAMES[by]} AS a, ${b} AS b, ${sums("")}
               FROM (${isByPerson ? personCells(isByDay) : cells(isByDay)}) AS cells ${LABELS} ${isByPerson ? PEOPLE : ""} GROUP BY 1, 2
             ${isByPerson ? isAny(SUMS) : isByDay ? isAny([...SPEND_COUNTS, ...ENTRY_SUMS]) : ""}
           ), firsts AS (
             SELECT a, row_number() OVER (ORDER BY ${order(by, "a")}) AS rank FROM pairs GROUP BY a
           ), ranked AS (
             SELECT pairs.*, least(firsts.rank, $14::bigint + 1) AS rank_a, least($15::bigint + 1,
               row_number() OVER (PARTITION BY a ORDER BY ${order(second, "b").replaceAll(/sum\(([^)]*)\)/g, "($1)")})) AS rank_b
             FROM pairs JOIN firsts USING (a)
           ), lines AS (
             SELECT *, CASE WHEN rank_a > $14 THEN 0 ELSE rank_b END AS place FROM ranked
           )
           SELECT CASE WHEN rank_a <= $14 THEN max(a) END AS a, CASE WHEN place BETWEEN 1 AND $15 THEN max(b) END AS b,
             CASE WHEN rank_a > $14 THEN count(DISTINCT a) ELSE count(*) END AS groups, ${sums("")}
           FROM lines GROUP BY rank_a, place ORDER BY rank_a, place`,
    values: [
      ...selectRollupsParameters(workspaceId, stretch),
      ...selectRollupsParameters(workspaceId, before ?? nothing).slice(1),
      linesMax,
      partsMax,
      ...(isByDay ? dayShiftParameters(shifts) : []),
      ...(isByDay && isByPerson ? [days.map(({ starts_at }) => starts_at), days.map(({ day }) => day)] : []),
    ],
  });
  return found.rows;
}

export interface SessionKey {
  readonly agentId: string;
  readonly sessionId: string;
}
export type SessionCell = Omit<PivotRow, "a"> & { readonly agent_id: string; readonly session_id: string };

interface CellsOfSessions {
  readonly sessions: readonly SessionKey[];
  readonly split: RollupDimension | null;
  readonly days: PivotSides["days"];
}

/** Calls and entries of these sessions within a stretch, by session and by what else they are grouped by. */
export async function listSessionCells(
  db: Database,
  workspaceId: string,
  { from, to }: RollupRange,
  { sessions, split, days }: CellsOfSessions,
): Promise<readonly SessionCell[]> {
  const name = split === null ? "''::text" : split === "day" ? dayOf("bucket", 6) : NAMES[split];
  const CALLS = [
    "CASE WHEN cost_usd <> 0 THEN 1 ELSE 0 END",
    "CASE WHEN cost_usd = 0 THEN 1 ELSE 0 END",
    "CASE WHEN cost_usd IS NULL THEN 1 ELSE 0 END",
    "CASE WHEN has_usage THEN 0 ELSE 1 END",
    "cost_nano",
    "input_tokens",
    "output_tokens",
    "cached_input_tokens",
    "cached_write_tokens",
    "reasoning_tokens",
  ].map((value, index) => `${value} AS ${SPEND_COUNTS[index]}`);
  const found = await db.pool.query<SessionCell>({
    name: `costs_session_cells_${split}`,
    text: `WITH wanted AS (SELECT * FROM unnest($4::uuid[], $5::text[]) AS one (agent_id, session_id)), cells AS (
             SELECT wanted.*, own.* FROM wanted CROSS JOIN LATERAL (
               SELECT occurred_at AS bucket, agent_name, model_id, principal_id, ${CALLS.join(", ")}, ${zeros(ENTRY_SUMS)}
               FROM llm_call WHERE workspace_id = $1 AND llm_call.session_id = wanted.session_id
                 AND occurred_at >= $2 AND occurred_at < $3 AND llm_call.agent_id = wanted.agent_id
               UNION ALL
               SELECT occurred_at, agent_name, model_id, principal_id, priced, free, unpriced, 0, corrected_nano, 0, 0, 0, 0, 0,
                 corrected, corrected_nano, estimated, estimated_nano
               FROM ledger_entry WHERE workspace_id = $1 AND ledger_entry.session_id = wanted.session_id
                 AND occurred_at >= $2 AND occurred_at < $3 AND ledger_entry.agent_id = wanted.agent_id OFFSET 0) AS own
           )
           SELECT cells.agent_id, session_id, ${name} AS b, 1::bigint AS groups,
             ${[...SPEND_COUNTS, ...ENTRY_SUMS].map((sum) => `coalesce(sum(${sum}), 0) AS ${sum}`).join(", ")},
             ${PREVIOUS.map((sum) => `0::bigint AS ${sum}`).join(", ")}
           FROM cells ${LABELS} ${split === "person" ? PEOPLE : ""} GROUP BY 1, 2, 3`,
    values: [
      workspaceId,
      from,
      to,
      sessions.map(({ agentId }) => agentId),
      sessions.map(({ sessionId }) => sessionId),
      ...(split === "day" ? [days.map(({ starts_at }) => starts_at), days.map(({ day }) => day)] : []),
    ],
  });
  return found.rows;
}

/** Compaction summaries of a time range: their number, their size, and how many a hook supplied. */
export async function findCompactions(db: Database, workspaceId: string, { from, to }: RollupRange) {
  const found = await db.pool.query<{ applied: string; supplied: string; before: string; untold: string }>({
    name: "costs_compactions",
    text: `SELECT count(*) FILTER (WHERE event = 'after_compaction') AS applied,
             count(*) FILTER (WHERE event = 'before_compaction' AND effect = 'replaced') AS supplied,
             coalesce(sum(input_tokens) FILTER (WHERE event = 'after_compaction'), 0) AS before,
             count(*) FILTER (WHERE event = 'after_compaction' AND coalesce(input_tokens, 0) = 0) AS untold
           FROM compaction WHERE workspace_id = $1 AND occurred_at >= $2 AND occurred_at < $3`,
    values: [workspaceId, from, to],
  });
  return found.rows[0] ?? { applied: "0", supplied: "0", before: "0", untold: "0" };
}
