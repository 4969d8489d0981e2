/** Metrics of clients over real HTTP, compared with the ledger and part of no sum of it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { CLAUDE, claudeRequest, exportLogs, kvlist, metricsOf } from "../../e2e/fixtures/otlp-exports.ts";
import { postTelemetry } from "../../e2e/fixtures/post-telemetry.ts";
import * as costs from "../costs/index.ts";

let db: TestDatabase;
let server: TestGateway;
let key: string;
let url: string;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("tester");
  url = `${server.url}/api/otlp`;
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

let sessions = 0;
const newSession = (): string => {
  sessions += 1;
  return `session-${sessions}`;
};

describe("metrics", () => {
  const compared = async () => {
    const now = Date.now();
    const range = { from: new Date(now - 86_400_000), to: new Date(now + 60_000) };
    return costs.clientMetrics(server.database, server.admin.workspaceId, range);
  };

  it("are compared with the ledger by session and day, delta or cumulative, and are part of no sum of it", async () => {
    const [agrees, differs] = [newSession(), newSession()];
    await exportLogs({ url, key }, CLAUDE, [claudeRequest(agrees), claudeRequest(differs)]);
    const delta = metricsOf({ url, key }, "claude-code", "delta");
    const cost = delta.meter.createCounter("claude_code.cost.usage");
    cost.add(0.1, { "session.id": agrees, model: "m" });
    await delta.flush();
    cost.add(0.2, { "session.id": agrees, model: "m" });
    cost.add(1, { "session.id": differs, model: "m" });
    delta.meter.createCounter("claude_code.lines_of_code.count").add(7, { "session.id": agrees });
    await delta.flush();
    await delta.close();
    const cumulative = metricsOf({ url, key }, "claude-code", "cumulative");
    const tokens = cumulative.meter.createCounter("claude_code.token.usage");
    tokens.add(46, { "session.id": agrees, type: "input" });
    await cumulative.flush();
    tokens.add(567, { "session.id": agrees, type: "input" });
    await cumulative.flush();
    await cumulative.flush();
    await cumulative.close();
    const view = await compared();
    expect(view).toMatchObject({ sessions: 2, differing: 1, isCut: false });
    expect(view.lines).toMatchObject([
      {
        ...{ sessionId: differs, client: "claude-code", calls: 1, nano: 1_000_000_000n, ledgerNano: 300_000_000n },
        ...{ tokens: null, ledgerTokens: 613n },
      },
    ]);
  });

  it("that come again are counted once, and points that say nothing are rejected by themselves", async () => {
    const session = newSession();
    const nano = `${Date.now()}000000`;
    const point = (attributes: object, more: object) => ({
      attributes: kvlist(attributes),
      timeUnixNano: nano,
      ...more,
    });
    const sum = {
      aggregationTemporality: 1,
      dataPoints: [
        point({ "session.id": session }, { asDouble: 0.5 }),
        point({}, { asDouble: 1 }),
        point({ "session.id": session, model: "n" }, {}),
      ],
    };
    const body = JSON.stringify({
      resourceMetrics: [
        {
          scopeMetrics: [
            {
              metrics: [
                { name: "claude_code.cost.usage", sum },
                { name: "x", gauge: {} },
              ],
            },
          ],
        },
      ],
    });
    const send = async () =>
      (await postTelemetry({ url, key }, "metrics", body, { "content-type": "application/json" })).json();
    const partialSuccess = {
      rejectedDataPoints: "2",
      errorMessage: "claude_code.cost.usage: the point names no session.",
    };
    expect(await send()).toEqual({ partialSuccess });
    expect(await send()).toEqual({ partialSuccess });
    const { rows } = await server.database.pool.query("SELECT value::text FROM client_metric WHERE session_id = $1", [
      session,
    ]);
    expect(rows).toEqual([{ value: "0.5" }]);
  });
});
