import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { Context } from "./context.ts";
import { createCallerFactory } from "./init.ts";
import { requireKeepable } from "./keepable-input.ts";
import { appRouter } from "./root.ts";

let db: TestDatabase;
let server: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

describe("texts that no database keeps", () => {
  it.each([
    [{ a: ["x", { b: "\0" }] }, "/a/1/b"],
    [{ "a/b": "\ud800" }, "/a~1b"],
    [{ "k\0": 1 }, "/k\0"],
  ])("are pointed at", (input, pointer) => {
    expect(() => requireKeepable(input)).toThrow(
      expect.objectContaining({ options: expect.objectContaining({ pointer }) }),
    );
  });

  it("are a 400 in every procedure that people may call, before anything of it runs", async () => {
    const { app } = server.running;
    const { workspaceId } = server.admin;
    const actor = { kind: "person", role: "owner", workspaceId, id: uuidv7(), name: "Ada" } as const;
    const context: Context = { db: app.db, actor, app, session: null, setHeader: () => undefined };
    const caller = createCallerFactory(appRouter)(context) as unknown as Record<string, Record<string, unknown>>; // any procedure by its path
    const codes = new Map<string, unknown>();
    for (const path of Object.keys(appRouter._def.procedures)) {
      const [room = "", name = ""] = path.split(".");
      if (room === "agent") continue;
      const procedure = caller[room]?.[name] as (input: unknown) => Promise<unknown>; // every leaf is one
      const failure = await procedure({ text: "\0" }).catch((error: { code: string }) => error);
      codes.set(path, failure !== null && typeof failure === "object" && "code" in failure ? failure.code : "accepted");
    }
    expect([...codes].filter(([, code]) => code !== "BAD_REQUEST")).toEqual([]);
  });

  it("nor are numbers that no column holds", async () => {
    const { app } = server.running;
    const { workspaceId } = server.admin;
    const actor = { kind: "person", role: "owner", workspaceId, id: uuidv7(), name: "Ada" } as const;
    const caller = createCallerFactory(appRouter)({
      db: app.db,
      actor,
      app,
      session: null,
      setHeader: () => undefined,
    });
    const beyond = 2_147_483_648;
    for (const call of [
      () => caller.policies.revision({ policyId: uuidv7(), number: beyond }),
      () => caller.policies.exportBundle({ policy: { name: "p" }, number: beyond }),
    ])
      await expect(call()).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});
