/** Refused requests are logged by key, without the key, bounded, and never in the way of a gate. */
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { AppError } from "../errors/app-error.ts";
import { systemClock } from "../platform/clock.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
import { NOT_LOGGED, ROWS_PER_KEY_MAX } from "./schema.ts";
import { createRequestLog, listRefused } from "./service.ts";

let db: TestDatabase;
let server: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
});
beforeEach(async () => {
  await server.running.app.requestLog.flush();
  await db.owner.query("DELETE FROM refused_request");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const log = () => server.running.app.requestLog;
const agentIdOf = async (name: string): Promise<string> => {
  const { rows } = await db.owner.query<{ id: string }>("SELECT id FROM agent WHERE name = $1", [name]);
  return rows[0]?.id ?? "";
};
const refusedOf = async (ownerId: string | null) => {
  await log().flush();
  return listRefused(db.database, server.admin.workspaceId, ownerId);
};
const gate = (key: string, body = '{"session_id":"s","tool_name":"shell"}') =>
  fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body,
  });
const unknownKey = (seed: string) => `qd_${seed.padEnd(43, "x").slice(0, 43)}`;

describe("the request log of an agent", () => {
  it("groups refused requests with their reason, route, client and count; a good request leaves nothing", async () => {
    const key = await server.agent("refused");
    const id = await agentIdOf("refused");
    expect((await gate(key)).status).toBe(200);
    for (let call = 0; call < 3; call += 1) expect((await gate(key, "not json")).status).toBeGreaterThanOrEqual(400);
    const { rows, notLogged } = await refusedOf(id);
    expect(notLogged).toBe(0);
    expect(rows).toHaveLength(1);
    const [row] = rows;
    expect(row).toMatchObject({ method: "POST", route: "/api/v1/hooks/{event}", count: 3, client: "127.0.0.1" });
    expect(row?.hint).toBe(key.slice(0, 8));
    expect(row?.reason.length).toBeGreaterThan(10);
    expect(row?.firstAt.getTime()).toBeLessThanOrEqual(row?.lastAt.getTime() ?? 0);
  });

  it("names a revoked key by its public beginning alone", async () => {
    const key = await server.agent("revoked");
    const id = await agentIdOf("revoked");
    await db.owner.query("UPDATE agent_key SET revoked_at = now() WHERE agent_id = $1", [id]);
    expect((await gate(key)).status).toBeGreaterThanOrEqual(401);
    const { rows } = await refusedOf(id);
    expect(rows[0]).toMatchObject({ code: "key_revoked", count: 1 });
    const { rows: stored } = await db.owner.query("SELECT * FROM refused_request");
    expect(JSON.stringify(stored)).not.toContain(key.slice(0, 12));
  });

  it("has requests that were refused before routing: another host's name", async () => {
    const key = await server.agent("elsewhere");
    const status = await new Promise<number>((resolve, reject) => {
      const headers = { host: "elsewhere.example", authorization: `Bearer ${key}` };
      const asked = httpRequest({ port: server.port, path: "/api/v1/policy", headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      asked.on("error", reject).end();
    });
    expect(status).toBe(421);
    const { rows } = await refusedOf(await agentIdOf("elsewhere"));
    expect(rows[0]).toMatchObject({ status: 421, code: "unknown_host", route: "/api/v1/policy" });
  });

  it("has a service account's token too", async () => {
    const [accountId, tokenId] = [uuidv7(), uuidv7()];
    const token = `qds_${"t".repeat(43)}`;
    const { createHash } = await import("node:crypto");
    await db.owner.query("INSERT INTO service_account (workspace_id, id, name, role) VALUES ($1, $2, 'ci', 'viewer')", [
      server.admin.workspaceId,
      accountId,
    ]);
    await db.owner.query(
      `INSERT INTO service_token (workspace_id, id, account_id, token_sha256, hint, expires_at, created_by_id)
       VALUES ($1, $2, $3, $4, 'qds_ttttt', now() - interval '1 day', 'ada')`,
      [server.admin.workspaceId, tokenId, accountId, createHash("sha256").update(token).digest()],
    );
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${server.url}/api/trpc/access.whoami`, { headers })).status).toBe(401);
    const { rows } = await refusedOf(accountId);
    expect(rows[0]).toMatchObject({ status: 401, route: "/api/trpc/access.whoami", hint: "qds_ttttt" });
  });
});

describe("unknown keys", () => {
  it("are listed by their beginning while there is one workspace, and a flood of them stays small", async () => {
    for (let at = 0; at < 900; at += 1)
      log().note(
        {
          headers: { authorization: `Bearer ${unknownKey(`${at}`.padStart(5, "a"))}` },
          ...{ method: "POST", route: "/api/v1/hooks/{event}", client: "192.0.2.1" },
        },
        new AppError("unauthenticated"),
      );
    const { rows, notLogged } = await refusedOf(null);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThanOrEqual(ROWS_PER_KEY_MAX);
    expect(rows.reduce((sum, { count }) => sum + count, 0) + notLogged).toBe(900);
    const { rows: stored } = await db.owner.query("SELECT count(*)::int AS count FROM refused_request");
    expect(stored[0].count).toBeLessThanOrEqual(ROWS_PER_KEY_MAX + 1);
  });

  it("of an installation with several workspaces are shown to none of them", async () => {
    const other = uuidv7();
    await db.owner.query("INSERT INTO workspace (id, name) VALUES ($1, 'other')", [other]);
    expect((await gate(unknownKey("stray"))).status).toBe(401);
    expect((await refusedOf(null)).rows).toEqual([]);
    await db.owner.query("DELETE FROM workspace WHERE id = $1", [other]);
  });
});

it("keeps the rows of one key and day that were seen last", async () => {
  const key = await server.agent("many routes");
  for (let at = 0; at < ROWS_PER_KEY_MAX + 20; at += 1) {
    log().note(
      { headers: { authorization: `Bearer ${key}` }, method: "GET", route: `/api/v1/r${at}`, client: null },
      new AppError("not_found"),
    );
    if (at === 9) await log().flush();
  }
  const { rows } = await refusedOf(await agentIdOf("many routes"));
  expect(rows).toHaveLength(ROWS_PER_KEY_MAX);
  expect(rows.map(({ route }) => route)).not.toContain("/api/v1/r0");
});

it("ignores requests without a key, and a database that is away neither throws nor loses the number", async () => {
  const failing = { query: () => Promise.reject(new Error("away")) } as never; // a pool whose database is stopped
  let pool = failing;
  const lookup = new Proxy({}, { get: (_, name) => Reflect.get(pool, name) }) as never; // the pool of the moment
  const own = createRequestLog({ pool: lookup, log: createLog("silent"), clock: systemClock });
  const call = { method: "GET", route: "/api/v1/policy", client: null };
  own.note({ ...call, headers: {} }, new AppError("unauthenticated"));
  own.note({ ...call, headers: { authorization: "Bearer hunter2-hunter2" } }, new AppError("unauthenticated"));
  own.note({ ...call, headers: { authorization: `Bearer ${unknownKey("away")}` } }, new AppError("unauthenticated"));
  await own.flush();
  pool = { query: db.database.pool.query.bind(db.database.pool) } as never; // the database is back
  await own.close();
  const { rows } = await db.owner.query("SELECT code, count::int AS count FROM refused_request");
  expect(rows).toEqual([{ code: NOT_LOGGED, count: 1 }]);
});
