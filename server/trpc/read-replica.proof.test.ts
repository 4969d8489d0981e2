/** Pages over a real streaming replica, which is paused, frozen and killed while they are read. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { z } from "zod";
import { type Node, sharedSecrets, startNode } from "../../e2e/fixtures/nodes.ts";
import { type ReplicatedDatabase, replicatedDatabase } from "../../e2e/fixtures/replicated-database.ts";
import { sampleInput } from "../../e2e/fixtures/sample-input.ts";
import type { Actor } from "../access/actor.ts";
import { appRouter } from "../composition/router.ts";
import { checkReplica } from "../database/index.ts";
import { examine } from "../doctor/index.ts";
import { asAppError } from "../errors/app-error.ts";
import { ensureFirstRun } from "../people/index.ts";
import { type Database, openDatabase, transaction, withReplica } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { ReplicaStatus } from "../platform/read-replica.ts";
import { INSTALLATION, inWorkspace } from "../platform/scope.ts";
import { createCallerFactory } from "./init.ts";
import { readFromReplica } from "./read-from-replica.ts";

const PATIENTLY = { timeout: 60_000, interval: 50 };
const TEST_MS = 120_000;
const secrets = sharedSecrets();

let servers: ReplicatedDatabase;
let direct: Database;
let workspaceId: string;
const opened: Database[] = [];

beforeAll(async () => {
  servers = await replicatedDatabase();
  direct = openDatabase(servers.url, { connectionsMax: 4, outside: INSTALLATION });
  ({ workspaceId } = await ensureFirstRun(direct));
}, TEST_MS);
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
afterAll(async () => {
  await direct?.close();
  await servers?.stop();
}, TEST_MS);

/** The database of a console that reads from `replicaUrl`, followed already unless it cannot be. */
async function consoleDatabase(replicaUrl = servers.replicaUrl, outside?: string): Promise<Database> {
  const options = { connectionsMax: 4, ...(outside === undefined ? {} : { outside }) };
  const database = withReplica(openDatabase(servers.url, options), replicaUrl, {
    ...options,
    check: () => checkReplica(replicaUrl),
    isBusy: (error) => asAppError(error).code === "database_busy",
    onChange: () => undefined,
  });
  opened.push(database);
  await database.replica?.look();
  return database;
}

const statusOf = (database: Database): ReplicaStatus => {
  if (database.replica === undefined) throw new Error("it has no replica");
  return database.replica.status();
};

/** The connections of a read that begins now. */
async function readOf(database: Database) {
  const pool = await database.replica?.beginRead();
  if (!pool) throw new Error("the primary is to be asked");
  return pool;
}

const isOnReplica = async (pool: Database["pool"]): Promise<boolean | undefined> =>
  (await pool.query<{ is: boolean }>("SELECT pg_is_in_recovery() AS is")).rows[0]?.is;

async function addPerson(name: string): Promise<void> {
  await direct.pool.query("INSERT INTO person (id, name) VALUES ($1, $2)", [uuidv7(), name]);
}

describe("a read", () => {
  test("sees on the replica what was committed before it began, every time", async () => {
    const database = await consoleDatabase();
    expect(statusOf(database)).toMatchObject({ state: "following", says: null });
    for (let index = 0; index < 100; index += 1) {
      await addPerson(`read ${index}`);
      const pool = await readOf(database);
      const { rows } = await inWorkspace(INSTALLATION, () =>
        pool.query<{ seen: boolean; replica: boolean }>(
          "SELECT EXISTS (SELECT FROM person WHERE name = $1) AS seen, pg_is_in_recovery() AS replica",
          [`read ${index}`],
        ),
      );
      expect(rows).toEqual([{ seen: true, replica: true }]);
    }
    expect(statusOf(database).fallbacks).toBe(0);
  });

  test("of several questions in one transaction is answered on one connection, as of one instant", async () => {
    const pool = await readOf(await consoleDatabase());
    const answers = await transaction(pool, async (client) => {
      await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
      const count = async () =>
        (await client.query<{ n: string; pid: number }>("SELECT count(*) AS n, pg_backend_pid() AS pid FROM person"))
          .rows;
      const first = await count();
      await addPerson("between");
      return [first, await count()];
    });
    expect(answers[0]).toEqual(answers[1]);
  });

  test("is kept to its workspace there, and fails outside of every scope", async () => {
    const both = [uuidv7(), uuidv7()] as const;
    for (const id of both) {
      await direct.prisma.workspace.create({ data: { id, name: id } });
      await direct.prisma.agent.create({ data: { workspaceId: id, id: uuidv7(), name: id } });
    }
    const pool = await readOf(await consoleDatabase());
    const names = (id: string) =>
      inWorkspace(id, async () => (await pool.query<{ name: string }>("SELECT name FROM agent")).rows);
    expect(await Promise.all(both.map(names))).toEqual(both.map((name) => [{ name }]));
    await expect(pool.query("SELECT name FROM agent")).rejects.toThrow("outside of every scope");
  });

  test("can change nothing there", async () => {
    const pool = await readOf(await consoleDatabase());
    await expect(pool.query("DELETE FROM person")).rejects.toMatchObject({ code: "25006" });
  });
});

describe("an address that leads elsewhere", () => {
  test.each([
    ["to the primary itself", () => servers.url, "no replica"],
    ["to another database", () => servers.replicaUrl.replace("/quarterdeck?", "/postgres?"), "another database"],
  ])("%s is refused, and the doctor says so", async (_title, url, says) => {
    const database = await consoleDatabase(url());
    expect(statusOf(database)).toMatchObject({ state: "refused", says: expect.stringContaining(says) });
    expect(await database.replica?.beginRead()).toBeNull();
    expect(await findingOf(database)).toMatchObject({ state: "failure", says: expect.stringContaining(says) });
  });
});

async function findingOf(database: Database) {
  // Only what the look at the replica asks of.
  const { findings } = await examine({ db: database } as Parameters<typeof examine>[0]);
  return findings.find(({ id }) => id === "read_replica");
}

interface Walked {
  readonly path: string;
  readonly schema: z.ZodType | undefined;
  readonly type: string;
}

function replicaProcedures(): Walked[] {
  return Object.entries(appRouter._def.procedures).flatMap(([path, one]) => {
    const { meta, inputs, type } = (
      one as unknown as { _def: { meta?: { readsReplica?: true }; inputs: z.ZodType[]; type: string } }
    )._def; // at run time the paths are flat, and tRPC keeps it there
    return meta?.readsReplica ? [{ path, schema: inputs[0], type }] : [];
  });
}

describe("procedures that read from the replica", () => {
  test("are queries, and those of the large pages are among them", () => {
    const walked = replicaProcedures();
    expect(walked.filter(({ type }) => type !== "query")).toEqual([]);
    const paths = walked.map(({ path }) => path);
    for (const path of ["decisions.list", "costs.summary", "sessions.list", "overview.summary", "audit.exportPage"])
      expect(paths).toContain(path);
    for (const room of ["access", "agent", "people", "policies", "projections"])
      expect(paths.filter((path) => path.startsWith(`${room}.`))).toEqual([]);
  });

  test(
    "write nothing, and lock nothing that a replica has not",
    async () => {
      const db = await consoleDatabase();
      const actor: Actor = { kind: "script", workspaceId, id: "test", name: "test" };
      const context = { db, actor, app: null, session: null, setHeader: () => undefined };
      const caller = createCallerFactory(appRouter)(context) as unknown as Record<
        string,
        Record<string, (input: unknown) => Promise<unknown>>
      >; // any procedure by its path
      const failed: string[] = [];
      for (const { path, schema } of replicaProcedures()) {
        const [room = "", name = ""] = path.split(".");
        const input =
          schema === undefined
            ? undefined
            : sampleInput(schema, (field) => (field === "month" ? "2026-06" : undefined));
        // A busy machine's replica may be late for a read; it is asked again once it has caught up.
        await vi.waitFor(async () => {
          await db.replica?.look();
          const before = statusOf(db);
          expect(before.state).toBe("following");
          await caller[room]?.[name]?.(input).catch((error: unknown) => {
            const { code } = asAppError(error instanceof Error ? error.cause : error);
            if (code === "internal" || code.startsWith("database")) failed.push(`${path}: ${String(error)}`);
          });
          const after = statusOf(db);
          expect(after.state).not.toBe("behind");
          if (after.fallbacks > before.fallbacks) failed.push(`${path} was asked of the primary: ${after.says}`);
        }, PATIENTLY);
      }
      expect(failed).toEqual([]);
    },
    TEST_MS,
  );
});

describe("a console over a replica", () => {
  let node: Node;
  let key: string;
  beforeAll(async () => {
    node = await startNode(servers.url, { ...secrets, DATABASE_READ_URL: servers.replicaUrl });
    ({ key = "" } = await change("agents.create", { name: "replicated" }));
    await untilFollowed();
  }, 300_000);
  afterAll(async () => {
    expect(await node?.stop()).toBe(0);
  }, 60_000);

  const asAdmin = { authorization: `Bearer ${secrets.QUARTERDECK_TOKEN}`, "content-type": "application/json" };

  async function change(path: string, json: object): Promise<Record<string, string>> {
    const body = JSON.stringify({ json });
    return resultOf(await fetch(`${node.url}/api/trpc/${path}`, { method: "POST", headers: asAdmin, body }));
  }
  async function read(path: string, json: object): Promise<Record<string, unknown>> {
    const meta = { values: { from: ["Date"], to: ["Date"] }, v: 1 };
    const input = encodeURIComponent(JSON.stringify("from" in json ? { json, meta } : { json }));
    return resultOf(await fetch(`${node.url}/api/trpc/${path}?input=${input}`, { headers: asAdmin }));
  }
  async function resultOf(response: Response) {
    const answer = (await response.json()) as { result: { data: { json: Record<string, string> } } }; // tRPC's own shape
    expect(response.status, JSON.stringify(answer)).toBe(200);
    return answer.result.data.json;
  }

  /** Records a gate and looks for its session in the list at once. */
  async function seesOwnWrite(): Promise<boolean> {
    const session = uuidv7();
    const response = await fetch(`${node.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: session, tool_name: "shell", tool_input: { cmd: "ls" } }),
    });
    expect(response.status).toBe(200);
    const stored = "SELECT EXISTS (SELECT FROM session WHERE session_id = $1) AS there";
    await vi.waitFor(async () => {
      expect((await direct.pool.query(stored, [session])).rows).toEqual([{ there: true }]);
    }, PATIENTLY);
    const [from, to] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)];
    return JSON.stringify(await read("sessions.list", { from, to })).includes(session);
  }

  async function finding(): Promise<{ state: string; says: string }> {
    const { findings } = (await read("doctor.examine", {})) as unknown as {
      findings: { id: string; state: string; says: string }[];
    }; // examinationView
    const found = findings.find(({ id }) => id === "read_replica");
    if (found === undefined) throw new Error("the doctor does not look at it");
    return found;
  }
  const untilFollowed = () => vi.waitFor(async () => expect((await finding()).state).toBe("ok"), PATIENTLY);

  test(
    "reads there, own writes too",
    async () => {
      expect(await seesOwnWrite()).toBe(true);
      const sql = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'quarterdeck'";
      expect((await servers.askReplica<{ n: number }>(sql))[0]?.n).toBeGreaterThan(0);
      expect((await finding()).says).toContain("read from the replica");
    },
    TEST_MS,
  );

  test(
    "shows its own write while the replica replays nothing",
    async () => {
      await servers.askReplica("SELECT pg_wal_replay_pause()");
      expect(await seesOwnWrite()).toBe(true);
      expect(await finding()).toMatchObject({ state: "warning", says: expect.stringContaining("behind") });
      await servers.askReplica("SELECT pg_wal_replay_resume()");
      await untilFollowed();
      expect(await seesOwnWrite()).toBe(true);
    },
    TEST_MS,
  );

  test(
    "goes on when the replica hangs",
    async () => {
      servers.freeze();
      expect(await seesOwnWrite()).toBe(true);
      await vi.waitFor(async () => expect(await finding()).toMatchObject({ state: "warning" }), PATIENTLY);
      servers.thaw();
      await untilFollowed();
    },
    TEST_MS,
  );

  test(
    "goes on when the replica is killed, and reads there again when it is back",
    async () => {
      expect(await seesOwnWrite()).toBe(true);
      await servers.kill();
      for (let index = 0; index < 5; index += 1) expect(await seesOwnWrite()).toBe(true);
      expect(await finding()).toMatchObject({ state: "warning", says: expect.stringContaining("does not answer") });
      await servers.restart();
      await untilFollowed();
      expect(await seesOwnWrite()).toBe(true);
    },
    TEST_MS,
  );
});

test("a query that the replica breaks off is answered by the primary", async () => {
  const database = await consoleDatabase(undefined, INSTALLATION);
  let runs = 0;
  const result = await readFromReplica(database, async ({ pool }) => {
    runs += 1;
    try {
      const client = await pool.connect();
      try {
        const { rows } = await client.query<{ pid: number; replica: boolean }>(
          "SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS replica",
        );
        if (rows[0]?.replica) await servers.askReplica(`SELECT pg_terminate_backend(${rows[0].pid})`);
        await client.query("SELECT 1");
        return { ok: true as const, replica: rows[0]?.replica };
      } finally {
        client.release(true);
      }
    } catch (cause) {
      return { ok: false as const, error: { cause } };
    }
  });
  expect([runs, result]).toEqual([2, { ok: true, replica: false }]);
  expect(await isOnReplica(database.pool)).toBe(false);
});
