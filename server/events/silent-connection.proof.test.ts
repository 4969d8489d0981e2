import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import * as agents from "../agents/index.ts";

let db: TestDatabase;
let first: TestGateway;
let second: TestGateway;
/** The backend of the first process, which keeps listening. */
let firstListener: number;

/** The backends that serve the listening connections of all processes. */
async function listeners(): Promise<number[]> {
  const { rows } = await db.owner.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'quarterdeck listener' AND datname = current_database()",
  );
  return rows.map(({ pid }) => pid);
}

const gate = (at: TestGateway, key: string) =>
  fetch(`${at.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", tool_name: "shell", tool_use_id: "t", tool_input: {} }),
  });

beforeAll(async () => {
  db = await testDatabase();
  first = await testGateway(db.url);
  await vi.waitUntil(() => first.running.app.bus.isCurrent(), { timeout: 10_000 });
  firstListener = (await listeners())[0] ?? 0;
  second = await testGateway(db.url);
  await vi.waitUntil(() => second.running.app.bus.isCurrent(), { timeout: 10_000 });
});
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()]);
  await db?.drop();
});

describe("a listening connection that dies without a word", () => {
  it("leaves no node answering by an old policy or for a revoked key, and is replaced", async () => {
    const [kept, revoked] = [await first.agent("kept"), await first.agent("revoked")];
    for (const key of [kept, revoked]) expect((await gate(second, key)).status).toBe(200);
    expect(await (await gate(second, kept)).json()).toEqual({});

    await expect.poll(() => second.running.app.bus.isCurrent(), { timeout: 10_000 }).toBe(true);
    const frozen = (await listeners()).find((pid) => pid !== firstListener);
    if (frozen === undefined) throw new Error("the second process does not listen");
    process.kill(frozen, "SIGSTOP");
    try {
      await first.publish(
        "hooks:\n  pre_tool_use:\n    - { matcher: shell, hooks: [{ type: command, command: exit 2 }] }\n",
      );
      const [agent] = (await agents.list(db.database, first.admin.workspaceId)).filter(
        ({ name }) => name === "revoked",
      );
      const [{ id } = { id: "" }] = agent?.keys ?? [];
      await agents.revokeKey(db.database, first.running.app.bus, first.admin, { agentId: agent?.id ?? "", keyId: id });

      // Well within the half minute for which keys and plans are otherwise remembered.
      await expect.poll(async () => (await gate(second, revoked)).status, { timeout: 10_000 }).toBe(401);
      expect(await (await gate(second, kept)).json()).toMatchObject({ decision: "block" });
      await expect.poll(async () => (await listeners()).some((pid) => pid !== frozen), { timeout: 10_000 }).toBe(true);
      await expect.poll(() => second.running.app.bus.isCurrent(), { timeout: 10_000 }).toBe(true);
    } finally {
      process.kill(frozen, "SIGCONT");
    }
  });

  it("keeps what was announced meanwhile, and sends it when it is back", async () => {
    const heard: string[] = [];
    // A listener that was itself made anew meanwhile hears of a gap, in which everything may have changed.
    const stop = first.running.app.bus.subscribe((workspaceId, topics) => {
      if (workspaceId === "w" || workspaceId === null) heard.push(...topics);
    });
    const sending = (await listeners()).filter((pid) => pid !== firstListener);
    await db.owner.query("SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid", [sending]);
    second.running.app.bus.tell("w", ["circuits"]);
    await expect.poll(() => heard, { timeout: 10_000 }).toContain("circuits");
    stop();
  });
});
