/**
 * The content of a month's statement. Pure: takes stored sums and the closed statements, returns the content of the
 * next one.
 *
 * A closed month never changes. A later change to its calls becomes an adjustment in the next closed statement, so that
 * the sum of all statements always equals the ledger up to the end of the last one.
 */
import { utcStartOf } from "../../recording/index.ts";
import type { SumRow } from "./repository.ts";
import type { JudgeSums, StatementContent, Sums } from "./schema.ts";

export const firstDayOf = (month: string): string => `${month}-01`;
export function monthAfter(month: string, months = 1): string {
  const at = utcStartOf(firstDayOf(month));
  at.setUTCMonth(at.getUTCMonth() + months);
  return at.toISOString().slice(0, 7);
}

const NONE: Sums = {
  priced: "0",
  free: "0",
  unpriced: "0",
  nano: "0",
  correctedNano: "0",
  inputTokens: "0",
  cachedInputTokens: "0",
  cachedWriteTokens: "0",
  outputTokens: "0",
  reasoningTokens: "0",
};
const NO_SUMS: Omit<SumRow, "kind" | "month" | "agent" | "model"> = {
  ...{ calls: "0", priced: "0", free: "0", unpriced: "0", nano: "0", corrected: "0" },
  ...{ input: "0", cached_input: "0", cached_write: "0", output: "0", reasoning: "0" },
};
const NO_JUDGES: JudgeSums = { calls: "0", priced: "0", free: "0", unpriced: "0", nano: "0" };

type Line = StatementContent["adjustments"][number];
interface Told {
  /** The sums of all closed statements, by month, agent and model. */
  readonly lines: Map<string, Line>;
  readonly judges: Map<string, JudgeSums>;
}

/** The extent of a month that does not begin and end at midnight UTC. */
export type ZoneOfMonth = Pick<Extract<StatementContent, { version: 2 }>, "timeZone" | "from" | "to">;

interface Month {
  readonly workspace: string;
  readonly month: string;
  /** Null from midnight UTC to midnight UTC. */
  readonly zone: ZoneOfMonth | null;
  /** Months that begin or end at midnight UTC since calls around their own midnight are no longer held one by one. */
  readonly inexact: readonly string[];
}

/**
 * The content of a month's statement, and the closed months that now hold less than was closed because their records
 * were dropped.
 */
export function contentOf(
  { workspace, month, zone, inexact }: Month,
  rows: readonly SumRow[],
  closed: readonly { readonly content: StatementContent; readonly sha256: string }[],
): { content: StatementContent; dropped: string[] } {
  const own = rows.filter((row) => row.month === month);
  const calls = (of: readonly SumRow[]) => of.filter(({ kind }) => kind === "calls");
  const lines = calls(own).map((row) => ({ agent: row.agent, model: row.model, sums: sumsOf(row) }));
  const told = toldBy(closed.map(({ content }) => content));
  const earlier = rows.filter((row) => row.month < month);
  const dropped = droppedMonths(earlier, told, inexact);
  const held = [...earlier, ...judgesMovedAway(earlier, told, inexact)].filter((row) => !dropped.includes(row.month));
  const judges = own.find(({ kind }) => kind === "judges");
  const count = own.find(({ kind }) => kind === "compactions")?.calls ?? "0";
  const content: StatementContent = {
    ...(zone === null ? { version: 1 } : { version: 2, ...zone }),
    workspace,
    month,
    previous: closed.at(-1)?.sha256 ?? "",
    lines,
    total: lines.reduce((sum, line) => folded(sum, line.sums, 1n), NONE),
    judges: judges ? judgesOf(judges) : NO_JUDGES,
    compactions: { count, cost: "unknown: no hook is told what a summary cost" },
    adjustments: adjustmentsOf(calls(held), told, dropped),
    judgeAdjustments: held
      .filter(({ kind }) => kind === "judges")
      .map((row) => ({ month: row.month, sums: folded(judgesOf(row), told.judges.get(row.month) ?? NO_JUDGES, -1n) }))
      .filter(({ sums }) => !isNone(sums)),
  };
  return { content, dropped };
}

function toldBy(statements: readonly StatementContent[]): Told {
  const told: Told = { lines: new Map(), judges: new Map() };
  const addLine = (line: Line) => {
    const known = told.lines.get(keyOf(line));
    told.lines.set(keyOf(line), known ? { ...known, sums: folded(known.sums, line.sums, 1n) } : line);
  };
  const addJudges = (month: string, sums: JudgeSums) =>
    told.judges.set(month, folded(told.judges.get(month) ?? NO_JUDGES, sums, 1n));
  for (const { month, lines, judges, adjustments, judgeAdjustments } of statements) {
    for (const line of lines) addLine({ ...line, month });
    for (const line of adjustments) addLine(line);
    addJudges(month, judges);
    for (const one of judgeAdjustments) addJudges(one.month, one.sums);
  }
  return told;
}

const keyOf = ({ month, agent, model }: Pick<Line, "month" | "agent" | "model">) =>
  JSON.stringify([month, agent, model]);

/**
 * Months whose calls were partly dropped. Calls are only added to a month, so a month with the same limits and fewer
 * calls than stated is incomplete.
 */
function droppedMonths(rows: readonly SumRow[], told: Told, inexact: readonly string[]): string[] {
  const now = new Map<string, bigint>();
  for (const { kind, month, calls } of rows)
    if (kind === "calls") now.set(month, (now.get(month) ?? 0n) + BigInt(calls));
  const then = new Map<string, bigint>();
  for (const { month, sums } of told.lines.values())
    then.set(month, (then.get(month) ?? 0n) + BigInt(sums.priced) + BigInt(sums.free) + BigInt(sums.unpriced));
  return [...then]
    .filter(([month, calls]) => (now.get(month) ?? 0n) < calls && !inexact.includes(month))
    .map(([month]) => month)
    .sort();
}

/** Zero rows for inexact months whose stated judge costs are now all counted in another month. */
function judgesMovedAway(rows: readonly SumRow[], told: Told, inexact: readonly string[]): SumRow[] {
  const known = new Set(rows.filter(({ kind }) => kind === "judges").map(({ month }) => month));
  return [...told.judges.keys()]
    .filter((month) => inexact.includes(month) && !known.has(month))
    .map((month) => ({ ...NO_SUMS, kind: "judges", month, agent: "", model: "" }));
}

function adjustmentsOf(rows: readonly SumRow[], told: Told, dropped: readonly string[]): Line[] {
  const left = new Map([...told.lines].filter(([, { month }]) => !dropped.includes(month)));
  const adjusted: Line[] = [];
  for (const row of rows) {
    const line = { month: row.month, agent: row.agent, model: row.model };
    const sums = folded(sumsOf(row), left.get(keyOf(line))?.sums ?? NONE, -1n);
    left.delete(keyOf(line));
    adjusted.push({ ...line, sums });
  }
  takeAway([...left.values()], adjusted);
  return adjusted.filter(({ sums }) => !isNone(sums));
}

/** An alias of an erasure, alone or as one part of two names. */
const ALIAS = /(^| \/ )erased-[0-9a-f]{8}( \/ |$)/;

/**
 * Subtracts stated lines whose agent name no longer exists. An erased name was replaced by an alias. The line of the
 * same month and model with an alias and equal sums is reduced, or else the first such line. Without one, the calls are
 * now counted in another month, and the line gets a negative adjustment of its own.
 */
function takeAway(gone: readonly Line[], adjusted: Line[]): void {
  const isRenamed = ({ month, model }: Line, to: Line) =>
    to.month === month && to.model === model && ALIAS.test(to.agent) && !isNone(to.sums);
  const reduce = (at: number, { sums }: Line) => {
    const line = adjusted[at];
    if (line) adjusted[at] = { ...line, sums: folded(line.sums, sums, -1n) };
    return line !== undefined;
  };
  const others = gone.filter((line) => {
    const isSame = (to: Line) => isRenamed(line, to) && isNone(folded(to.sums, line.sums, -1n));
    return !reduce(adjusted.findIndex(isSame), line);
  });
  for (const line of others) {
    const at = adjusted.findIndex((to) => isRenamed(line, to));
    if (!reduce(at, line)) adjusted.push({ ...line, sums: folded(NONE, line.sums, -1n) });
  }
}

const isNone = (sums: Readonly<Record<string, string>>) => Object.values(sums).every((sum) => sum === "0");

function folded<T extends Record<string, string>>(a: T, b: T, times: bigint): T {
  const sums = Object.keys(a).map((name) => [name, String(BigInt(a[name] ?? 0) + times * BigInt(b[name] ?? 0))]);
  return Object.fromEntries(sums) as T; // holds: the keys of a, each with digits
}

const sumsOf = (row: SumRow): Sums => ({
  priced: row.priced,
  free: row.free,
  unpriced: row.unpriced,
  nano: row.nano,
  correctedNano: row.corrected,
  inputTokens: row.input,
  cachedInputTokens: row.cached_input,
  cachedWriteTokens: row.cached_write,
  outputTokens: row.output,
  reasoningTokens: row.reasoning,
});

const judgesOf = ({ calls, priced, free, unpriced, nano }: SumRow): JudgeSums => ({
  calls,
  priced,
  free,
  unpriced,
  nano,
});
