/**
 * The jobs process: background work that no request waits for, with its own connections; work that reads the whole log
 * belongs to the scans process. Started by the supervisor (server/main.ts). It starts first and creates the initial
 * data of an installation.
 */

import { createJobs } from "./composition/jobs.ts";
import { outwardOf, reachDatabase, reachPool, readProcessInfo } from "./composition/serving.ts";
import { createBus } from "./events/index.ts";
import { ensureFirstRun } from "./people/index.ts";
import { closePool } from "./platform/db.ts";
import { inInstallation } from "./platform/scope.ts";
import { raiseSequences } from "./policies/index.ts";
import { createPressure } from "./pressure/index.ts";
import { type RoleProcess, runRole } from "./processes/role-process.ts";
import { noteFoldVersions } from "./projections/index.ts";

const WORKING = { connectionsMax: 8, waitingMax: 256 };
/** Streams have connections of their own: receivers that catch up delay no other job. */
const STREAMING = { connectionsMax: 4, waitingMax: 64, priority: 5 };

async function start(role: RoleProcess): Promise<{ workspaceId: string; linkToken: string | null }> {
  const place = await readProcessInfo(role);
  const { databaseUrl, env, log, workerRpc } = place;
  const database = reachDatabase(place, WORKING);
  await role.begin;
  role.onEnd("connections", () => database.close());
  const streaming = reachPool(place, STREAMING);
  role.onEnd("connections of streams", () => closePool(streaming));
  const bus = createBus(databaseUrl, log);
  role.onEnd("bus", () => bus.close());
  const pressure = createPressure({ workerRpc, bus });
  role.onEnd("pressure", () => pressure.close());
  await noteFoldVersions(database.pool);
  const { workspaceId, linkToken } = await ensureFirstRun(database);
  await inInstallation(() => raiseSequences(database, bus));
  const jobs = createJobs({ ...place, ...outwardOf(env), db: database, streaming, bus, pressure });
  role.onEnd("jobs", () => jobs.close());
  jobs.start();
  return { workspaceId, linkToken };
}

await runRole(start);
