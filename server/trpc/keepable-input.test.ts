import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type Shape, shapeOf } from "../../e2e/fixtures/sample-input.ts";
import { appRouter } from "../composition/router.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { Context } from "./context.ts";
import { createCallerFactory } from "./init.ts";
import { requireKeepable } from "./keepable-input.ts";

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
    [{ from: new Date(-8.64e15) }, "/from"],
    [{ range: { to: new Date("+010000-01-01T00:00:00Z") } }, "/range/to"],
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

  it("nor are numbers that no column holds: a whole number of any input has a bound", () => {
    const unbound = Object.entries(appRouter._def.procedures).flatMap(([path, one]) => {
      const { inputs } = (one as unknown as { _def: { inputs: z.ZodType[] } })._def; // tRPC keeps them there at run time
      // An agent's input is kept as a text, and counted within bounds of its own.
      if (!inputs[0] || path.startsWith("agent.")) return [];
      const whole = shapeOf(inputs[0]);
      const shapes = [whole, ...Object.values(whole.$defs ?? {})];
      return shapes.flatMap((shape) => unboundIn(shape, path));
    });
    // Numbers of audit entries are of 64 bits.
    const isEntryNumber = (place: string) =>
      place.startsWith("audit.") || place === "streams.manifest/to" || /\/(undoes|seq)$/.test(place);
    expect(unbound.filter((place) => !isEntryNumber(place))).toEqual([]);
  });

  it("and a number beyond it is a 400", async () => {
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

/** The paths of whole numbers that may be larger than a column of 32 bits. */
function unboundIn(shape: Shape, path: string): string[] {
  const own = shape.type === "integer" && !((shape.maximum ?? Number.POSITIVE_INFINITY) <= 2_147_483_647) ? [path] : [];
  const choices = [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...(shape.allOf ?? [])];
  const members = Object.entries(shape.properties ?? {});
  return [
    ...own,
    ...choices.flatMap((one) => unboundIn(one, path)),
    ...members.flatMap(([name, one]) => unboundIn(one, `${path}/${name}`)),
    ...(shape.items ? unboundIn(shape.items, `${path}/items`) : []),
    ...(typeof shape.additionalProperties === "object" ? unboundIn(shape.additionalProperties, `${path}/any`) : []),
  ];
}
