/**
 * The console's process: every procedure but those of agents, the accounts, streams of events, telemetry of clients and the pages. Started by the
 * supervisor (server/main.ts); argv is the socket that the gateway forwards to, "--dev", "--demo", and "--no-pages" for a console
 * that is not looked at. Nothing of it is in an
 * agent's way: its loop, its connections and the line for them are its own.
 */
import { z } from "zod";
import { createPageProcedures } from "./composition/caller.ts";
import {
  reachDatabase,
  reachPool,
  reachReplica,
  readProcessInfo,
  startServices,
  watch,
} from "./composition/serving.ts";
import { startDemo } from "./demo/index.ts";
import { startNext } from "./gateway/console/next.ts";
import { createConsoleRoutes } from "./gateway/console/routes.ts";
import { createConsoleServer } from "./gateway/console/start.ts";
import { sayPagesAway } from "./gateway/pages-away.ts";
import { closePool } from "./platform/db.ts";
import { inWorkspace } from "./platform/scope.ts";
import { type RoleProcess, runRole } from "./processes/role-process.ts";
import { sharePageProcedures } from "./trpc/page-procedures.ts";

/** Pages that wait for PostgreSQL beyond this are refused at once. When processors are short, a gate gets three times as much. */
const READING = { connectionsMax: 12, waitingMax: 64, priority: 5 };
/** Reports of clients are committed apart from what pages read: one transaction at a time, and one more for months. */
const REPORTING = { connectionsMax: 2, priority: 5 };
/** Changes of live lists are read once for all viewers, and wait for no page. */
const FOLLOWING = { connectionsMax: 2, priority: 3 };
const DRAIN_MS = 2_000;

const [socketPath = ""] = process.argv.slice(2);
const development = process.argv.includes("--dev");
const hasPages = !process.argv.includes("--no-pages");
const known = z.object({ workspaceId: z.string() }).nullable();

async function start(role: RoleProcess): Promise<void> {
  const place = await readProcessInfo(role);
  const console = createConsoleServer();
  const primary = reachDatabase(place, READING);
  const rendering = hasPages ? startNext({ server: console.server, development }) : sayPagesAway;
  const [pages, begun] = await Promise.all([rendering, role.begin]);
  const database = reachReplica(primary, place, READING);
  role.onEnd("connections", () => database.close());
  const reporting = reachPool(place, REPORTING);
  role.onEnd("reporting connections", () => closePool(reporting));
  const following = reachPool(place, FOLLOWING);
  role.onEnd("following connections", () => closePool(following));
  const services = await startServices(place, database, { recording: null, reporting, following });
  const { running, metrics } = services;
  const { db, log, shedding } = running.app;
  sharePageProcedures(createPageProcedures(db, log, shedding));
  role.onEnd("services", () => running.close());
  watch(services, () => 0);
  await console.listen(socketPath, createConsoleRoutes({ app: running.app, metrics, draining: role.draining, pages }));
  role.onEnd("console", () => console.drain(DRAIN_MS));
  const workspaceId = known.parse(begun)?.workspaceId;
  if (!process.argv.includes("--demo") || workspaceId === undefined) return;
  const demo = inWorkspace(workspaceId, () => startDemo(running.app, workspaceId));
  role.onEnd("demo", () => demo.stop());
}

await runRole(start);
