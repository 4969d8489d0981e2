import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { LOAD_CLASSES, type LoadClass } from "../access/load-class.ts";
import { load as loadFinding } from "../doctor/load.ts";
import { AppError } from "../errors/app-error.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
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
  const shedding = (level: number, expectedMs = 0) => {
    const pressure = { level, untilBelow: async (below: number) => level < below };
    const { bus, log } = server.running.app;
    const clock = { now: () => Date.now() };
    return createShedding({ pool: db.database.pool, bus, log, clock, pressure, expectedMs: () => expectedMs });
  };
  const failureOf = (work: () => void): AppError | null => {
    try {
      work();
      return null;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  };
  const refused = async (level: number): Promise<LoadClass[]> => {
    const under = shedding(level);
    const classes = LOAD_CLASSES.filter((of) => failureOf(() => under.check(of)) !== null);
    await under.close();
    return classes;
  };

  it("reports give way first, then what people read, then what observes, and a gate by its wait alone", async () => {
    expect(await refused(2)).toEqual([]);
    expect(await refused(3)).toEqual(["report"]);
    expect(await refused(4)).toEqual(["console", "report"]);
    expect(await refused(5)).toEqual(["dispatch", "console", "report"]);
  });

  it("a report is refused with 429, a read with 503, each with a time to come back", async () => {
    const under = shedding(4);
    const [report, read] = (["report", "console"] as const).map((of) => failureOf(() => under.check(of)));
    expect([report?.status, read?.status]).toEqual([429, 503]);
    for (const one of [report, read]) expect(one?.options.retryAfterSeconds).toBeGreaterThan(0);
    await under.close();
  });

  it("a gate is refused when its wait is longer than its caller's, at the highest level than half a second", async () => {
    const waits = async (level: number, expectedMs: number, callerMs?: number) => {
      const under = shedding(level, expectedMs);
      const failure = failureOf(() => under.check("gate", callerMs));
      await under.close();
      if (failure !== null) expect(failure.options.retryAfterSeconds).toBeGreaterThan(0);
      return failure?.status ?? 200;
    };
    expect(await waits(5, 500)).toBe(200);
    expect(await waits(5, 501)).toBe(503);
    expect(await waits(4, 501)).toBe(200);
    expect(await waits(0, 9_999)).toBe(200);
    expect(await waits(0, 10_001)).toBe(503);
    expect(await waits(0, 10_001, 12_000)).toBe(200);
    expect(await waits(0, 5_000, 4_000)).toBe(503);
  });

  it("what was turned away is written down when it is over, by class and for its workspace alone", async () => {
    const { bus } = server.running.app;
    const other = uuidv7();
    await db.database.pool.query("INSERT INTO workspace (id, name) VALUES ($1, 'other')", [other]);
    const { pool } = db.database;
    const log = createLog("silent");
    const clock = { now: () => Date.now() };
    const pressure = { level: 0, untilBelow: async () => true };
    const shedding = createShedding({ pool, bus, log, clock, pressure, expectedMs: () => 0 });
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
      says: expect.stringMatching(
        /^Turned away in the last 24 hours: .*3 event reports, which agents send again \(\d\d:\d\d/,
      ),
    });
  });
});

test("a clock that is set back leaves no refusal uncounted, and no overload that ends before it began", async () => {
  const { bus, log } = server.running.app;
  const { pool } = db.database;
  const workspaceId = uuidv7();
  await pool.query("INSERT INTO workspace (id, name) VALUES ($1, 'clock')", [workspaceId]);
  const fromMs = Date.now();
  let nowMs = fromMs;
  const pressure = { level: 0, untilBelow: async () => true };
  const shedding = createShedding({ pool, bus, log, clock: { now: () => nowMs }, pressure, expectedMs: () => 0 });
  shedding.count(workspaceId, "gate");
  nowMs -= 3_600_000;
  shedding.count(workspaceId, "gate");
  await expect
    .poll(async () => (await turnedAway(db.database, workspaceId, DAY_AGO())).shed, { timeout: 30_000 })
    .toEqual([{ class: "gate", requests: 2, from: new Date(fromMs), to: new Date(fromMs) }]);
  await shedding.close();
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
