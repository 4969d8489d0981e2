import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { LOAD_CLASSES, type LoadClass } from "../access/load-class.ts";
import { load as loadFinding } from "../doctor/load.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
import { isTooMuch } from "./pressure.ts";
import { createShedding, turnedAway } from "./service.ts";

const REPORTS_OF_ONE_MAX = 2;
const DAY_AGO = () => new Date(Date.now() - 86_400_000);

let db: TestDatabase;
let server: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url, { admissionLimits: { reportsOfOneMax: REPORTS_OF_ONE_MAX } });
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

describe("under pressure", () => {
  const refused = (queue: number, turnMs: number): LoadClass[] =>
    LOAD_CLASSES.filter((of) => isTooMuch({ queue, turnMs }, of));

  it("reports go first, then what observes and what people read, and a gate never", () => {
    expect(refused(0, 0)).toEqual([]);
    expect(refused(0.3, 0)).toEqual(["report"]);
    expect(refused(0, 300)).toEqual(["report"]);
    expect(refused(0.7, 0)).toEqual(["dispatch", "console", "report"]);
    expect(refused(1, 60_000)).toEqual(["dispatch", "console", "report"]);
  });

  it("what was turned away is written down when it is over, by class and for its workspace alone", async () => {
    const { bus } = server.running.app;
    const other = uuidv7();
    await db.database.pool.query("INSERT INTO workspace (id, name) VALUES ($1, 'other')", [other]);
    const { pool } = db.database;
    const log = createLog("silent");
    const clock = { now: () => Date.now() };
    const shedding = createShedding({ pool, bus, log, clock, queue: () => 0.3 });
    expect(() => shedding.check("report")).toThrow(expect.objectContaining({ code: "overloaded", status: 503 }));
    shedding.check("gate");
    for (let call = 0; call < 3; call += 1) shedding.count(other, "report");
    shedding.count(other, "console");
    expect((await turnedAway(db.database, other, DAY_AGO())).shed).toEqual([]);
    await shedding.close();
    const { shed } = await turnedAway(db.database, other, DAY_AGO());
    expect(shed.map((one) => [one.class, one.requests])).toEqual([
      ["console", 1],
      ["report", 3],
    ]);
    expect((await turnedAway(db.database, server.admin.workspaceId, DAY_AGO())).shed).toEqual([]);
    expect(await loadFinding(db.database, other, new Date())).toMatchObject({
      state: "warning",
      says: expect.stringMatching(/3 event reports, which agents send again, were turned away between \d\d:\d\d and/),
    });
  });
});

describe("an agent that floods with reports", () => {
  const BATCHES = 12;
  const EVENTS = 400;

  it("hears when to come back, gates are decided meanwhile, and what it was refused is counted", async () => {
    const key = await server.agent("flooding");
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" };
    const report = async () => {
      const line = () =>
        JSON.stringify({ event_id: crypto.randomUUID(), event: "turn_start", input: { session_id: "flood" } });
      const body = Array.from({ length: EVENTS }, line).join("\n");
      const response = await fetch(`${server.url}/api/v1/events`, { method: "POST", headers, body });
      await response.arrayBuffer();
      return response;
    };
    const gate = async () => {
      const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: '{"session_id":"s","tool_name":"shell"}',
      });
      await response.arrayBuffer();
      return response.status;
    };
    const reports = Array.from({ length: BATCHES }, report);
    const gates = Array.from({ length: 40 }, gate);
    expect(new Set(await Promise.all(gates))).toEqual(new Set([200]));
    const answered = await Promise.all(reports);
    const turned = answered.filter(({ status }) => status !== 200);
    expect(turned.length).toBeGreaterThan(0);
    for (const { status, headers: said } of turned) {
      expect([429, 503]).toContain(status);
      expect(Number(said.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(await server.metrics.text()).toContain(`quarterdeck_shed_total{class="report"} ${turned.length}`);
  });
});
