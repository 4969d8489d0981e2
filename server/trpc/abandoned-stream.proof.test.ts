import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { measuredClient } from "../../e2e/fixtures/measured-client.ts";
import { appRouter } from "../composition/router.ts";
import type { Context } from "./context.ts";
import { anyone, createCallerFactory, router } from "./init.ts";

let db: TestDatabase;
let server: Awaited<ReturnType<typeof measuredClient>>;
let viewer: Browser;
beforeAll(async () => {
  db = await testDatabase();
  server = await measuredClient(db.url);
  viewer = await signedIn(server.url, db.database, server.workspaceId, "viewer");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const STREAMS = Object.entries(appRouter._def.procedures).flatMap(([path, one]) => {
  const { type } = (one as unknown as { _def: { type: string } })._def; // tRPC keeps it there at run time
  return type === "subscription" ? [path] : [];
});

/** Leaves after the first bytes, while the server makes the next ones. */
async function leave(path: string): Promise<void> {
  const leaving = new AbortController();
  const headers = { ...viewer.header(), accept: "text/event-stream" };
  const response = await fetch(`${server.url}/api/trpc/${path}`, { headers, signal: leaving.signal });
  await response.body?.getReader().read();
  leaving.abort();
}

describe("a stream that its reader leaves", () => {
  it("fails without an error that nobody caught, when its last promise is dropped", async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown) => uncaught.push(error);
    process.on("unhandledRejection", note);
    const failing = router({
      one: anyone.subscription(async function* () {
        yield 1;
        throw new Error("the reader has left");
      }),
    });
    const caller = createCallerFactory(failing)({ actor: null, app: null } as unknown as Context); // it asks for no more
    const steps = (await caller.one())[Symbol.asyncIterator]();
    await steps.next();
    // As tRPC does when it is told to stop.
    void steps.next();
    await turn();
    await turn();
    process.off("unhandledRejection", note);
    expect(uncaught).toEqual([]);
  });

  it("does not end the process, whatever it fails with afterwards", async () => {
    expect(STREAMS).toContain("audit.verify");
    for (const path of STREAMS) for (let time = 0; time < 20; time += 1) await leave(path);
    expect((await viewer.query("access.me")).status).toBe(200);
    expect(server.isAlive).toBe(true);
  });
});
