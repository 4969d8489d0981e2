/**
 * One of several gateway processes of a node: it answers requests and dispatches, and looks after nothing else. Started by
 * the supervisor (server/main.ts), which gave it the database's address; argv is where the pages listen, and "--dev".
 */
import { prepareDataDirectory } from "./database/data-directory.ts";
import { DRAIN, type workerMessage } from "./gateway/workers.ts";
import { env as readEnv, StartupError } from "./platform/env.ts";
import { log as processLog } from "./platform/log.ts";
import { askNodeState } from "./platform/node-state.ts";
import { openSecrets } from "./platform/secrets.ts";
import { beside } from "./platform/siblings.ts";
import { openGateway, type Place, reachDatabase, startServices } from "./serving.ts";

const DRAIN_MS = 5_000;

const [pagesSocket = ""] = process.argv.slice(2);
const development = process.argv.includes("--dev");
const log = processLog();
const draining = new AbortController();
const started: { readonly name: string; stop(): unknown }[] = [];

async function start(): Promise<void> {
  const env = readEnv();
  const { databaseUrl } = env;
  if (databaseUrl === undefined) throw new StartupError("A worker is started by its supervisor alone.");
  const line = {
    send: tell,
    onMessage: (listener: (message: unknown) => void) => void process.on("message", listener),
  };
  const siblings = beside(line, env.workers);
  const dataDir = await prepareDataDirectory(env.dataDir);
  const place: Place = { env, databaseUrl, dataDir, secrets: await openSecrets(dataDir, env), log, siblings };
  const database = reachDatabase(place);
  started.push({ name: "connections", stop: () => database.close() });
  const services = await startServices(place, database);
  started.push({ name: "services", stop: () => services.running.close() });
  const checks = {
    async database() {
      const trouble = (await askNodeState(siblings))?.database ?? null;
      if (trouble !== null) return trouble;
      await database.pool.query("SELECT 1");
      return null;
    },
  };
  const gateway = await openGateway(place, services, { draining: draining.signal, pagesSocket, development, checks });
  started.push({ name: "gateway", stop: () => gateway.drain(DRAIN_MS) });
  tell({ worker: "ready", port: gateway.port } satisfies typeof workerMessage._output);
}

/** The supervisor may be gone, and then nobody is told. */
function tell(message: object): void {
  if (process.connected) process.send?.(message, undefined, {}, () => undefined);
}

let stopping: Promise<void> | undefined;

function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    draining.abort();
    let exitCode = code;
    for (const { name, stop: stopIt } of started.reverse()) {
      try {
        await stopIt();
      } catch (error) {
        exitCode ||= 1;
        log.error({ err: error }, `${name} did not stop cleanly`);
      }
    }
    process.exit(exitCode);
  })();
  return stopping;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));
process.on("message", (message) => {
  if (typeof message === "object" && message !== null && "worker" in message && message.worker === DRAIN.worker)
    void stop(0);
});
process.on("uncaughtException", (error) => {
  log.fatal({ err: error }, "an error nobody caught");
  void stop(1);
});

try {
  await start();
} catch (error) {
  if (stopping === undefined) {
    if (!(error instanceof StartupError)) log.fatal({ err: error }, "a gateway worker did not start");
    tell({ worker: "failed", says: error instanceof Error ? error.message : String(error) });
  }
  await stop(1);
}
