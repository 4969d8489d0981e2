import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { createHealth } from "./health.ts";

let db: TestDatabase;
let server: TestGateway;
let key: string;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url, { allowedHosts: "qd.example" });
  key = await server.agent("tester");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

/** fetch writes its own Host; this one writes what it is told. */
function get(path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ port: server.port, host: "127.0.0.1", path, headers }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    asked.on("error", reject).end();
  });
}

function dispatch(path: string, body = "{}"): Promise<Response> {
  return fetch(`${server.url}/api/v1/hooks/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body,
  });
}

describe("/healthz and /readyz", () => {
  it("say that all is well", async () => {
    expect(await get("/healthz")).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    const ready = await get("/readyz");
    expect([ready.status, JSON.parse(ready.text)]).toEqual([
      200,
      { status: "ready", checks: { database: "ok", spawner: "ok", recording: "ok" } },
    ]);
  });

  it("answer HEAD without a body and refuse POST", async () => {
    const head = await fetch(`${server.url}/readyz`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const post = await fetch(`${server.url}/readyz`, { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  it("say in words what is missing, and notice when it is back", async () => {
    const pid = server.running.spawner.pid;
    expect(pid).toBeDefined();
    process.kill(pid ?? 0, "SIGKILL");
    await expect.poll(async () => (await get("/readyz")).text, { interval: 1 }).toContain("The spawner is away.");
    await expect.poll(async () => (await get("/readyz")).status, { timeout: 10_000 }).toBe(200);
  });

  it("ask once, however many want to know, and never wait for ever", async () => {
    let asked = 0;
    const never = () => {
      asked += 1;
      return new Promise<null>(() => undefined);
    };
    const health = createHealth({ oracle: never }, new AbortController().signal);
    const answers: string[] = [];
    const response = () => ({ writeHead: () => undefined, end: (text: string) => answers.push(text) });
    // Holds: createHealth only writes a head and ends with a text.
    await Promise.all([health.ready(response() as never), health.ready(response() as never)]);
    expect(asked).toBe(1);
    expect(answers.map((text) => JSON.parse(text).reason)).toEqual(Array(2).fill("The oracle is not responding."));
  });
});

/** Of each line of metrics, by its name with its labels. */
const valuesOf = (text: string) =>
  new Map([...text.matchAll(/^(quarterdeck_\S+) (\S+)$/gm)].map(([, name = "", value]) => [name, value]));

describe("/metrics", () => {
  it("counts dispatches by event and verdict, refusals by code, batches and times", async () => {
    const metrics = () => get("/metrics", { host: `127.0.0.1:${server.port}` });
    const before = valuesOf((await metrics()).text);
    await dispatch("turn_end");
    await dispatch("turn_end");
    await dispatch("no_such_event");
    await dispatch("stop", "{oops");
    const { status, text } = await metrics();
    expect(status).toBe(200);
    const after = valuesOf(text);
    const added = (name: string) => Number(after.get(name)) - Number(before.get(name) ?? 0);
    expect(added('quarterdeck_dispatches_total{event="turn_end",verdict="none"}')).toBe(2);
    expect(added('quarterdeck_refusals_total{code="unknown_event"}')).toBe(1);
    expect(added('quarterdeck_refusals_total{code="not_json"}')).toBe(1);
    expect(added("quarterdeck_dispatch_seconds_count")).toBe(2);
    expect([1, 2]).toContain(added("quarterdeck_batch_records_count"));
    for (const line of ["quarterdeck_records_waiting 0", "quarterdeck_requests_under_way 0"])
      expect(text).toContain(`${line}\n`);
    expect(text).toMatch(/quarterdeck_sandboxed [01]\n/);
    expect(text).toContain("nodejs_eventloop_lag_seconds");
  });

  it("grows no label with what strangers send", async () => {
    const lines = async () =>
      (await server.metrics.text()).split("\n").filter((line) => line.startsWith("quarterdeck_"));
    // The code that they are all refused by is a label from the first of them on.
    await dispatch("stranger");
    const before = (await lines()).length;
    for (let index = 0; index < 20; index += 1)
      await dispatch(`stranger_${index}`, JSON.stringify({ session_id: "s", tool_name: `t${index}` }));
    expect((await lines()).length).toBe(before);
  });

  it.each([
    ["as a page that had its name pointed here", { host: "evil.example" }],
    ["by another site's name", { host: "127.0.0.1.evil.example" }],
  ])("asked for %s are not looked at", async (_title, headers) => {
    const { status, text } = await get("/metrics", headers);
    expect([status, JSON.parse(text).error.code]).toEqual([421, "unknown_host"]);
    expect(JSON.parse(text).error.message).toContain("QUARTERDECK_ALLOWED_HOSTS");
  });

  it.each([
    ["through a proxy", { host: "127.0.0.1", "x-forwarded-for": "203.0.113.9" }],
    ["through a proxy of the newer kind", { host: "127.0.0.1", forwarded: "for=203.0.113.9" }],
    ["through a proxy that says no more than its name", { host: "127.0.0.1", via: "1.1 proxy" }],
    ["through nginx", { host: "127.0.0.1", "x-real-ip": "203.0.113.9" }],
    ["by a name from outside", { host: "qd.example" }],
    ["with an agent's key", { host: "qd.example", authorization: "Bearer qd_x" }],
  ])("asked for %s are refused", async (_title, headers) => {
    expect((await get("/metrics", headers)).status).toBe(403);
  });

  it("are shown to a script with the admin token, from wherever it comes", async () => {
    const authorization = `Bearer ${server.secrets.adminToken}`;
    expect(
      (await get("/metrics", { host: "qd.example", "x-forwarded-for": "203.0.113.9", authorization })).status,
    ).toBe(200);
  });
});

describe("a full disk", () => {
  it("makes the server not ready while gates are refused, and a record that is written makes it ready again", async () => {
    const gate = () =>
      dispatch("pre_tool_use", '{"session_id":"full","tool_name":"shell","tool_use_id":"t","tool_input":{}}');
    await db.owner.query(`
      CREATE FUNCTION disk_is_full() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER disk_is_full BEFORE INSERT ON dispatch FOR EACH ROW EXECUTE FUNCTION disk_is_full()`);
    const refused = await Promise.all([gate(), gate(), gate()]);
    expect(refused.map(({ status }) => status)).toEqual([503, 503, 503]);
    const full = await get("/readyz");
    expect([full.status, JSON.parse(full.text).checks.recording]).toEqual([503, expect.stringMatching(/disk is full/)]);

    await db.owner.query("DROP TRIGGER disk_is_full ON dispatch; DROP FUNCTION disk_is_full");
    expect((await gate()).status).toBe(200);
    expect((await get("/readyz")).status).toBe(200);
  });
});
