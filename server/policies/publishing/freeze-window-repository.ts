/** Freeze windows and their occurrences. Only PostgreSQL calculates with zones, as for days and months. */
import type { Tx } from "../../platform/db.ts";
import type { WindowTimes } from "./freeze-window-schema.ts";

export interface WindowRow {
  readonly id: string;
  readonly times: WindowTimes;
  readonly reason: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly liftedUntil: Date | null;
}

interface Columns {
  readonly id: string;
  readonly reason: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly lifted_until: Date | null;
  readonly from_day: number | null;
  readonly to_day: number | null;
  readonly from_text: string;
  readonly to_text: string;
}

/** The oldest first. */
export async function listWindows(tx: Tx, workspaceId: string): Promise<WindowRow[]> {
  const rows = await tx.$queryRaw<Columns[]>`
    SELECT id, reason, created_by, created_at, lifted_until, from_day::int AS from_day, to_day::int AS to_day,
      coalesce(to_char(from_local, 'YYYY-MM-DD"T"HH24:MI'), to_char(from_time, 'HH24:MI')) AS from_text,
      coalesce(to_char(to_local, 'YYYY-MM-DD"T"HH24:MI'), to_char(to_time, 'HH24:MI')) AS to_text
    FROM freeze_window WHERE workspace_id = ${workspaceId}::uuid ORDER BY created_at, id`;
  return rows.map(({ id, reason, created_by, created_at, lifted_until, ...columns }) => ({
    ...{ id, reason, createdBy: created_by, createdAt: created_at, liftedUntil: lifted_until },
    times: timesOf(columns),
  }));
}

function timesOf(columns: Pick<Columns, "from_day" | "to_day" | "from_text" | "to_text">): WindowTimes {
  const { from_day, to_day, from_text, to_text } = columns;
  if (from_day === null || to_day === null) return { kind: "once", from: from_text, to: to_text };
  return { kind: "weekly", from: { day: from_day, time: from_text }, to: { day: to_day, time: to_text } };
}

export async function insertWindow(
  tx: Tx,
  workspaceId: string,
  { id, times, reason, by }: { id: string; times: WindowTimes; reason: string; by: string },
): Promise<void> {
  if (times.kind === "weekly") {
    const { from, to } = times;
    await tx.$executeRaw`INSERT INTO freeze_window (workspace_id, id, reason, created_by, from_day, from_time, to_day, to_time)
      VALUES (${workspaceId}::uuid, ${id}::uuid, ${reason}, ${by}, ${from.day}, ${from.time}::time, ${to.day}, ${to.time}::time)`;
  } else
    await tx.$executeRaw`INSERT INTO freeze_window (workspace_id, id, reason, created_by, from_local, to_local)
      VALUES (${workspaceId}::uuid, ${id}::uuid, ${reason}, ${by}, ${times.from}::timestamp, ${times.to}::timestamp)`;
}

export async function removeWindow(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM freeze_window WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`;
}

/** Lifts the occurrence of a window that ends at an instant. */
export async function updateLifted(tx: Tx, workspaceId: string, id: string, until: Date): Promise<void> {
  await tx.$executeRaw`UPDATE freeze_window SET lifted_until = ${until}
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`;
}

/** One occurrence of a window. */
export interface SpanRow {
  readonly id: string;
  readonly reason: string;
  readonly createdBy: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly timeZone: string;
  readonly isLifted: boolean;
}

/** The occurrences that touch a range, the earliest first. */
export async function listSpans(
  tx: Tx,
  workspaceId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<SpanRow[]> {
  return tx.$queryRaw<SpanRow[]>`
    SELECT span.id, reason, created_by AS "createdBy", starts_at AS "startsAt", ends_at AS "endsAt",
      quarterdeck_zone_on(${workspaceId}::uuid, end_day) AS "timeZone",
      coalesce(lifted_until >= ends_at, false) AS "isLifted"
    FROM quarterdeck_freeze_spans(${workspaceId}::uuid, ${from}::timestamptz, ${to}::timestamptz) AS span
    JOIN freeze_window AS kept ON kept.workspace_id = ${workspaceId}::uuid AND kept.id = span.id
    ORDER BY starts_at, span.id`;
}

export async function findTimeZone(tx: Tx, workspaceId: string, at: Date): Promise<string> {
  const found = await tx.$queryRaw<{ zone: string }[]>`
    SELECT quarterdeck_zone_on(${workspaceId}::uuid, quarterdeck_day_of(${workspaceId}::uuid, ${at}::timestamptz)) AS zone`;
  return found[0]?.zone ?? "UTC";
}
