/** Three PostgreSQL under Patroni: one primary, one synchronous standby, one more replica. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../e2e/fixtures/free-port.ts";
import { childrenOf, commandLine } from "../../e2e/fixtures/processes.ts";
import { type BackgroundProcess, startProgram } from "./background-process.ts";
import { dataDirectoryOf, patroniSettings } from "./patroni-settings.ts";
import { waitUntil } from "./wait-until.ts";

const SERVERS = 3;
const START_MS = 120_000;

export interface Server {
  readonly name: string;
  readonly port: number;
  /** Of Patroni, which HAProxy asks. */
  readonly restPort: number;
}

export interface PostgresCluster {
  readonly servers: readonly Server[];
  /** Of the superuser; the same on every server. */
  readonly password: string;
  /** Kills the primary's PostgreSQL, all of its processes, and its Patroni. Answers its name, and what starts it again. */
  killPrimary(): Promise<{ readonly name: string; restart(): void }>;
  /** Kills a replica in the same way. */
  killReplica(): Promise<{ restart(): void }>;
  /** Stops the same processes without ending them: connections stay open and nobody answers. `restart` resets it, as a watchdog does. */
  freezePrimary(): Promise<{ readonly name: string; restart(): Promise<void> }>;
  /** True if another server than that one is the primary. */
  hasPrimaryBesides(name: string): Promise<boolean>;
  /** True if there is a primary, every other server streams from it, and one of them is the synchronous standby. */
  isWhole(): Promise<boolean>;
  stop(): Promise<void>;
}

export async function startPostgresCluster(folder: string, etcdHosts: readonly string[]): Promise<PostgresCluster> {
  const password = randomBytes(24).toString("hex");
  const patronis = new Map<string, BackgroundProcess>();
  const servers: Server[] = [];
  for (let number = 1; number <= SERVERS; number += 1) {
    const server = { name: `postgres-${number}`, port: await freePort(), restPort: await freePort() };
    const settings = patroniSettings({ ...server, folder, etcdHosts, password });
    await writeFile(join(folder, `${server.name}.yml`), settings, { mode: 0o644 });
    servers.push(server);
  }
  const start = ({ name }: Server) => {
    const command = ["patroni", join(folder, `${name}.yml`)];
    patronis.set(name, startProgram({ name, command, logFile: join(folder, `${name}.log`), onOrphaned: "TERM" }));
  };
  const stop = async () => {
    // Replicas first: a primary in strict synchronous mode would wait for them.
    await Promise.all([...patronis.values()].map((patroni) => patroni.stop()));
    // Patroni starts PostgreSQL as nobody's child; what it left behind ends now.
    for (const { name } of servers) for (const pid of processesOf(folder, name)) signal(pid, "SIGKILL");
  };
  const isWhole = () => isClusterWhole(servers);

  async function processesOfPrimary() {
    const primary = await findPrimary(servers);
    if (primary === null) throw new Error("no server is the primary");
    const pids = processesOf(folder, primary.name);
    if (pids.length === 0) throw new Error(`${primary.name} has no process`);
    return { primary, pids };
  }

  for (const server of servers) start(server);
  try {
    await waitUntil("three servers replicate", isWhole, START_MS);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    servers,
    password,
    isWhole,
    stop,
    async hasPrimaryBesides(name) {
      const primary = await findPrimary(servers.filter((server) => server.name !== name));
      return primary !== null;
    },
    async killPrimary() {
      const { primary, pids } = await processesOfPrimary();
      await Promise.all([patronis.get(primary.name)?.kill(), ...pids.map((pid) => signal(pid, "SIGKILL"))]);
      return { name: primary.name, restart: () => start(primary) };
    },
    async killReplica() {
      const primary = await findPrimary(servers);
      const replica = servers.find(({ name }) => name !== primary?.name);
      if (primary === null || replica === undefined) throw new Error("no server is a replica");
      const pids = processesOf(folder, replica.name);
      await Promise.all([patronis.get(replica.name)?.kill(), ...pids.map((pid) => signal(pid, "SIGKILL"))]);
      return { restart: () => start(replica) };
    },
    async freezePrimary() {
      const { primary, pids } = await processesOfPrimary();
      const patroni = patronis.get(primary.name);
      for (const pid of [...(patroni ? [patroni.pid] : []), ...pids]) signal(pid, "SIGSTOP");
      const restart = async () => {
        for (const pid of pids) signal(pid, "SIGKILL");
        await patroni?.kill();
        start(primary);
      };
      return { name: primary.name, restart };
    },
  };
}

interface ClusterMember {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** The cluster as one of the Patronis that answer sees it. */
async function membersOf(servers: readonly Server[]): Promise<readonly ClusterMember[]> {
  return Promise.any(
    servers.map(async ({ restPort }) => {
      const response = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(2_000) });
      return ((await response.json()) as { members: ClusterMember[] }).members; // Patroni's own shape
    }),
  );
}

async function findPrimary(servers: readonly Server[]): Promise<Server | null> {
  const answers = await Promise.all(
    servers.map(async ({ restPort }) => {
      const asked = fetch(`http://127.0.0.1:${restPort}/primary`, { signal: AbortSignal.timeout(2_000) });
      return asked.then(({ status }) => status === 200).catch(() => false); // its Patroni may be down
    }),
  );
  return servers[answers.indexOf(true)] ?? null;
}

async function isClusterWhole(servers: readonly Server[]): Promise<boolean> {
  const members = await membersOf(servers);
  const primary = await findPrimary(servers);
  if (primary === null || members.length !== servers.length) return false;
  const response = await fetch(`http://127.0.0.1:${primary.restPort}/patroni`, { signal: AbortSignal.timeout(2_000) });
  const status = (await response.json()) as { replication?: readonly { state: string; sync_state: string }[] }; // Patroni's own shape
  const replicas = (status.replication ?? []).filter(({ state }) => state === "streaming");
  return replicas.length === servers.length - 1 && replicas.some(({ sync_state }) => sync_state === "sync");
}

/** The postmaster of a server and its children; none when it does not run. */
function processesOf(folder: string, name: string): number[] {
  const dataDirectory = dataDirectoryOf(folder, name);
  try {
    const postmaster = Number(readFileSync(join(dataDirectory, "postmaster.pid"), "utf8").split("\n")[0]);
    // The file outlives a postmaster that was killed, and its number may be somebody else's by then.
    if (!commandLine(postmaster).includes(dataDirectory)) return [];
    return [postmaster, ...childrenOf(postmaster)];
  } catch {
    return [];
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already.
  }
}
