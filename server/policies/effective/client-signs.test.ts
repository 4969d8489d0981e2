/** The signs of clients on the agent's row, written by several gateways. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import type { AgentActor } from "../../access/actor.ts";
import { stoppedClock } from "../../platform/clock.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { createLog } from "../../platform/log.ts";
import { createClientSigns } from "./client-signs.ts";

const NOW = Date.now() - 3_600_000;

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db?.drop());

async function newAgent(): Promise<AgentActor> {
  const [workspaceId, id] = [uuidv7(), randomUUID()];
  await db.owner.query("INSERT INTO workspace (id, name) VALUES ($1, 'test')", [workspaceId]);
  await db.owner.query("INSERT INTO agent (workspace_id, id, name) VALUES ($1, $2, 'bot')", [workspaceId, id]);
  return { kind: "agent", workspaceId, id, name: "bot", scopes: [] };
}

/** A gateway whose clock stands there, and that answers once what it noted is written or refused. */
function gateway(nowMs: number) {
  const ended: Promise<unknown>[] = [];
  const pool = {
    query(text: string, values: unknown[]) {
      const writing = db.owner.query(text, values);
      ended.push(writing);
      return writing;
    },
  };
  const bus = { tell: () => undefined };
  const signs = createClientSigns({ pool: pool as never }, bus, createLog("silent"), stoppedClock(nowMs)); // all that it asks of one
  return async (actor: AgentActor, revision: string) => {
    signs.notePoll(actor, revision);
    await Promise.all(ended);
  };
}

const stored = async ({ id }: AgentActor) =>
  (await db.owner.query("SELECT polled_at, polled_revision FROM agent WHERE id = $1", [id])).rows[0];

it("the newest call for policies stands, whichever gateway writes last", async () => {
  const agent = await newAgent();
  await gateway(NOW)(agent, "newer");
  await gateway(NOW - 1_000)(agent, "older");
  expect(await stored(agent)).toEqual({ polled_at: new Date(NOW), polled_revision: "newer" });
  await gateway(NOW + 1_000)(agent, "newest");
  expect(await stored(agent)).toEqual({ polled_at: new Date(NOW + 1_000), polled_revision: "newest" });
});

it("a gateway whose clock is ahead keeps out nobody's calls for longer than that", async () => {
  const agent = await newAgent();
  await gateway(Date.now() + 86_400_000)(agent, "ahead");
  const { polled_at: at } = await stored(agent);
  expect(at.getTime()).toBeLessThan(Date.now() + 60_000);
  await gateway(Date.now() + 60_000)(agent, "next");
  expect(await stored(agent)).toMatchObject({ polled_revision: "next" });
});
