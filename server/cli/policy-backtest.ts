/**
 * `policy backtest`: runs a text on recorded calls on the server, and waits for the result. Exit code 1 if a call would pass that is
 * stopped now, 2 if there is no result.
 */
import { basename, extname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import {
  type BacktestById,
  type BacktestRunView,
  backtestById,
  backtestRun,
  type FlipView,
  flipView,
  RUN_LIMITS,
} from "../backtest/run-schema.ts";
import { backtestForecast } from "../backtest/sampling/forecast-schema.ts";
import { env } from "../platform/env.ts";
import { forecastLines, sampledOf, sampleLines } from "./backtest-lines.ts";
import { junitOf, writeReport } from "./junit.ts";
import { problemLine } from "./lint.ts";
import { readPolicyFile } from "./policy-file.ts";
import { print, printError, printJson, printProgress } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { ask, mutate, Refused } from "./server.ts";

export interface BacktestOptions {
  readonly policy?: string;
  readonly days: number;
  readonly junit?: string;
  readonly json?: boolean;
  /** Calls on which commands run. */
  readonly commands?: number;
  /** Nano-dollars for judges. */
  readonly judgesBudget?: bigint;
  /** Calls on which judges are asked; 200 when absent. Needs `judgesBudget`. */
  readonly judges?: number;
}

const POLL_MS = 500;
/** Calls of the sample of judges, unless a person says how many. */
const JUDGED_CALLS = 200;
/** A log without a terminal gets a line this often. */
const LINE_EVERY_MS = 15_000;
/** After this time without a newly read call, no server process works on the run. */
const STALL_MS_MAX = 10 * 60_000;
const PRINTED_MAX = 50;

/** Prints the counts and the looser calls. */
export async function backtest(file: string, options: BacktestOptions): Promise<void> {
  const { run, looser } = await resultOf(file, options).catch((error: unknown) => {
    throw error instanceof Refusal ? new Refusal(error.message, 2) : error;
  });
  if (options.junit !== undefined) await writeReport(options.junit, reportOf(run, looser));
  if (options.json) printJson({ run: withoutBigints(run), looser, url: urlOf(run) });
  else print(textOf(run, looser));
  if (run.tally.looser > 0) throw new Refusal("", 1);
}

interface Result {
  readonly run: BacktestRunView;
  /** At most 1,000. */
  readonly looser: readonly FlipView[];
}

async function resultOf(file: string, options: BacktestOptions): Promise<Result> {
  const { policy, days, commands = null, judges: wanted, judgesBudget } = options;
  if (wanted !== undefined && judgesBudget === undefined)
    throw new Refusal("Judges cost money: --judges needs --judges-budget with the dollars that they may cost.");
  const calls = wanted ?? JUDGED_CALLS;
  const source = await readPolicyFile(file);
  const text = { policy: policyNamed(file, policy), source, days };
  const judges = judgesBudget === undefined ? null : { calls, nanoMax: judgesBudget };
  if (commands !== null || judges !== null) {
    const forecast = await namingProblems(file, () =>
      mutate("backtest.forecast", { ...text, commands, judges: judges && calls }, backtestForecast),
    );
    for (const line of forecastLines(forecast)) printError(`${line}\n`);
  }
  const started = { ...text, sample: { commands, judges } };
  const asked = await namingProblems(file, () => mutate("backtest.startText", started, backtestById));
  const run = await waitFor(asked);
  if (run.state !== "finished") throw new Refusal(run.says || "The backtest was canceled.");
  const found = await ask("backtest.flips", { ...asked, limit: RUN_LIMITS.page }, z.array(flipView));
  return { run, looser: found.filter(({ isLooser }) => isLooser) };
}

function policyNamed(file: string, policy: string | undefined) {
  if (policy === undefined && file === "-") throw new Refusal("Say which policy it is: --policy with its name or id.");
  const named = policy ?? basename(file, extname(file));
  return z.uuid().safeParse(named).success ? { id: named } : { name: named };
}

async function namingProblems<T>(file: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Refused) for (const problem of error.problems) printError(problemLine(file, problem));
    throw error;
  }
}

async function waitFor(asked: BacktestById): Promise<BacktestRunView> {
  let [looked, sinceMs, lineMs] = [-1, performance.now(), performance.now()];
  for (;;) {
    const run = await ask("backtest.get", asked, backtestRun);
    if (run.state !== "waiting" && run.state !== "running") {
      printProgress("");
      return run;
    }
    const nowMs = performance.now();
    const done = run.looked + sampledOf(run.sample).done;
    if (done !== looked) [looked, sinceMs] = [done, nowMs];
    if (nowMs - sinceMs > STALL_MS_MAX)
      throw new Refusal(`The backtest read no call for 10 minutes. It goes on at ${urlOf(run)}.`);
    printProgress(progressOf(run));
    if (!process.stderr.isTTY && nowMs - lineMs > LINE_EVERY_MS) {
      printError(`${progressOf(run)}\n`);
      lineMs = nowMs;
    }
    await delay(POLL_MS);
  }
}

function progressOf({ state, looked, total, remainingMs, tally, sample }: BacktestRunView): string {
  if (state === "waiting") return "The backtest waits for its turn.";
  const sampled = sampledOf(sample);
  if (sampled.done > 0) return `${count(sampled.done)} of ${count(sampled.size)} sampled calls`;
  const of = total === null ? "" : ` of ${count(total)}`;
  const left = remainingMs === null ? "" : `, about ${Math.ceil(remainingMs / 1_000)} s left`;
  return `${count(looked)}${of} calls, ${count(tally.looser)} looser${left}`;
}

function textOf(run: BacktestRunView, looser: readonly FlipView[]): string {
  const { tally } = run;
  const unknown = Object.values(tally.unknown).reduce((sum, one) => sum + (one ?? 0), 0);
  const counts = [
    ["looser", tally.looser],
    ["stricter", tally.stricter],
    ["other answer", tally.otherwise],
    ["unknown", unknown],
    ["unchanged", tally.unchanged],
  ] as const;
  const shown = looser.slice(0, PRINTED_MAX).map((flip) => `LOOSER  ${lineOf(flip)}`);
  const rest = tally.looser - shown.length;
  return `${[
    `${run.policyName}: ${count(run.looked)} calls of the last ${run.days === 1 ? "day" : `${run.days} days`}`,
    ...counts.map(([name, value]) => `  ${name.padEnd(12)}  ${count(value)}`),
    ...sampleLines(run.sample),
    ...shown,
    ...(rest > 0 ? [`and ${count(rest)} more looser calls`] : []),
    urlOf(run),
  ].join("\n")}\n`;
}

const lineOf = ({ occurredAt, agentName, tool, excerpt, from, to, rule }: FlipView): string =>
  `${occurredAt.toISOString()}  ${agentName}  ${tool}  ${excerpt}  ${from} -> ${to}${rule === "" ? "" : `  (${rule})`}`;

/** A failed case for each looser call; without looser calls, one passed case. */
function reportOf(run: BacktestRunView, looser: readonly FlipView[]): string {
  const durationMs = (run.endedAt?.getTime() ?? 0) - (run.startedAt?.getTime() ?? 0);
  const cases = looser.map((flip) => ({
    ...{ name: `${flip.family || flip.tool} of ${flip.agentName} at ${flip.occurredAt.toISOString()}`, passed: false },
    ...{ differs: [lineOf(flip)], durationMs: 0 },
  }));
  const passed = { name: "no call passes that is stopped now", passed: true, differs: [], durationMs };
  return junitOf(run.policyName, cases.length === 0 ? [passed] : cases);
}

/** Amounts as digits: JSON has no integers of this size. */
const withoutBigints = (run: BacktestRunView): unknown =>
  JSON.parse(JSON.stringify(run, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value)));

const urlOf = ({ policyId, id }: BacktestRunView): string => `${env().url}/policies/${policyId}/backtests/${id}`;

const count = (value: number): string => value.toLocaleString("en-US");
