import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { ADMISSION_LIMITS, createAdmission } from "./admission.ts";

describe("admission", () => {
  it("leaves room for the others, and for the machine", () => {
    const admission = createAdmission({ ...ADMISSION_LIMITS, perAgentMax: 2, totalMax: 3 });
    const first = admission.enter("a");
    admission.enter("a");
    expect(() => admission.enter("a")).toThrow(expect.objectContaining({ code: "busy", status: 429 }));
    admission.enter("b");
    expect(() => admission.enter("c")).toThrow(expect.objectContaining({ code: "overloaded", status: 503 }));
    first();
    first();
    expect(admission.underWay).toBe(2);
    admission.enter("c");
    expect(admission.underWay).toBe(3);
  });
});

describe("a busy agent", () => {
  let db: TestDatabase;
  let server: TestGateway;
  beforeAll(async () => {
    db = await testDatabase();
    server = await testGateway(db.url, { admissionLimits: { perAgentMax: 2, totalMax: 3 } });
    await server.publish(
      "hooks:\n  stop:\n    - { type: command, command: 'while [ ! -e /tmp/never ]; do sleep 0.05; done' }\n",
    );
  });
  afterAll(async () => {
    await server?.stop();
    await db?.drop();
  });

  it("hears when to come back, while others are served", async () => {
    const [busy, other] = [await server.agent("busy"), await server.agent("other")];
    const leave = new AbortController();
    const post = (key: string, event: string, signal: AbortSignal | null = null) =>
      fetch(`${server.url}/api/v1/hooks/${event}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: "{}",
        signal,
      });
    const held = Promise.allSettled([post(busy, "stop", leave.signal), post(busy, "stop", leave.signal)]);
    await expect.poll(() => server.running.spawner.load.running, { timeout: 10_000 }).toBe(2);
    const refused = await post(busy, "turn_end");
    expect([refused.status, (await refused.json()).error.code, refused.headers.get("retry-after")]).toEqual([
      429,
      "busy",
      "1",
    ]);
    expect((await post(other, "turn_end")).status).toBe(200);
    leave.abort();
    await held;
    await expect.poll(async () => (await post(busy, "turn_end")).status, { timeout: 10_000 }).toBe(200);
  });
});
