/** Everything that the drill runs, on this machine and in one directory: etcd, PostgreSQL, HAProxy, Quarterdeck's roles. */
import { randomBytes } from "node:crypto";
import { chown, mkdtemp, readFile, rm } from "node:fs/promises";
import pg from "pg";
import { type Etcd, startEtcd } from "./etcd.ts";
import { startProxy } from "./haproxy.ts";
import { type Installation, startInstallation } from "./installation.ts";
import { type PostgresCluster, startPostgresCluster } from "./patroni.ts";
import { waitUntil } from "./wait-until.ts";

const REACH_MS = 30_000;

export interface Cluster {
  readonly etcd: Etcd;
  readonly postgres: PostgresCluster;
  readonly installation: Installation;
  /** Of the role that owns the database, at whoever is the primary. */
  readonly databaseUrl: string;
  /** True if every part is there and works with the others. */
  isWhole(): Promise<boolean>;
}

export interface ClusterOptions {
  /** True to leave the directory with what everybody wrote. */
  readonly isKept: boolean;
  readonly say: (sentence: string) => void;
  /** Fails when it should end early. */
  readonly interrupted: Promise<never>;
}

/** Runs `work` over a cluster, and takes everything down afterwards, whatever happens. */
export async function withCluster<T>(
  { isKept, say, interrupted }: ClusterOptions,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  // Short, whatever TMPDIR says: a unix socket's path has 107 bytes.
  const folder = await mkdtemp("/tmp/quarterdeck-drill-");
  const user = await postgresUser();
  await chown(folder, user.uid, user.gid);
  const started: { stop(): Promise<void> }[] = [];
  /** A start is waited for also when it is interrupted, so that what it started is stopped. */
  const keep = async <S extends { stop(): Promise<void> }>(starting: Promise<S>): Promise<S> => {
    started.push({ stop: async () => (await starting.catch(() => null))?.stop() });
    return Promise.race([starting, interrupted]);
  };
  try {
    say("three etcd");
    const etcd = await keep(startEtcd(folder));
    say("three PostgreSQL under Patroni");
    const postgres = await keep(startPostgresCluster(folder, etcd.hosts));
    say("HAProxy, and a database for a role that is no superuser");
    const proxy = await keep(startProxy(folder, postgres.servers));
    const databaseUrl = await createDatabase(postgres.password, proxy.primaryPort);
    say("two gateways, a console, jobs twice");
    const readUrl = databaseUrl.replace(`:${proxy.primaryPort}/`, `:${proxy.replicasPort}/`);
    const installation = await keep(startInstallation({ folder, databaseUrl, readUrl }));
    const isWhole = async () => (await etcd.isWhole()) && (await postgres.isWhole()) && (await installation.isWhole());
    return await Promise.race([work({ etcd, postgres, installation, databaseUrl, isWhole }), interrupted]);
  } finally {
    for (const one of started.reverse()) await one.stop().catch((error: unknown) => say(String(error)));
    if (isKept) say(`what they wrote is in ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
}

async function createDatabase(password: string, port: number): Promise<string> {
  const ownPassword = randomBytes(24).toString("hex");
  await waitUntil(
    "the primary is reached through HAProxy",
    async () => {
      const client = new pg.Client({
        connectionString: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
        connectionTimeoutMillis: 2_000,
      });
      client.on("error", () => undefined); // reported by the query that meets it
      try {
        await client.connect();
        await client.query(
          `DO $$ BEGIN CREATE ROLE quarterdeck LOGIN PASSWORD '${ownPassword}' NOSUPERUSER NOBYPASSRLS;
           EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
        );
        await client.query("CREATE DATABASE quarterdeck OWNER quarterdeck");
        return true;
      } finally {
        await client.end().catch(() => undefined);
      }
    },
    REACH_MS,
  );
  return `postgresql://quarterdeck:${ownPassword}@127.0.0.1:${port}/quarterdeck`;
}

async function postgresUser(): Promise<{ readonly uid: number; readonly gid: number }> {
  const line = (await readFile("/etc/passwd", "utf8")).split("\n").find((one) => one.startsWith("postgres:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  if (uid === undefined || gid === undefined) throw new Error("this machine has no user postgres");
  return { uid: Number(uid), gid: Number(gid) };
}
