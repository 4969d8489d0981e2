/** The injection test of judge prompts, with a real server, a real database and models on loopback. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type ModelStub, modelStub } from "../../e2e/fixtures/model-stub.ts";
import * as judges from "../judges/index.ts";
import { saveConnection } from "../judges/schema.ts";
import { inWorkspace } from "../platform/scope.ts";
import type { ChecksView } from "./check-schema.ts";
import { checks, setRequirement } from "./checks.ts";
import { INJECTION_PACK, TECHNIQUES } from "./injection-pack.ts";
import { publishScore } from "./publish-score.ts";
import type { JudgedText } from "./schema.ts";
import * as prompts from "./service.ts";
import * as views from "./views.ts";

let db: TestDatabase;
let server: TestGateway;
let stub: ModelStub;
const app = () => ({ ...server.running.app, db: server.database });
const workspaceId = () => server.admin.workspaceId;

async function connect(name: string, callsPerDay: number | null = null): Promise<void> {
  const connection = { name, provider: "openai-compatible", baseUrl: stub.url, callsPerDay, nanoPerDay: null };
  const price = { input: 1_000_000_000n, output: 10_000_000_000n, cachedInput: null, cacheWrite: null };
  const prices = [{ model: "firm", ...price }];
  await judges.save(app(), server.admin, saveConnection.parse({ ...connection, prices }));
}

beforeAll(async () => {
  [db, stub] = [await testDatabase(), await modelStub()];
  server = await testGateway(db.url);
  await connect("local");
});
afterAll(async () => {
  await server?.stop();
  await stub?.stop();
  await db?.drop();
});

const text = (model: string, template = "May it run?\n{{ fenced .ToolInput }}"): JudgedText => ({
  template,
  model,
  schema: "pre_tool_use_decision",
});
let made = 0;
async function promptOf(): Promise<string> {
  made += 1;
  return (await prompts.create(app(), server.admin, { name: `checked-${made}` })).promptId;
}
async function publish(promptId: string, next: JudgedText) {
  const { latestRevision: baseRevision, draftVersion } = await views.get(db.database, workspaceId(), promptId);
  return prompts.publish(app(), server.admin, { promptId, ...next, note: "", baseRevision, draftVersion });
}
const start = (promptId: string, next: JudgedText) =>
  inWorkspace(workspaceId(), () => app().judgeChecks.start(server.admin, { promptId, ...next }));

/** The newest check once it has ended: read again whenever the bus announces a change. */
async function ended(promptId: string): Promise<ChecksView["checks"][number]> {
  for (;;) {
    const changed = new Promise<void>((resolve) => {
      const stop = app().bus.subscribe((_workspace, topics) => {
        if (!topics.includes("prompts")) return;
        stop();
        resolve();
      });
    });
    const [newest] = (await checks(db.database, workspaceId(), promptId)).checks;
    if (newest && newest.state !== "running") return newest;
    await changed;
  }
}

test("the pack has 60 different calls of every technique", () => {
  expect(INJECTION_PACK).toHaveLength(60);
  expect(new Set(INJECTION_PACK.map(({ input }) => JSON.stringify(input))).size).toBe(60);
  expect(new Set(INJECTION_PACK.map(({ id }) => id)).size).toBe(60);
  for (const technique of TECHNIQUES)
    expect(INJECTION_PACK.filter((call) => call.technique === technique).length).toBeGreaterThanOrEqual(6);
});

describe("the injection test", () => {
  test("gives a model that obeys the arguments 0, and one that does not 100", async () => {
    const promptId = await promptOf();
    await start(promptId, text("local/obedient"));
    const obedient = await ended(promptId);
    expect(obedient).toMatchObject({ state: "finished", asked: 60, failed: 0, refused: { hits: 0, of: 60 } });
    expect(obedient.allowed).toHaveLength(60);
    await start(promptId, text("local/firm"));
    const firm = await ended(promptId);
    expect(firm).toMatchObject({ refused: { hits: 60, of: 60 }, allowed: [], answeredBy: "stub-2026", revision: 0 });
    expect(firm.spend).toMatchObject({ unpriced: 0 });
    expect(firm.spend.nano).toBeGreaterThan(0n);
    expect(stub.asked.every(({ user }) => /^May it run\?\n<data (\w{20})>\n\{.*\}\n<\/data \1>$/.test(user))).toBe(
      true,
    );
  });

  test("counts an answer without a decision as not refused", async () => {
    const promptId = await promptOf();
    await start(promptId, text("local/tiny", "stub:two"));
    expect(await ended(promptId)).toMatchObject({ state: "finished", failed: 60, refused: { hits: 0, of: 60 } });
  });

  test.each([
    ["refuses the key", "stub:unauthorised", "local/tiny"],
    ["has a spent cap", "stub:allow", "capped/tiny"],
  ])("is not run, and has no score, when the provider %s", async (_what, template, model) => {
    if (model.startsWith("capped")) await connect("capped", 3);
    const promptId = await promptOf();
    await start(promptId, text(model, template));
    const check = await ended(promptId);
    expect(check).toMatchObject({ state: "not_run", refused: null });
    expect(check.says).not.toBe("");
  });

  test("runs once at a time for a prompt, and only for a schema with decisions", async () => {
    const promptId = await promptOf();
    await start(promptId, text("local/firm"));
    await expect(start(promptId, text("local/firm"))).rejects.toMatchObject({ code: "busy" });
    await ended(promptId);
    await expect(start(promptId, { ...text("local/firm"), schema: "" })).rejects.toThrow("decision schema");
    await expect(start(promptId, text("nowhere/x"))).rejects.toThrow("No connection for nowhere/x");
  });
});

describe("a required score", () => {
  test("keeps a text from being published until its own test reaches the score", async () => {
    const promptId = await promptOf();
    await setRequirement(app(), server.admin, { promptId, injectionMin: 95 });
    const [weak, strong] = [text("local/obedient"), text("local/firm")];
    await expect(publish(promptId, strong)).rejects.toMatchObject({ code: "prompt_score_low" });
    await start(promptId, weak);
    await ended(promptId);
    await expect(publish(promptId, weak)).rejects.toThrow("refuses 0 of 60");
    await expect(publish(promptId, strong)).rejects.toThrow("no finished injection test");
    await start(promptId, strong);
    await ended(promptId);
    const scored = await publishScore(db.database, workspaceId(), { promptId, ...strong });
    expect(scored.injection).toMatchObject({ min: 95, isMet: true, check: { refused: { hits: 60, of: 60 } } });
    expect(await publish(promptId, strong)).toMatchObject({ number: 1 });
    // The test of the draft is the score of the revision.
    expect((await checks(db.database, workspaceId(), promptId)).checks[0]).toMatchObject({ revision: 1 });
    await setRequirement(app(), server.admin, { promptId, injectionMin: null });
    expect(await publish(promptId, weak)).toMatchObject({ number: 2 });
  });
});
