/** Quarterdeck over the cluster: two gateways, a console, jobs twice, each a server of its own with the secrets of all. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { sharedSecrets } from "../../e2e/fixtures/nodes.ts";
import { type OwnServer, ownServer } from "../../e2e/fixtures/own-server.ts";
import { childrenOf, commandLine } from "../../e2e/fixtures/processes.ts";
import type { Role } from "../../server/platform/node-state.ts";
import { waitUntil } from "./wait-until.ts";

/** The tool that the policy denies, and one that it says nothing about. */
export const TOOLS = { denied: "shell", allowed: "read_file" } as const;
const POLICY = `hooks:
  pre_tool_use:
    - matcher: ${TOOLS.denied}
      hooks: [{ type: command, command: "echo closed >&2; exit 2" }]
`;
const START_MS = 120_000;
/** Each of them listens over one connection, and so do the scans beside the jobs. */
const LISTENERS = 7;

export interface Installation {
  readonly gatewayUrls: readonly string[];
  /** An agent's key; the policy is published. */
  readonly key: string;
  /** Kills a process of that role; its supervisor replaces it. */
  killProcess(role: "gateway" | "jobs"): Promise<void>;
  /** True if every role has its process and hears of changes, gateways and console are ready, and pages read from a replica. Errors: what is not. */
  isWhole(): Promise<boolean>;
  stop(): Promise<void>;
}

export interface InstallationOptions {
  readonly folder: string;
  /** Of the role that owns the database, through the proxy. */
  readonly databaseUrl: string;
  /** The same database, at one of the replicas. */
  readonly readUrl: string;
}

export async function startInstallation({ folder, databaseUrl, readUrl }: InstallationOptions): Promise<Installation> {
  const secrets = sharedSecrets();
  const environment = { ...secrets, DATABASE_URL: databaseUrl, LOG_LEVEL: "warn" };
  const server = async (name: string, more = {}) => {
    const kept = join(folder, name);
    await mkdir(kept, { mode: 0o700 });
    return ownServer({ kept, environment: { ...environment, ...more } });
  };
  const console = await server("console", { DATABASE_READ_URL: readUrl });
  const url = { QUARTERDECK_URL: console.url };
  const gateways = [await server("gateway-1", url), await server("gateway-2", url)];
  const jobs = [await server("jobs-1", url), await server("jobs-2", url)];
  const stop = async () => {
    await Promise.all([console, ...gateways, ...jobs].map((one) => one.close()));
  };

  async function isWhole(): Promise<boolean> {
    const asked = [console, ...gateways].map((one) =>
      fetch(`${one.url}/readyz`, { signal: AbortSignal.timeout(3_000) }),
    );
    for (const response of await Promise.all(asked)) if (!response.ok) throw new Error(await response.text());
    await requireReplica(console, secrets.QUARTERDECK_TOKEN ?? "");
    if (gateways.some((one) => processOf(one, "gateway") === null)) return false;
    const listeners = await countListeners(databaseUrl);
    if (listeners !== LISTENERS) throw new Error(`${listeners} processes hear of changes, not ${LISTENERS}`);
    return true;
  }

  try {
    // All at once: whoever comes first migrates, and the others wait for it.
    await Promise.all([
      console.start("--role", "console"),
      ...gateways.map((one) => one.start("--role", "gateway")),
      ...jobs.map((one) => one.start("--role", "jobs")),
    ]);
    const key = await publish(console, secrets.QUARTERDECK_TOKEN ?? "");
    await waitUntil("every role is ready", isWhole, START_MS);
    return {
      gatewayUrls: gateways.map((one) => one.url),
      key,
      isWhole,
      stop,
      async killProcess(role) {
        const [first] = role === "gateway" ? gateways : jobs;
        const pid = first === undefined ? null : processOf(first, role);
        if (pid === null) throw new Error(`there is no process of the role ${role}`);
        process.kill(pid, "SIGKILL");
        await waitUntil(`the ${role} process has ended`, () => commandLine(pid) === "", 5_000);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The process that does the work of a role: a child of the supervisor, which may not be the only child of `npm start`. */
function processOf({ pid }: OwnServer, role: Role): number | null {
  const grandchildren = childrenOf(pid ?? 0).flatMap(childrenOf);
  return grandchildren.find((child) => commandLine(child).includes(`/${role}.mjs`)) ?? null;
}

/** Errors: pages do not read from a replica, and why. */
async function requireReplica({ url }: OwnServer, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/trpc/doctor.examine`, { headers, signal: AbortSignal.timeout(10_000) });
  const answer = (await response.json()) as {
    result?: { data: { json: { findings: { id: string; says: string }[] } } };
  }; // tRPC's own shape
  const says = answer.result?.data.json.findings.find(({ id }) => id === "read_replica")?.says;
  if (!says?.startsWith("Pages read from the replica"))
    throw new Error(says ?? `the doctor answered ${response.status}`);
}

async function countListeners(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
  client.on("error", () => undefined); // reported by the query that meets it
  try {
    await client.connect();
    const { rows } = await client.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'quarterdeck listener'",
    );
    return rows[0]?.n ?? 0;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Answers the key of an agent that the policy binds. */
async function publish(console: OwnServer, token: string): Promise<string> {
  const change = async (procedure: string, json: object) => {
    const response = await fetch(`${console.url}/api/trpc/${procedure}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ json }),
    });
    if (!response.ok) throw new Error(`${procedure} answered ${response.status}: ${await response.text()}`);
    return ((await response.json()) as { result: { data: { json: Record<string, string> } } }).result.data.json; // tRPC's own shape
  };
  const { key = "" } = await change("agents.create", { name: "drill" });
  await change("policies.publishByName", { name: "drill", source: POLICY, note: "" });
  return key;
}
