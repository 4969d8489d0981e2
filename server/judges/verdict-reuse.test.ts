/** Verdicts that are used again, and connections that answer for another, with a real database and models on loopback. */
import { JudgeRefusal, type ModelQuestion } from "@quarterdeck/hooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { builtInMasking } from "../../e2e/fixtures/built-in-masking.ts";
import { type ModelStub, modelStub } from "../../e2e/fixtures/model-stub.ts";
import { type RecordingRig, recordingRig } from "../../e2e/fixtures/recording-rig.ts";
import type { Administrator } from "../access/actor.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { type SaveConnection, saveConnection } from "./schema.ts";
import { save, setCap } from "./service.ts";
import { ALLOW_TTL_MS, createVerdictCache, OTHER_TTL_MS } from "./verdict-cache.ts";
import { createModelClients, type Models } from "./workspace-model-clients.ts";

let rig: RecordingRig;
let stub: ModelStub;
let models: Models;
let actor: Administrator;

beforeAll(async () => {
  rig = await recordingRig();
  stub = await modelStub();
  models = modelsWith(Buffer.alloc(32, 7));
});
afterAll(async () => {
  models.close();
  await stub.stop();
  await rig.close();
});
beforeEach(async () => {
  const { workspaceId } = await rig.addOwner();
  actor = { kind: "script", workspaceId, id: "test", name: "test" };
});

function modelsWith(credentialKey: Buffer): Models {
  const log = createLog("silent");
  return createModelClients({
    db: rig.db.database,
    bus: rig.bus,
    log,
    clock: systemClock,
    masking: builtInMasking,
    credentialKey,
    privateModels: "loopback",
  });
}

const KEY = "sk-very-secret-key-abcd1234";
const world = (with_: Models = models) => ({ db: rig.db.database, bus: rig.bus, models: with_ });
const connect = (more: Partial<SaveConnection> = {}) =>
  save(
    world(),
    actor,
    saveConnection.parse({
      name: "local",
      provider: "openai-compatible",
      baseUrl: stub.url,
      credential: KEY,
      callsPerDay: null,
      nanoPerDay: null,
      prices: [],
      ...more,
    }),
  );

const SHAPE = { name: "pre_tool_use_decision", strict: true, jsonSchema: { type: "object", properties: {} } };
function question(word: string, more: Partial<ModelQuestion> = {}): ModelQuestion {
  const asker = { origin: { policy: "gates", revision: 1 }, path: "hooks.pre_tool_use[0].hooks[0]", name: "judge" };
  const words = { system: "You are a hook.", user: `Look at this. stub:${word}` };
  return { model: "local/tiny", ...words, schema: SHAPE, asker, timeoutMs: 60_000, ...more };
}
const ask = (word: string, more: Partial<ModelQuestion> = {}, signal = AbortSignal.timeout(60_000)) =>
  models.clientOf(actor.workspaceId).ask(question(word, more), signal);
const refused = async (asking: Promise<unknown>): Promise<JudgeRefusal> => {
  const error = await asking.then(() => null).catch((thrown: unknown) => thrown);
  if (error instanceof JudgeRefusal) return error;
  throw new Error("it was answered");
};

describe("a kept verdict", () => {
  const keep = async (more: Partial<ModelQuestion> = {}) => (await ask("allow", more)).keep?.(true);
  const isKept = async (more: Partial<ModelQuestion> = {}) => (await ask("allow", more)).provider === "(cache)";

  test("answers the same question in its own workspace only, whatever the random mark", async () => {
    await connect();
    const fenced = (boundary: string, text = "1") => ({
      boundary,
      user: `<data ${boundary}>${text}</data ${boundary}> stub:allow`,
    });
    await keep(fenced("aaaa"));
    expect(await isKept(fenced("bbbb"))).toBe(true);
    expect(await isKept(fenced("bbbb", "2"))).toBe(false);
    expect(await isKept({ ...fenced("bbbb"), model: "local/other" })).toBe(false);
    const later = { origin: { policy: "gates", revision: 2 }, path: "hooks.pre_tool_use[0].hooks[0]", name: "judge" };
    expect(await isKept({ ...fenced("bbbb"), asker: later })).toBe(false);
    const { workspaceId } = await rig.addOwner();
    const first = actor;
    actor = { kind: "script", workspaceId, id: "test", name: "test" };
    await connect();
    expect(await isKept(fenced("bbbb"))).toBe(false);
    actor = first;
    expect(await isKept(fenced("bbbb"))).toBe(true);
  });

  test("is not kept when its connection changed while it was asked", async () => {
    await connect();
    const answer = await ask("allow");
    await connect({ name: "second" });
    answer.keep?.(true);
    expect(await isKept()).toBe(false);
  });

  test("expires: an allow sooner than other verdicts", () => {
    let now = 1;
    const cache = createVerdictCache(() => now);
    cache.keep("a", { text: "allow", model: "m" }, true);
    cache.keep("d", { text: "deny", model: "m" }, false);
    now += ALLOW_TTL_MS - 1;
    expect([cache.find("a")?.text, cache.find("d")?.text]).toEqual(["allow", "deny"]);
    now += 2;
    expect([cache.find("a"), cache.find("d")?.text]).toEqual([null, "deny"]);
    now += OTHER_TTL_MS;
    expect(cache.find("d")).toBeNull();
  });

  test("is dropped when there are too many, the oldest first", () => {
    const cache = createVerdictCache(() => 1);
    for (let at = 0; at < 6_000; at += 1) cache.keep(String(at), { text: "x", model: undefined }, true);
    expect([cache.find("0"), cache.find("5999")?.text]).toEqual([null, "x"]);
  });
});

describe("a fallback", () => {
  const withBackup = async (first: Partial<SaveConnection>, backup: Partial<SaveConnection> = {}) => {
    await connect({ name: "backup", ...backup });
    await connect({ fallback: "backup/spare", ...first });
  };
  const other = (word: string) => ({ user: `Look at this. stub:${word}` });

  test("answers when the first connection is down, and the record says so", async () => {
    await withBackup({ baseUrl: "http://127.0.0.1:9" });
    const answer = await ask("deny");
    expect(answer).toMatchObject({ provider: "backup", skipped: { provider: "local", cause: "provider_error" } });
    expect(stub.asked.at(-1)?.model).toBe("spare");
  });

  test("answers when the first connection is over its cap", async () => {
    await withBackup({ callsPerDay: 0 });
    expect(await ask("allow")).toMatchObject({ provider: "backup", skipped: { cause: "over_budget" } });
  });

  test("has the rest of the hook's time when the first connection is slow", async () => {
    const slow = await modelStub({ always: "hang" });
    await withBackup({ baseUrl: slow.url });
    const startedMs = performance.now();
    const answer = await ask("allow", { timeoutMs: 2_000 }, AbortSignal.timeout(30_000));
    expect(answer).toMatchObject({ provider: "backup", skipped: { provider: "local", cause: "timeout" } });
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(1_190);
    expect(slow.asked).toHaveLength(1);
    await slow.stop();
  });

  test("that does not answer either leaves the failure to the judge", async () => {
    await withBackup({ baseUrl: "http://127.0.0.1:9" }, { callsPerDay: 0 });
    const refusal = await refused(ask("allow"));
    expect(refusal).toMatchObject({ code: "over_budget", spent: { skipped: { provider: "local" } } });
    expect(refusal.message).toContain("before that local");
  });

  test("is not asked for a judge that declined, or whose own cap is spent", async () => {
    await withBackup({});
    expect((await refused(ask("refusal", other("refusal")))).code).toBe("refused");
    expect(stub.asked.at(-1)?.model).toBe("tiny");
    await setCap(world(), actor, { policy: "gates", hook: "judge", callsPerDay: 0, nanoPerDay: null });
    const before = stub.asked.length;
    expect((await refused(ask("allow"))).message).toContain("of this judge");
    expect(stub.asked.length).toBe(before);
  });

  test("is another connection that exists", async () => {
    await expect(connect({ fallback: "local/x" })).rejects.toThrow("another connection");
    await expect(connect({ fallback: "nowhere/x" })).rejects.toThrow('no connection named "nowhere"');
  });
});
