import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type EmbeddedPostgres, startEmbedded } from "../database/embedded.ts";
import { migrate } from "../database/migrate.ts";
import { createLog } from "../platform/log.ts";

let directory: string;
let postgres: EmbeddedPostgres;
let server: TestGateway;
let key: string;

const start = () => startEmbedded({ dataDir: directory, socketDir: directory, log: createLog("silent") });

beforeAll(async () => {
  directory = await mkdtemp("/tmp/quarterdeck-outage-");
  postgres = await start();
  await migrate(postgres.url("postgres"));
  server = await testGateway(postgres.url("postgres"));
  key = await server.agent("tester");
  await server.publish(
    "hooks:\n  pre_tool_use:\n    - matcher: shell\n      hooks: [{ type: command, command: exit 2 }]\n",
  );
});
afterAll(async () => {
  await server?.stop();
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
});

function gate(name: string): Promise<Response> {
  return fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": name },
    body: JSON.stringify({ tool_name: "shell", session_id: name }),
  });
}

const answerOf = ({ status, headers }: Response) =>
  status === 503 ? `503, again after ${headers.get("retry-after")}` : String(status);

describe("while PostgreSQL is away", () => {
  // The test before may have ended while it came back.
  beforeEach(() => expect.poll(async () => (await gate(randomUUID())).status, { timeout: 15_000 }).toBe(200));

  it("no verdict is given, in good time, and after it is back the same call is answered and recorded once", async () => {
    const answered = await gate("before");
    expect(await answered.json()).toMatchObject({ decision: "block" });

    await postgres.stop();
    const startedMs = performance.now();
    const refused = await Promise.all(["during-1", "during-2", "before"].map(gate));
    expect(performance.now() - startedMs).toBeLessThan(6_000);
    for (const response of refused) {
      const { error } = await response.json();
      expect([response.status, error.code]).toEqual([503, "database_away"]);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const ready = await fetch(`${server.url}/readyz`);
    expect([ready.status, (await ready.json()).status]).toEqual([503, "not_ready"]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const status = await (await fetch(`${server.url}/gateway-status`)).json();
    expect(status).toMatchObject({ state: "blocking", refused: 3 });
    expect(status.reasons).toContain("The database is not responding.");
    expect(Date.now() - Date.parse(status.since)).toBeLessThan(60_000);

    postgres = await start();
    await expect.poll(async () => (await gate("during-1")).status, { timeout: 15_000 }).toBe(200);
    const repeated = await gate("before");
    expect(repeated.headers.get("quarterdeck-dispatch-id")).toBe(answered.headers.get("quarterdeck-dispatch-id"));
    const { rows } = await server.database.pool.query(
      "SELECT session_id, count(*)::int AS n FROM dispatch WHERE session_id = ANY ($1) GROUP BY 1 ORDER BY 1",
      [["before", "during-1", "during-2"]],
    );
    expect(rows).toEqual([
      { session_id: "before", n: 1 },
      { session_id: "during-1", n: 1 },
    ]);
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${server.url}/gateway-status`)).json()).toMatchObject({
      state: "answering",
      since: null,
    });
  });

  it("whoever asks while it shuts down hears that it is away, with when to ask again", async () => {
    // It waits for who is connected, and turns others away as it does while it starts.
    const held = await server.database.pool.connect();
    const [pid] = (await readFile(join(directory, "postgres", "postmaster.pid"), "utf8")).split("\n");
    process.kill(Number(pid), "SIGTERM");
    const guess = (index: number) =>
      fetch(`${server.url}/api/v1/policy`, {
        headers: { authorization: `Bearer qd_${String(index).padStart(43, "0")}` },
      });
    await expect
      .poll(async () => (await Promise.all(Array.from({ length: 20 }, (_, index) => guess(index)))).map(answerOf))
      .toContain("503, again after 1");
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => guess(index)));
    expect(answers.map(answerOf).filter((answer) => answer !== "401" && answer !== "503, again after 1")).toEqual([]);
    held.release(true);
    await postgres.stop();
    postgres = await start();
    await expect.poll(async () => (await gate("after")).status, { timeout: 15_000 }).toBe(200);
  });

  it("whatever was answered when it died is recorded", async () => {
    const answered = new Set<string>();
    let isOver = false;
    const agents = Array.from({ length: 8 }, async (_, agent) => {
      for (let call = 0; !isOver; call += 1) {
        const name = `crash ${agent} ${call}`;
        if ((await gate(name)).status === 200) answered.add(name);
      }
    });
    await expect.poll(() => answered.size, { timeout: 20_000 }).toBeGreaterThan(20);
    await postgres.stop();
    isOver = true;
    await Promise.all(agents);
    postgres = await start();
    const found = await expect
      .poll(
        () =>
          server.database.pool
            .query<{ session_id: string }>("SELECT session_id FROM dispatch WHERE session_id LIKE 'crash%'")
            .then(({ rows }) => rows.map((row) => row.session_id))
            .catch(() => []),
        { timeout: 15_000 },
      )
      .not.toEqual([])
      .then(() =>
        server.database.pool.query<{ session_id: string }>(
          "SELECT session_id FROM dispatch WHERE session_id LIKE 'crash%'",
        ),
      );
    const stored = found.rows.map((row) => row.session_id);
    expect([...answered].filter((name) => !stored.includes(name))).toEqual([]);
    expect(new Set(stored).size).toBe(stored.length);
  });
});
