/** The executors of hooks: for policies in force, for shadow mode, and for the playground. */
import { join } from "node:path";
import {
  BUILT_IN_MASKING,
  builtinKind,
  CONCURRENCY_LIMITS,
  type ConcurrencyLimits,
  commandKind,
  createBreakers,
  createConcurrencyLimit,
  createFindPrograms,
  evaluatorKind,
  systemClock as hookClock,
  isContained,
  modelKind,
  type RepeatGuard,
  rulesKind,
  type Spawner,
  serverBuiltins,
  startSpawner,
} from "@quarterdeck/hooks";
import type { SampleTools } from "../backtest/index.ts";
import { createBudgetGuards } from "../budgets/index.ts";
import type { Bus } from "../events/index.ts";
import { createAcceptedVersions } from "../extensions/index.ts";
import { createModelClients, type Models } from "../judges/index.ts";
import type { MaskingInForce } from "../masking/index.ts";
import { systemClock } from "../platform/clock.ts";
import type { Database } from "../platform/db.ts";
import { inheritedEnvironment } from "../platform/env.ts";
import type { Log } from "../platform/log.ts";
import type { Secrets } from "../platform/secrets.ts";
import { shareOf } from "../platform/share.ts";
import { databaseSocketDirs } from "../platform/socket-dir.ts";
import type { WorkerRpc } from "../platform/worker-rpc.ts";
import { createPlayground, type JudgeClients } from "../playground/index.ts";
import { createPlans, createPlaygroundExecutor } from "../policies/index.ts";
import { ALLOCATOR } from "../processes/index.ts";
import { createRepeatGuards } from "../runaway-rules/index.ts";
import { createSessionMarks } from "../session-marks/index.ts";

/** Concurrent hooks of observed policies; a few dispatches' worth. */
const OBSERVED_ROOM: ConcurrencyLimits = { hooksMax: 64, perTenantMax: 48 };
/** Concurrent hook commands on a node; each of several processes still runs a few. */
const COMMANDS_MAX = 32;
const COMMANDS_OF_ONE_MIN = 4;

export interface SpawnerOptions {
  readonly databaseUrl: string;
  /** Absolute. Hooks have no access to it. */
  readonly dataDir: string;
  readonly log: Log;
  /** Runs command hooks where no sandbox works; they are refused when absent. */
  readonly runsHooksWithoutSandbox?: boolean;
  /** The network of hooks with `network: true`; "own" when absent. */
  readonly hookNetwork?: "own" | "host";
}

/** The processes of command hooks, for one of `workers` processes of this node. */
export function startHookSpawner(options: SpawnerOptions, workers: number): Promise<Spawner> {
  const { databaseUrl, dataDir, log, runsHooksWithoutSandbox = false, hookNetwork = "own" } = options;
  return startSpawner({
    sandbox: runsHooksWithoutSandbox ? "auto_or_none" : "auto",
    hookNetwork,
    scratchDir: join(dataDir, "scratch"),
    hiddenDirs: [dataDir, ...databaseSocketDirs(databaseUrl)],
    concurrencyMax: Math.max(COMMANDS_OF_ONE_MIN, Math.ceil(COMMANDS_MAX / workers)),
    onRestart: (reason) => log.error({ reason }, "the spawner is started again"),
  });
}

export interface HookRoomsWorld {
  readonly db: Database;
  readonly bus: Bus;
  readonly log: Log;
  readonly secrets: Pick<Secrets, "credentialKey">;
  readonly spawner: Spawner;
  readonly workerRpc: WorkerRpc;
  readonly masking: Pick<MaskingInForce, "of">;
  /** As QUARTERDECK_ALLOW_PRIVATE_MODELS is written; absent: not set. */
  readonly privateModels?: string;
  /** The limits on running hooks; the default ones when absent. */
  readonly roomLimits?: ConcurrencyLimits;
}

/** The tools of sampled calls in backtests: the sandbox, the limits and the environment of gates, with a share of places of their own. */
export function createSampleTools(
  models: SampleTools["models"],
  startSpawner: (() => Promise<Pick<Spawner, "run" | "confinement">>) | null,
): SampleTools {
  return {
    models,
    place: { env: ownEnvironment(), room: createConcurrencyLimit(CONCURRENCY_LIMITS) },
    async commands() {
      const spawner = await startSpawner?.();
      return spawner && isContained(spawner.confinement) ? commandKind(spawner, { place: "isolated" }) : null;
    },
  };
}

export function createHookRooms(world: HookRoomsWorld) {
  const { db, bus, log, spawner, privateModels, workerRpc, masking } = world;
  const { workers } = workerRpc;
  const { roomLimits = shareOf(CONCURRENCY_LIMITS, workers) } = world;
  const { credentialKey } = world.secrets;
  const clientsOf = () =>
    createModelClients({ db, bus, log, clock: systemClock, credentialKey, privateModels, workers, masking });
  const models = clientsOf();
  // Separate clients, so that policies in shadow mode do not delay or break those in force.
  const observedModels = clientsOf();
  const budgetGuards = createBudgetGuards({ pool: db.pool, bus, clock: systemClock });
  const repeatGuards = createRepeatGuards({ db, bus, clock: systemClock });
  const acceptedVersions = createAcceptedVersions({ pool: db.pool, bus });
  const commands = commandKind(spawner, { place: "isolated" });
  const toLog = { log: (builtin: string, text: string) => log.warn({ builtin }, text) };
  const tried = builtinKind(serverBuiltins(), toLog);
  /** Judges read no more than what is stored. Clients without a workspace are not asked. */
  const maskingOf = async (workspaceId: string | undefined) =>
    workspaceId === undefined ? BUILT_IN_MASKING : masking.of(workspaceId);
  const kindsAsking = ({ models, evaluators, workspaceId }: JudgeClients, builtins = tried, rules = rulesKind()) => [
    commands,
    builtins,
    rules,
    modelKind(models, { redact: async (text, input) => (await maskingOf(workspaceId)).text(text, input) }),
    evaluatorKind(evaluators, {
      redact: async (json, input) => (await maskingOf(workspaceId)).json(json, "input", input),
    }),
  ];
  const asking = (models: Models) => (workspaceId: string) => ({
    workspaceId,
    models: models.clientOf(workspaceId),
    evaluators: models.evaluatorsOf(workspaceId),
  });
  const clientsInForce = asking(models);
  const clientsObserved = asking(observedModels);
  const guardedBy = (workspaceId: string, repeats: RepeatGuard) =>
    builtinKind(serverBuiltins({ budgets: budgetGuards.guardOf(workspaceId), repeats }), toLog);
  const room = createConcurrencyLimit(roomLimits);
  const breakers = createBreakers(hookClock, { onChange: (workspaceId) => bus.tell(workspaceId, ["circuits"]) });
  const place = { env: ownEnvironment(), workingDir: "/" };
  const environment = {
    kindsOf: (workspaceId: string) =>
      kindsAsking(
        clientsInForce(workspaceId),
        guardedBy(workspaceId, repeatGuards.guardOf(workspaceId)),
        rulesKind(createSessionMarks(db.pool, workspaceId), acceptedVersions.of(workspaceId)),
      ),
    clock: hookClock,
    ...place,
    room,
  };
  const observedEnvironment = {
    ...environment,
    kindsOf: (workspaceId: string) =>
      kindsAsking(
        clientsObserved(workspaceId),
        guardedBy(workspaceId, repeatGuards.observedGuardOf(workspaceId)),
        rulesKind(undefined, acceptedVersions.of(workspaceId)),
      ),
    room: createConcurrencyLimit(shareOf(OBSERVED_ROOM, workers)),
    breakers: createBreakers(hookClock),
  };
  return {
    models,
    breakers,
    repeatGuards,
    findPrograms: createFindPrograms(spawner, place.env, "isolated"),
    plans: createPlans({ db, bus, log, ...environment, breakers, observedEnvironment }),
    // A playground run spends nothing and counts no repeats, so it needs no guard.
    trials: createPlaygroundExecutor({
      ...environment,
      kindsOf: (workspaceId) => kindsAsking(clientsInForce(workspaceId)),
    }),
    bench: createPlayground({
      ...{ db, kindsAsking, clientsOf: clientsInForce, clock: hookClock, ...place, room },
      isContained: isContained(spawner.confinement),
    }),
    close(): void {
      models.close();
      observedModels.close();
    },
  };
}

/** The environment of hooks: our own, without the settings that are for this process. */
function ownEnvironment(): Record<string, string> {
  const entries = Object.entries(inheritedEnvironment()).filter(([name]) => !Object.hasOwn(ALLOCATOR, name));
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
