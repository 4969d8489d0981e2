/** `verify projections`: figures computed anew from the log and held against the stored ones, day by day. */
import { comparableDaysView, type DayCheck, type Difference, dayCheck, month } from "../projections/schema.ts";
import { print, printError, printJson } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { ask } from "./server.ts";

/** A day of a million dispatches is read for minutes. */
const DAY_MS_MAX = 1_800_000;

export interface VerifyOptions {
  readonly month?: string;
  readonly workspace?: string;
  readonly json?: boolean;
}

/**
 * Prints each difference as a line and a summary; progress goes to stderr.
 *
 * Exit codes: 0 equal, 1 something differs, 2 the check could not run.
 */
export async function projections({ month: of, workspace, json = false }: VerifyOptions): Promise<void> {
  const parsed = month.optional().safeParse(of);
  if (!parsed.success) throw new Refusal("Write a month as 2026-11.", 2);
  const asking = { workspaceId: workspace, timeoutMs: DAY_MS_MAX };
  const { days } = await asked("projections.days", of === undefined ? {} : { month: of }, comparableDaysView, asking);
  const checks: DayCheck[] = [];
  for (const [at, day] of days.entries()) {
    printError(`${day} (${at + 1} of ${days.length})\n`);
    const check = await asked("projections.checkDay", { day }, dayCheck, asking);
    checks.push(check);
    if (!json) for (const line of linesOf(check)) print(`${line}\n`);
  }
  if (json) printJson({ isEqual: !differs(checks), days: checks });
  else print(summaryOf(checks));
  // A refusal without a message, because everything is printed already.
  if (differs(checks)) throw new Refusal("");
}

/** Like `ask`, but a missing answer is not a difference. */
const asked: typeof ask = (...of) =>
  ask(...of).catch((error: unknown) => {
    throw error instanceof Refusal ? new Refusal(error.message, 2) : error;
  });

const differs = (checks: readonly DayCheck[]): boolean => checks.some(({ differing }) => differing > 0);

function linesOf({ day, state, seal, older, differences, differing }: DayCheck): string[] {
  if (state === "gone") return [`${day} its log is gone: not compared`];
  const sealed = seal === null ? [] : sealLinesOf(day, seal);
  const rows = `${counted(older.rows, "row")} of the older rule, not rebuilt`;
  const buckets = `${counted(older.minutes, "minute")}, ${counted(older.hours, "hour")} and the day not compared`;
  return [
    ...sealed,
    ...(older.rows === 0 ? [] : [`${day} ${rows}: ${buckets}`]),
    ...differences.map(
      (one) => `${day} ${one.table} ${one.key} ${seal === null ? sentenceOf(one) : sealSentenceOf(one)}`,
    ),
    ...(differing > differences.length
      ? [`${day} ${counted(differing, "row")} differ; the first of each table are listed`]
      : []),
  ];
}

function sealLinesOf(day: string, { entry, at, state, differing }: NonNullable<DayCheck["seal"]>): string[] {
  const when = `sealed at ${at.slice(0, 19)}Z, entry ${entry} of the record; its log is gone`;
  const before = {
    equal: [],
    different: [`${day} ${counted(differing, "row")} differed from the log when the day was sealed`],
    older: [`${day} rows of an older rule were sealed as they stood`],
    unchecked: [`${day} its rows were sealed as they stood, when part of the log was gone`],
  };
  return [`${day} ${when}`, ...before[state]];
}

function sealSentenceOf({ kind, stored, computed }: Difference): string {
  if (kind === "missing") return "is missing: it was sealed";
  if (kind === "extra") return "is one too many: it was not sealed";
  return stored === null ? "differs from the seal" : `is ${stored}, sealed as ${computed ?? "nothing"}`;
}

function sentenceOf({ kind, column, stored, computed }: Difference): string {
  if (kind === "missing") return "is missing: the log gives this row";
  if (kind === "extra") return "is one too many: the log does not give this row";
  if (kind === "unreadable") return `${column} cannot be read`;
  return `${column} is ${stored ?? "null"}, from the log ${computed ?? "null"}`;
}

function summaryOf(checks: readonly DayCheck[]): string {
  const sum = (of: (check: DayCheck) => number) => checks.reduce((total, check) => total + of(check), 0);
  const left = new Map(checks.flatMap(({ notCompared }) => notCompared.map(({ table, reason }) => [table, reason])));
  const incomplete = sum(({ sessionsLeftOut }) => sessionsLeftOut.incomplete);
  const days = (state: DayCheck["state"]) => checks.filter((check) => check.state === state).length;
  const lines = [
    `${counted(checks.length, "day")}: ${days("equal")} equal, ${days("different")} different, ${days("older")} of the older rule, ${days("sealed")} as sealed, ${days("gone")} whose log is gone`,
    `${counted(
      sum(({ dispatches }) => dispatches),
      "dispatch",
      "dispatches",
    )} read, ${counted(rowsOf(checks), "row")} compared, ${counted(
      sum(({ differing }) => differing),
      "row",
    )} different`,
    ...(incomplete === 0 ? [] : [`${counted(incomplete, "session")} not compared: not all of their log can be read`]),
    ...[...left].map(([table, reason]) => `${table} not compared: ${reason}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

const rowsOf = (checks: readonly DayCheck[]): number =>
  checks.flatMap(({ tables }) => tables).reduce((total, { compared }) => total + compared, 0);

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
