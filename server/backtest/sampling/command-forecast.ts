/** The time that command hooks take for a call: from their records, or else from a few calls that run now. */
import type { HookDefinition } from "@quarterdeck/hooks";
import { identityOf } from "@quarterdeck/hooks/contract/identity";
import type { Database } from "../../platform/db.ts";
import { storedHooks } from "../../recording/schema.ts";
import { selectHooksByLane } from "../reach.ts";
import type { ReplayRow } from "../replay-row.ts";
import type { ReplayRun } from "../replay-run.ts";
import { replayRow } from "../replay-run.ts";
import type { RunSetup } from "../run-setup.ts";
import { createAnswerStore } from "./answers.ts";
import { pickEvenly } from "./even-sample.ts";
import type { BacktestForecast } from "./forecast-schema.ts";
import { createLane, type SampleTools, whyLeftOut } from "./sampled-hooks.ts";

export interface MeasuredWorld {
  readonly db: Database;
  readonly tools: SampleTools;
  readonly workspaceId: string;
  readonly ready: RunSetup;
  readonly run: ReplayRun;
}

type Measured = Pick<NonNullable<BacktestForecast["commands"]>, "msPerCall" | "measured" | "canRun">;

const CALLS_NOW = 20;
const NOW_MS_MAX = 20_000;

/** `rows`: calls that need the result of a command. */
export async function measureCommands(world: MeasuredWorld, rows: readonly ReplayRow[]): Promise<Measured> {
  const commands = await world.tools.commands();
  const canRun = commands !== null;
  if (!canRun || rows.length === 0) return { msPerCall: null, measured: null, canRun };
  const recorded = await recordedMs(world, rows);
  if (recorded !== null) return { msPerCall: recorded, measured: "recorded", canRun };
  const { db, tools, workspaceId, ready } = world;
  const run = { workspaceId, id: workspaceId, askedAt: new Date(), sample: { commands: CALLS_NOW, judges: null } };
  const lane = createLane({ setup: ready.setup, tools, run, store: createAnswerStore(db.pool, run), commands });
  const signal = AbortSignal.timeout(NOW_MS_MAX);
  const startedMs = performance.now();
  let done = 0;
  for (const row of pickEvenly(rows, CALLS_NOW)) {
    lane.begin(row);
    await replayRow(lane.run, row, signal);
    if (signal.aborted) break;
    done += 1;
  }
  return { msPerCall: done === 0 ? NOW_MS_MAX : (performance.now() - startedMs) / done, measured: "now", canRun };
}

/** The mean over the calls; null if a hook of one of them has no record. */
async function recordedMs({ db, workspaceId, ready, run }: MeasuredWorld, rows: readonly ReplayRow[]) {
  const means = await listMeans(db, workspaceId, rows);
  let sum = 0;
  for (const row of rows) {
    const agent = ready.setup.agents[row.agentId];
    if (!agent) continue;
    for (const name of commandsOf(run, [agent.inForce, agent.candidate], row)) {
      const mean = means.get(name);
      if (mean === undefined) return null;
      sum += mean;
    }
  }
  return sum / rows.length;
}

/** The names of the commands that a call runs, each once. */
function commandsOf(run: ReplayRun, sets: readonly string[], row: ReplayRow): string[] {
  const byIdentity = new Map<string, string>();
  for (const set of sets)
    for (const { guards } of selectHooksByLane(run.contenderOf(set), row))
      for (const { hook } of guards)
        if (hook.type === "command" && runs(hook)) byIdentity.set(identityOf(hook), hook.name ?? hook.command ?? "");
  return [...byIdentity.values()];
}

const runs = (hook: HookDefinition) => whyLeftOut(hook, { runsCommands: true, asksJudges: true }) === null;

/** The mean duration of each command in the records of these calls, in milliseconds. */
async function listMeans(db: Database, workspaceId: string, rows: readonly ReplayRow[]) {
  const found = await db.pool.query<{ hooks: string }>({
    name: "backtest_command_durations",
    text: `SELECT hooks FROM dispatch WHERE workspace_id = $1
             AND (occurred_at, id) IN (SELECT * FROM unnest($2::timestamptz[], $3::uuid[]))`,
    values: [workspaceId, rows.map(({ atMs }) => new Date(atMs)), rows.map(({ id }) => id)],
  });
  const byName = new Map<string, { sum: number; count: number }>();
  for (const { hooks } of found.rows)
    for (const hook of storedHooks.parse(JSON.parse(hooks))) {
      if (hook.type !== "command" || hook.ranOn === "agent") continue;
      const known = byName.get(hook.name) ?? { sum: 0, count: 0 };
      byName.set(hook.name, { sum: known.sum + hook.durationMs, count: known.count + 1 });
    }
  return new Map([...byName].map(([name, { sum, count }]) => [name, sum / count]));
}
