import { readdirSync, readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { createLog } from "../platform/log.ts";
import type { Topic } from "./schema.ts";
import { type Bus, createBus } from "./service.ts";

let db: TestDatabase;
let hearer: Bus;
/** One that has sent nothing yet. */
let sender: Bus;

beforeAll(async () => {
  db = await testDatabase();
  hearer = createBus(db.url, createLog("silent"));
});
beforeEach(async () => {
  sender = createBus(db.url, createLog("silent"));
  await vi.waitUntil(() => sender.isCurrent() && hearer.isCurrent(), { timeout: 10_000 });
});
afterEach(() => sender.close());
afterAll(async () => {
  await hearer.close();
  await db.drop();
});

/** The messages that the other node hears of a workspace, in order. */
function messagesOf(workspaceId: string) {
  const messages: (readonly Topic[])[] = [];
  const stop = hearer.subscribe((heard, topics) => {
    if (heard === workspaceId) messages.push(topics);
  });
  return { messages, stop };
}

describe("changes that nobody waits for", () => {
  test("are sent one message at a time: what comes meanwhile goes together in the next", async () => {
    const { messages, stop } = messagesOf("busy");
    sender.tell("busy", ["overview"]);
    for (let change = 0; change < 200; change += 1) sender.tell("busy", change % 2 === 0 ? ["costs"] : ["sessions"]);
    await expect.poll(() => messages.length).toBe(2);
    // Another workspace's message leaves behind all of these.
    const last = messagesOf("last");
    sender.tell("last", ["audit"]);
    await expect.poll(() => last.messages).toEqual([["audit"]]);
    expect(messages).toEqual([["overview"], ["costs", "sessions"]]);
    stop();
    last.stop();
  });

  test("of several workspaces are heard each by its own", async () => {
    const heard = ["a", "b", "c"].map(messagesOf);
    for (const workspaceId of ["a", "b", "c"]) sender.tell(workspaceId, ["overview"]);
    await expect.poll(() => heard.map(({ messages }) => messages.length)).toEqual([1, 1, 1]);
    for (const { stop } of heard) stop();
  });

  test("are sent before the bus ends", async () => {
    const { messages, stop } = messagesOf("parting");
    const parting = createBus(db.url, createLog("silent"));
    await vi.waitUntil(() => parting.isCurrent(), { timeout: 10_000 });
    parting.tell("parting", ["costs"]);
    parting.tell("parting", ["agents"]);
    await parting.close();
    await expect.poll(() => messages).toEqual([["costs"], ["agents"]]);
    stop();
  });
});

test("whoever announces a change to this process alone has sent it to the others in its transaction", () => {
  const sources = readdirSync("server", { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.startsWith("events/"),
  );
  const announcing = sources.filter((path) => readFileSync(`server/${path}`, "utf8").includes("bus.announce("));
  const silent = announcing.filter(
    (path) => !/bus\.message\(|recordAudit\(/.test(readFileSync(`server/${path}`, "utf8")),
  );
  expect(announcing.length).toBeGreaterThan(5);
  expect(silent).toEqual([]);
});
