/**
 * Daily sums cover UTC days. If a workspace's days begin at another midnight, the difference is moved from one day to
 * the other. It is taken from the hourly sums and, where these are not enough, from the rows themselves.
 */
import { DAY_MS, finestKeptUnitMs } from "./rollup-ranges.ts";

const HOUR = DAY_MS / 24;

/**
 * The border between two days or months, for the workspace and for the daily sums. A null name means that there is no
 * day.
 */
export interface DayBoundary {
  readonly before: string | null;
  readonly after: string | null;
  readonly startsAt: Date;
  readonly utcStart: Date;
}

/** Sums of [from, to) that are added to the named day or month, or subtracted from it. */
export interface DayShift {
  readonly unit: "hour" | "row";
  readonly from: Date;
  readonly to: Date;
  readonly name: string;
  readonly sign: 1 | -1;
}

/** Midnight UTC of a day, as sums by the day have its beginning. */
export const utcStartOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** The shifts of boundaries within the range. */
export function dayShiftsOf(
  boundaries: readonly DayBoundary[],
  range?: { readonly from: Date; readonly to: Date },
  nowMs = Date.now(),
): DayShift[] {
  return boundaries.flatMap(({ before, after, startsAt, utcStart }) => {
    const [zoneMs, utcMs] = [startsAt.getTime(), utcStart.getTime()];
    const from = Math.max(Math.min(zoneMs, utcMs), range?.from.getTime() ?? -Infinity);
    const to = Math.min(Math.max(zoneMs, utcMs), range?.to.getTime() ?? Infinity);
    const [gaining, losing] = zoneMs < utcMs ? [after, before] : [before, after];
    return piecesOf(from, to, nowMs).flatMap((piece) => [
      ...(gaining === null ? [] : [{ ...piece, name: gaining, sign: 1 as const }]),
      ...(losing === null ? [] : [{ ...piece, name: losing, sign: -1 as const }]),
    ]);
  });
}

/** Whole hours while they are kept, and rows for the rest. */
function piecesOf(fromMs: number, toMs: number, nowMs: number): Pick<DayShift, "unit" | "from" | "to">[] {
  const [hourFrom, hourTo] = [Math.ceil(fromMs / HOUR) * HOUR, Math.floor(toMs / HOUR) * HOUR];
  const hasHours = hourFrom < hourTo && finestKeptUnitMs(fromMs, nowMs) <= HOUR;
  const pieces = hasHours
    ? ([
        ["row", fromMs, hourFrom],
        ["hour", hourFrom, hourTo],
        ["row", hourTo, toMs],
      ] as const)
    : ([["row", fromMs, toMs]] as const);
  return pieces
    .filter(([, from, to]) => from < to)
    .map(([unit, from, to]) => ({ unit, from: new Date(from), to: new Date(to) }));
}

type Family = "rollup" | "ledger" | "judge" | "spend";

/** The rows that each family's sums are made of, with the names of its columns. */
const ROWS: Readonly<Record<Family, (range: string) => string>> = {
  rollup: (range) => `
    SELECT agent_id, agent_name, model_id, CASE WHEN cost_usd <> 0 THEN 1 ELSE 0 END AS calls_priced,
      CASE WHEN cost_usd = 0 THEN 1 ELSE 0 END AS calls_free, CASE WHEN cost_usd IS NULL THEN 1 ELSE 0 END AS calls_unpriced,
      CASE WHEN has_usage THEN 0 ELSE 1 END AS calls_without_usage, coalesce(cost_nano, 0) AS cost_nano,
      coalesce(input_tokens, 0) AS input_tokens, coalesce(output_tokens, 0) AS output_tokens,
      coalesce(cached_input_tokens, 0) AS cached_input_tokens, coalesce(cached_write_tokens, 0) AS cached_write_tokens,
      coalesce(reasoning_tokens, 0) AS reasoning_tokens, 0 AS compactions
    FROM llm_call WHERE workspace_id = $1 AND ${range}
    UNION ALL SELECT agent_id, agent_name, model_id, priced, free, unpriced, 0, corrected_nano, 0, 0, 0, 0, 0, 0
    FROM ledger_entry WHERE workspace_id = $1 AND kind = 'correction' AND ${range}
    UNION ALL SELECT agent_id, agent_name, '', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
    FROM compaction WHERE workspace_id = $1 AND event = 'after_compaction' AND ${range}`,
  ledger: (range) => `
    SELECT agent_id, agent_name, model_id, corrected, corrected_nano, estimated, estimated_nano
    FROM ledger_entry WHERE workspace_id = $1 AND ${range}`,
  spend: (range) => `
    SELECT agent_id, agent_name, model_id, principal_id, CASE WHEN cost_usd <> 0 THEN 1 ELSE 0 END AS calls_priced,
      CASE WHEN cost_usd = 0 THEN 1 ELSE 0 END AS calls_free, CASE WHEN cost_usd IS NULL THEN 1 ELSE 0 END AS calls_unpriced,
      CASE WHEN has_usage THEN 0 ELSE 1 END AS calls_without_usage, coalesce(cost_nano, 0) AS cost_nano,
      coalesce(input_tokens, 0) AS input_tokens, coalesce(output_tokens, 0) AS output_tokens,
      coalesce(cached_input_tokens, 0) AS cached_input_tokens, coalesce(cached_write_tokens, 0) AS cached_write_tokens,
      coalesce(reasoning_tokens, 0) AS reasoning_tokens
    FROM llm_call WHERE workspace_id = $1 AND principal_id IS NOT NULL AND ${range}`,
  judge: (range) => `
    SELECT 1 AS calls, CASE pricing WHEN 'priced' THEN 1 ELSE 0 END AS priced,
      CASE pricing WHEN 'free' THEN 1 ELSE 0 END AS free, CASE pricing WHEN 'unpriced' THEN 1 ELSE 0 END AS unpriced,
      coalesce(cost_nano, 0) AS cost_nano
    FROM judge_call WHERE workspace_id = $1 AND ${range}`,
};

/**
 * SQL for the shifted sums: `name`, the keys, and the sums with their sign. The parameters of `dayShiftParameters`
 * begin at `first`; $1 is the workspace.
 */
export function selectDayShiftsSql(
  family: Family,
  { keys, sums, first }: { readonly keys: readonly string[]; readonly sums: readonly string[]; readonly first: number },
): string {
  const shifts = `unnest($${first}::text[], $${first + 1}::timestamptz[], $${first + 2}::timestamptz[], $${first + 3}::text[],
    $${first + 4}::int[]) AS shift (unit, from_at, to_at, name, sign)`;
  const columns = ["shift.name", ...keys, ...sums.map((sum) => `shift.sign * ${sum} AS ${sum}`)].join(", ");
  const part = (unit: DayShift["unit"], cells: string) =>
    `SELECT ${columns} FROM ${shifts} CROSS JOIN LATERAL (${cells}) AS cell WHERE shift.unit = '${unit}'`;
  const within = (column: string) => `${column} >= shift.from_at AND ${column} < shift.to_at`;
  return `${part("hour", `SELECT * FROM ${family}_hour WHERE workspace_id = $1 AND ${within("bucket")}`)}
    UNION ALL ${part("row", ROWS[family](within("occurred_at")))}`;
}

export const dayShiftParameters = (shifts: readonly DayShift[]): (string[] | number[])[] => [
  shifts.map(({ unit }) => unit),
  shifts.map(({ from }) => from.toISOString()),
  shifts.map(({ to }) => to.toISOString()),
  shifts.map(({ name }) => name),
  shifts.map(({ sign }) => sign),
];
