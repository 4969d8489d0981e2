/**
 * The scans' process: runs the jobs that read all or much of the log (verification, checks of figures, retention, erasure, backtests, live tests).
 * It has the lowest priority, and starts a step only while gates are fast and derived rows are current. The supervisor (server/main.ts)
 * starts it next to the jobs' process. After a crash, each job resumes where it stopped.
 */
import { constants } from "node:os";
import type { Spawner } from "@quarterdeck/hooks";
import { startHookSpawner } from "./composition/hook-rooms.ts";
import { createJobs } from "./composition/jobs.ts";
import { outwardOf, reachDatabase, reachPool, readProcessInfo } from "./composition/serving.ts";
import { createBus } from "./events/index.ts";
import { closePool } from "./platform/db.ts";
import { createPressure } from "./pressure/index.ts";
import { becomeIdle } from "./processes/idle-priority.ts";
import { type RoleProcess, runRole } from "./processes/role-process.ts";
import { isCalm } from "./processes/scans/calm.ts";
import { createPacer } from "./processes/scans/pacer.ts";

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
const READING = { connectionsMax: 4, waitingMax: 64, priority: PRIORITY_LOW };
/** At its end, a step that deletes holds the head of its workspace's chain, and gates wait for it. So the priority is not the lowest. */
const STEPPING = { connectionsMax: 2, priority: PRIORITY_BELOW_NORMAL };

async function start(role: RoleProcess): Promise<void> {
  const place = await readProcessInfo(role);
  const { databaseUrl, env, log, workerRpc } = place;
  await role.begin;
  const database = reachDatabase(place, READING);
  role.onEnd("connections", () => database.close());
  const steps = reachPool(place, STEPPING);
  role.onEnd("connections of steps", () => closePool(steps));
  const bus = createBus(databaseUrl, log);
  role.onEnd("bus", () => bus.close());
  const pressure = createPressure({ workerRpc, bus });
  role.onEnd("pressure", () => pressure.close());
  const pacer = createPacer({ isCalm: () => isCalm({ pool: database.pool, workerRpc, pressure }) });
  let spawner: Promise<Spawner> | undefined;
  role.onEnd("spawner", async () => (await spawner)?.close());
  /** Started with the first command of a backtest. Its processes have the low priority of this one. */
  const startSpawner = () => {
    const { runsHooksWithoutSandbox, hookNetwork } = env;
    spawner ??= startHookSpawner({ ...place, runsHooksWithoutSandbox, hookNetwork }, 1);
    return spawner;
  };
  const jobs = createJobs({ ...place, ...outwardOf(env), db: database, bus, pressure, steps, pacer, startSpawner });
  role.onEnd("scans", () => jobs.close());
  role.onEnd("pacer", () => pacer.close());
  await becomeIdle();
  jobs.startScans();
}

await runRole(start);
