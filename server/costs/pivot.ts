/**
 * The ledger by any two of its dimensions. Lines do not overlap, and unlisted lines are summed into one, so that the
 * parts equal the total to the last nano-dollar.
 */

import { listDaysOfZones } from "../calendar/index.ts";
import type { Database } from "../platform/db.ts";
import {
  DAY_MS,
  type DayBoundary,
  dayShiftsOf,
  type RollupRange,
  rollupRangeOf,
  utcStartOf,
} from "../recording/index.ts";
import { forestOf } from "./forest.ts";
import * as pivots from "./pivot-repository.ts";
import { previousOf } from "./previous.ts";
import * as costs from "./repository.ts";
import { type FiguresView, isOfSessions, type PivotCellView, type PivotInput, type PivotView } from "./schema.ts";

const LIMITS = { linesMax: 100, partsMax: 25 };
const TREES = { activeMax: 500, rowsMax: 4_000 };
/** Calls of sessions that are counted one by one. */
const SESSION_CALLS_MAX = 60_000;

/** The figures of a range by `by`, and each of its lines by `split`. */
export async function pivot(db: Database, workspaceId: string, input: PivotInput): Promise<PivotView> {
  const stretch = rollupRangeOf(input);
  // A day has no other day to be held against.
  const isTimeless = input.by !== "day" && input.split !== "day";
  const extent = await costs.findExtent(db, workspaceId);
  const before = previousOf(stretch, extent);
  const isCompared = before !== null && isTimeless;
  const days = isTimeless ? [] : await listDays(db, workspaceId, stretch);
  const shifts = dayShiftsOf(boundariesOf(days), stretch);
  const sides = { stretch, before: isCompared ? before : null, shifts, days };
  const previous = before && { from: before.from, to: before.to };
  const { by, split } = input;
  if (isRollup(by) && (split === null || isRollup(split))) {
    const rows = await pivots.listPivot(db, workspaceId, sides, { by, split }, LIMITS);
    const cells = rows.map((row) => ({ a: row.a, cell: cellOf(row, row.b, isCompared) }));
    const lines = nested(cells, split !== null);
    return { total: sumOf(lines), lines, isCut: false, previous };
  }
  return { ...(await bySessions(db, workspaceId, { stretch, shifts, days }, input)), previous };
}

type Day = Awaited<ReturnType<typeof listDaysOfZones>>[number];

/** The days of the range that the workspace's zones begin. */
function listDays(db: Database, workspaceId: string, { from, to }: RollupRange) {
  const endMs = Date.now() + DAY_MS;
  return listDaysOfZones(db.pool, workspaceId, { from, to: new Date(Math.min(to.getTime(), endMs)) });
}

const boundariesOf = (days: readonly Day[]): DayBoundary[] =>
  days.map(({ day, starts_at }) => {
    const utcStart = utcStartOf(day);
    const before = new Date(utcStart.getTime() - DAY_MS).toISOString().slice(0, 10);
    return { before, after: day, startsAt: starts_at, utcStart };
  });

const isRollup = (by: PivotInput["by"]): by is pivots.RollupDimension => !isOfSessions(by);

/**
 * Sessions in the range, summed call by call. Calls outside the listed sessions form the rest, from the same sums as
 * other dimensions. There is no comparison, because a session is rarely in two ranges.
 */
async function bySessions(
  db: Database,
  workspaceId: string,
  { stretch, shifts, days }: Omit<pivots.PivotSides, "before">,
  { by, split }: PivotInput,
) {
  const other = isRollup(by) ? by : split !== null && isRollup(split) ? split : null;
  const [rows, active, wholes] = await Promise.all([
    costs.listSessionTrees(db, workspaceId, stretch, { ...TREES, agents: [] }),
    costs.countActive(db, workspaceId, stretch, { limit: TREES.activeMax + 1, agents: [] }),
    pivots.listPivot(
      db,
      workspaceId,
      { stretch, before: null, shifts, days },
      { by: isRollup(by) ? by : "workspace", split: null },
      { ...LIMITS, linesMax: 1_000 },
    ),
  ]);
  const forest = forestOf(rows);
  const roots = new Map<string, string>();
  let root = "";
  let counted = 0;
  const chosen = forest.filter(({ agentId, sessionId, depth, own }) => {
    if (depth === 0) root = sessionId;
    roots.set(`${agentId} ${sessionId}`, root);
    counted += own.calls;
    return counted <= SESSION_CALLS_MAX;
  });
  const found = await pivots.listSessionCells(db, workspaceId, stretch, { sessions: chosen, split: other, days });
  const isRoot = by === "root" || split === "root";
  const named = found.map((row) => {
    const session = isRoot ? (roots.get(`${row.agent_id} ${row.session_id}`) ?? row.session_id) : row.session_id;
    const [a, b] = isRollup(by) ? [row.b, session] : [session, row.b];
    return { a, b, cell: cellOf(row, b, false) };
  });
  const lines = nested(merged(named), split !== null);
  const isCut = active > TREES.activeMax || rows.length >= TREES.rowsMax || chosen.length < forest.length;
  return { ...withRest(lines, wholes, isRollup(by)), isCut };
}

/** Cells of the same two names as one. */
function merged(cells: readonly { a: string | null; b: string | null; cell: PivotCellView }[]) {
  const byName = new Map<string, { a: string | null; cell: PivotCellView }>();
  for (const { a, b, cell } of cells) {
    const key = JSON.stringify([a, b]);
    const known = byName.get(key);
    byName.set(key, { a, cell: known ? { ...cell, ...added(known.cell, cell), groups: 1 } : cell });
  }
  return [...byName.values()];
}

type Line = PivotView["lines"][number];

/** Cells under their lines, in order of first appearance, or by cost if they come from sessions. */
function nested(cells: readonly { a: string | null; cell: PivotCellView }[], hasParts: boolean): Line[] {
  const lines = new Map<string | null, PivotCellView[]>();
  for (const { a, cell } of cells) lines.set(a, [...(lines.get(a) ?? []), cell]);
  return [...lines].map(([name, parts]) => ({
    ...sumOf(parts),
    name,
    groups: name === null ? parts.reduce((sum, { groups }) => sum + groups, 0) : 1,
    parts: hasParts && name !== null ? parts : [],
  }));
}

/** Adds the rest of the total that the session lines do not hold: under each line, and as a line of its own. */
function withRest(lines: readonly Line[], wholes: readonly pivots.PivotRow[], isByName: boolean) {
  const whole = new Map(wholes.map((row) => [row.a, cellOf(row, null, false)]));
  const total = sumOf([...whole.values()]);
  const listed = isByName
    ? [...whole].map(([name, of]) => {
        const parts = byCost(lines.find((line) => line.name === name)?.parts ?? []);
        return { ...of, name, groups: 1, parts: capped(parts, of) };
      })
    : byCost(lines);
  return { total, lines: isByName ? byCost(listed) : cappedLines(listed, total) };
}

const capped = (parts: readonly PivotCellView[], whole: FiguresView): PivotCellView[] => {
  const shown = parts.slice(0, LIMITS.partsMax);
  const rest = less(whole, sumOf(shown));
  return rest.ledger.calls === 0
    ? [...shown]
    : [...shown, { ...rest, name: null, groups: parts.length - shown.length }];
};

function cappedLines(lines: readonly Line[], whole: FiguresView): Line[] {
  const shown = lines.slice(0, LIMITS.linesMax).map((line) => {
    const parts = byCost(line.parts);
    return { ...line, parts: parts.length === 0 ? [] : capped(parts, line) };
  });
  const rest = less(whole, sumOf(shown));
  if (rest.ledger.calls === 0) return shown;
  return [...shown, { ...rest, name: null, groups: lines.length - shown.length, parts: [] }];
}

const byCost = <T extends PivotCellView>(cells: readonly T[]): T[] =>
  cells.toSorted(
    (a, b) =>
      Number(a.name === null) - Number(b.name === null) ||
      Number(b.ledger.nano - a.ledger.nano) ||
      b.ledger.calls - a.ledger.calls ||
      ((a.name ?? "") < (b.name ?? "") ? -1 : 1),
  );

function cellOf(row: Omit<pivots.PivotRow, "a">, name: string | null, isCompared: boolean): PivotCellView {
  const [priced, free, unpriced] = [Number(row.calls_priced), Number(row.calls_free), Number(row.calls_unpriced)];
  return {
    name,
    groups: Number(row.groups),
    ledger: {
      calls: priced + free + unpriced,
      priced,
      free,
      unpriced,
      withoutUsage: Number(row.calls_without_usage),
      nano: BigInt(row.cost_nano),
      tokens: {
        input: BigInt(row.input_tokens),
        cachedInput: BigInt(row.cached_input_tokens),
        cachedWrite: BigInt(row.cached_write_tokens),
        output: BigInt(row.output_tokens),
        reasoning: BigInt(row.reasoning_tokens),
      },
    },
    corrections: { calls: Number(row.corrected), nano: BigInt(row.corrected_nano) },
    estimates: { calls: Number(row.estimated), nano: BigInt(row.estimated_nano) },
    previous: isCompared
      ? {
          calls: Number(row.previous_calls),
          unpriced: Number(row.previous_unpriced),
          nano: BigInt(row.previous_nano),
        }
      : null,
  };
}

const NOTHING: FiguresView = {
  ledger: {
    calls: 0,
    priced: 0,
    free: 0,
    unpriced: 0,
    withoutUsage: 0,
    nano: 0n,
    tokens: { input: 0n, cachedInput: 0n, cachedWrite: 0n, output: 0n, reasoning: 0n },
  },
  corrections: { calls: 0, nano: 0n },
  estimates: { calls: 0, nano: 0n },
  previous: null,
};

export const sumOf = (all: readonly FiguresView[]): FiguresView => all.reduce<FiguresView>(added, NOTHING);
const added = (a: FiguresView, b: FiguresView): FiguresView => folded(a, b, 1);
const less = (a: FiguresView, b: FiguresView): FiguresView => folded(a, b, -1);

/** Each figure of the first and, `times` over, of the second. */
function folded(a: FiguresView, b: FiguresView, times: 1 | -1): FiguresView {
  const n = (x: number, y: number) => x + times * y;
  const big = (x: bigint, y: bigint) => x + BigInt(times) * y;
  const beside = (x: FiguresView["estimates"], y: FiguresView["estimates"]) => ({
    calls: n(x.calls, y.calls),
    nano: big(x.nano, y.nano),
  });
  const [x, y] = [a.ledger, b.ledger];
  return {
    ledger: {
      calls: n(x.calls, y.calls),
      priced: n(x.priced, y.priced),
      free: n(x.free, y.free),
      unpriced: n(x.unpriced, y.unpriced),
      withoutUsage: n(x.withoutUsage, y.withoutUsage),
      nano: big(x.nano, y.nano),
      tokens: {
        input: big(x.tokens.input, y.tokens.input),
        cachedInput: big(x.tokens.cachedInput, y.tokens.cachedInput),
        cachedWrite: big(x.tokens.cachedWrite, y.tokens.cachedWrite),
        output: big(x.tokens.output, y.tokens.output),
        reasoning: big(x.tokens.reasoning, y.tokens.reasoning),
      },
    },
    corrections: beside(a.corrections, b.corrections),
    estimates: beside(a.estimates, b.estimates),
    previous:
      a.previous === null || b.previous === null
        ? (a.previous ?? b.previous)
        : {
            calls: n(a.previous.calls, b.previous.calls),
            unpriced: n(a.previous.unpriced, b.previous.unpriced),
            nano: big(a.previous.nano, b.previous.nano),
          },
  };
}
