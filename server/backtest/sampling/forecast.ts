/**
 * The forecast of a backtest: calls from all of its period are run as the backtest would run them, and their shares and times are applied
 * to the number of its calls. It changes nothing.
 */
import type { Administrator } from "../../access/actor.ts";
import type { Database, Pool } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { replayRows, THREADS } from "../replay-pool.ts";
import type { ReplayRow } from "../replay-row.ts";
import { createReplayRun } from "../replay-run.ts";
import { type CallRange, countCalls, listCalls, listEarlyAgents } from "../run-calls.ts";
import { findSpeed } from "../run-results.ts";
import { candidateOf, type RunSetup, setUpRun } from "../run-setup.ts";
import { requireRunnable, textToRun } from "../run-text.ts";
import { sha256Of } from "../source-digest.ts";
import { measureCommands } from "./command-forecast.ts";
import type { BacktestForecast, ForecastBacktest } from "./forecast-schema.ts";
import { costOfJudges } from "./judge-forecast.ts";
import type { SampleTools } from "./sampled-hooks.ts";

const DAY_MS = 24 * 3_600_000;
/** Parts of the period, and the newest calls of each that are run. */
const WINDOWS = 10;
const CALLS_OF_WINDOW = 100;

export interface ForecastWorld {
  readonly db: Database;
  readonly tools: SampleTools;
}

/** Errors: those of the start of a backtest. */
export async function forecast(
  { db, tools }: ForecastWorld,
  actor: Administrator,
  asked: ForecastBacktest,
): Promise<BacktestForecast> {
  const { workspaceId } = actor;
  const text = await textToRun(db, actor, asked);
  await requireRunnable(actor, text.source, asked.commands !== null);
  const to = new Date();
  const from = new Date(to.getTime() - asked.days * DAY_MS);
  const ready = await setUpRun(
    db,
    workspaceId,
    uuidv7(),
    await candidateOf(db, { ...text, workspaceId, sha256: sha256Of(text.source) }),
    from,
  );
  const range = { events: ready.events, from, to };
  const known = await findSpeed(db.pool, workspaceId);
  const windows = await readWindows(db.pool, workspaceId, ready, range);
  const rows = windows.flatMap((window) => window.rows);
  const calls = sumOf(windows.map(({ count }) => count));
  const { candidates, callsPerSecond } = await measure(ready, rows);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const rowsOf = (kind: "command" | "judge") =>
    candidates.filter((one) => one.kind === kind).flatMap(({ id }) => byId.get(id) ?? []);
  const partOf = (found: readonly ReplayRow[], wanted: number) => {
    const of = Math.max(found.length, estimate(windows, new Set(found)));
    return { of, size: Math.min(wanted, of) };
  };
  const [forCommands, forJudges] = [rowsOf("command"), rowsOf("judge")];
  const world = { db, tools, workspaceId, ready, run: createReplayRun(ready.setup) };
  return {
    ...{ calls, callsPerSecond: known ?? callsPerSecond, measured: known === null ? "now" : "runs" },
    commands:
      asked.commands === null
        ? null
        : { ...partOf(forCommands, asked.commands), ...(await measureCommands(world, forCommands)) },
    judges:
      asked.judges === null ? null : { ...partOf(forJudges, asked.judges), ...(await costOfJudges(world, forJudges)) },
  };
}

interface Window {
  /** Its calls; null where counting took too long. */
  readonly count: number | null;
  /** The newest of them. */
  readonly rows: readonly ReplayRow[];
}

/** The parts of the period. They are counted apart, because a count of millions of calls would pass the limit of a statement. */
async function readWindows(pool: Pool, workspaceId: string, ready: RunSetup, range: CallRange): Promise<Window[]> {
  const earlyAgents = ready.hasEarlyHooks ? await listEarlyAgents(pool, workspaceId, range) : new Set<string>();
  const spanMs = (range.to.getTime() - range.from.getTime()) / WINDOWS;
  const windows: Window[] = [];
  for (let at = 0; at < WINDOWS; at += 1) {
    const from = new Date(range.from.getTime() + at * spanMs);
    const to = at === WINDOWS - 1 ? range.to : new Date(range.from.getTime() + (at + 1) * spanMs);
    const window = { ...range, from, to };
    const count = await countCalls(pool, workspaceId, window, null);
    const asked = { ...window, after: null, limit: CALLS_OF_WINDOW, earlyAgents, marks: ready.marks };
    windows.push({ count, rows: await listCalls(pool, workspaceId, asked) });
  }
  return windows;
}

/** Null where a part is not known. */
const sumOf = (counts: readonly (number | null)[]): number | null =>
  counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0);

/** The number of calls like `found`, by their share in each part of the period. */
function estimate(windows: readonly Window[], found: ReadonlySet<ReplayRow>): number {
  const parts = windows.map(({ count, rows }) => {
    const hits = rows.filter((row) => found.has(row)).length;
    return rows.length === 0 ? 0 : (hits / rows.length) * (count ?? rows.length);
  });
  return Math.round(parts.reduce((sum, part) => sum + part, 0));
}

/** The first call starts the threads and compiles the texts, so it is not measured. */
async function measure({ setup }: RunSetup, rows: readonly ReplayRow[]) {
  const [first, ...rest] = rows;
  if (!first) return { candidates: [], callsPerSecond: null };
  const begun = await replayRows(setup, [first, first], THREADS);
  const startedMs = performance.now();
  const done = await replayRows(setup, rest, THREADS);
  const seconds = (performance.now() - startedMs) / 1_000;
  return {
    candidates: [...begun.candidates.slice(0, 1), ...done.candidates],
    callsPerSecond: rest.length === 0 ? null : rest.length / Math.max(seconds, 0.001),
  };
}
