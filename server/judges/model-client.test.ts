import { JudgeRefusal, type ModelQuestion } from "@quarterdeck/hooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { builtInMasking } from "../../e2e/fixtures/built-in-masking.ts";
import { type ModelStub, modelStub } from "../../e2e/fixtures/model-stub.ts";
import { type RecordingRig, recordingRig } from "../../e2e/fixtures/recording-rig.ts";
import type { Administrator } from "../access/actor.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { type SaveConnection, saveConnection } from "./schema.ts";
import { connections, remove, save, setCap, test as tryOut } from "./service.ts";
import { createModelClients, type Models } from "./workspace-model-clients.ts";

let rig: RecordingRig;
let stub: ModelStub;
let models: Models;
let actor: Administrator;
const lines: string[] = [];

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
  const log = createLog("trace", { write: (line: string) => void lines.push(line) });
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

/** A busy machine may take its time. */
const PATIENT = { timeout: 30_000 };
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

describe("a question", () => {
  test("reaches the model with its key, its words and the wished shape, and comes back with tokens and the model's own name", async () => {
    await connect();
    const answer = await ask("deny");
    expect(answer).toMatchObject({
      text: '{"decision":"deny","reason":"it removes everything"}',
      provider: "local",
      model: "stub-2026",
    });
    expect(answer.usage).toEqual({ inputTokens: 100, cachedInputTokens: 20, outputTokens: 20 });
    expect(answer.costNanoUsd).toBeNull();
    const asked = stub.asked.at(-1);
    expect(asked).toMatchObject({
      path: "/v1/chat/completions",
      model: "tiny",
      system: "You are a hook.",
      authorization: `Bearer ${KEY}`,
    });
    expect(JSON.stringify(asked?.responseFormat)).toContain("pre_tool_use_decision");
  });

  test("finds its connection by name first, then by provider, and keeps slashes in the model", async () => {
    await connect();
    expect(await ask("allow", { model: "openai-compatible/ai/tiny:8b" })).toMatchObject({ provider: "local" });
    expect(stub.asked.at(-1)?.model).toBe("ai/tiny:8b");
  });

  test("is priced to the nano-dollar from the connection's prices, cached tokens by their own", async () => {
    const prices = [
      { model: "tiny", input: 150_000_001n, output: 600_000_000n, cachedInput: 75_000_000n, cacheWrite: null },
    ];
    await connect({ prices });
    // 100 x 0.150000001 + 20 x 0.075 + 20 x 0.6 dollars a million, in nano-dollars, rounded once.
    expect((await ask("allow")).costNanoUsd).toBe(28_500n);
    expect((await ask("allow", { model: "local/other" })).costNanoUsd).toBeNull();
  });

  test("is put once more without the shape to a server that does not take one", async () => {
    await connect();
    expect((await ask("plain")).text).toContain("plainly asked");
    expect(stub.asked.at(-1)?.responseFormat).toBeUndefined();
  });

  test("is put again after an error that may pass", async () => {
    await connect();
    expect((await ask("flaky")).text).toContain("again");
  });

  test("is not put again when the pause would outlast the hook", async () => {
    await connect();
    const before = stub.asked.length;
    expect((await refused(ask("failing", { timeoutMs: 400 }))).code).toBe("provider_error");
    expect(stub.asked.length).toBe(before + 1);
  });
});

describe("no answer", () => {
  test.each([
    ["failing", "provider_error", /HTTP 500.*on fire/],
    ["html", "provider_error", /text\/html, not JSON/],
    ["redirect", "provider_error", /redirect \(HTTP 307\)/],
    ["huge", "too_large", /larger than/],
    ["refusal", "refused", /declined/],
    ["unauthorised", "no_credential", /HTTP 401/],
  ])("%s is told as %s", async (word, code, says) => {
    await connect();
    const refusal = await refused(ask(word, { timeoutMs: 1_000 }));
    expect([refusal.code, refusal.message]).toEqual([code, expect.stringMatching(says)]);
    expect(refusal.spent.provider).toBe("local");
    expect(JSON.stringify([refusal.message, refusal.spent.text])).not.toContain(KEY);
  });

  test("a refusal keeps what the model said and what it used", async () => {
    await connect();
    const { spent } = await refused(ask("refusal"));
    expect(spent).toMatchObject({ text: "I cannot help with that.", usage: { outputTokens: 20 } });
  });

  test.each(["hang", "slow"])("%s ends with the hook's time, and the request with it", async (word) => {
    await connect();
    const [asked, abandoned] = [stub.asked.length, stub.abandoned()];
    const deadline = new AbortController();
    const asking = refused(ask(word, {}, deadline.signal));
    await expect.poll(() => stub.asked.length, PATIENT).toBe(asked + 1);
    deadline.abort(new DOMException("the hook's time is over", "TimeoutError"));
    expect((await asking).code).toBe("timeout");
    await expect.poll(() => stub.abandoned(), PATIENT).toBe(abandoned + 1);
  });

  test("an agent that goes away is no timeout", async () => {
    await connect();
    const before = stub.asked.length;
    const leaving = new AbortController();
    const asking = refused(ask("hang", {}, leaving.signal));
    await expect.poll(() => stub.asked.length, PATIENT).toBe(before + 1);
    leaving.abort();
    expect((await asking).code).toBe("cancelled");
  });

  test("an unknown connection, a model without one and a stranger's connection are no_model", async () => {
    expect((await refused(ask("allow"))).code).toBe("no_model");
    await connect();
    expect((await refused(ask("allow", { model: "tiny" }))).code).toBe("no_model");
    actor = { ...actor, workspaceId: (await rig.addOwner()).workspaceId };
    expect((await refused(ask("allow"))).code).toBe("no_model");
  });

  test("a provider that wants a key gets no question without one", async () => {
    await connect({ provider: "openai", credential: null });
    const before = stub.asked.length;
    expect((await refused(ask("allow"))).code).toBe("no_credential");
    expect(stub.asked.length).toBe(before);
  });

  test("a key sealed under another encryption key opens nothing", async () => {
    await connect();
    const others = modelsWith(Buffer.alloc(32, 8));
    const refusal = await refused(
      others.clientOf(actor.workspaceId).ask(question("allow"), AbortSignal.timeout(60_000)),
    );
    expect([refusal.code, refusal.message]).toEqual(["no_credential", expect.stringContaining("enter it again")]);
    others.close();
  });

  test("too many questions at once are overloaded, and the ones that wait leave with their hooks", async () => {
    await connect();
    const leaving = new AbortController();
    const many = Array.from({ length: 80 }, () => refused(ask("hang", {}, leaving.signal)));
    const first = await Promise.race(many);
    expect(first.code).toBe("overloaded");
    leaving.abort();
    const codes = (await Promise.all(many)).map(({ code }) => code);
    expect(codes.filter((code) => code === "overloaded")).toHaveLength(80 - 8 - 64);
    expect(codes.filter((code) => code === "cancelled")).toHaveLength(8 + 64);
  });
});

describe("a daily cap", () => {
  test("is not overshot by calls that race", async () => {
    await connect({ callsPerDay: 3 });
    const answers = await Promise.allSettled(Array.from({ length: 7 }, () => ask("allow")));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    const [connection] = await connections(rig.db.database, actor.workspaceId);
    expect(connection?.today.calls).toBe(3);
  });

  test("in dollars reserves what a call may cost and gives back what it did not", async () => {
    const prices = [
      { model: "tiny", input: 1_000_000_000n, output: 1_000_000_000n, cachedInput: null, cacheWrite: null },
    ];
    await connect({ prices, nanoPerDay: 10_000_000n });
    await ask("allow");
    const [connection] = await connections(rig.db.database, actor.workspaceId);
    expect(connection?.today).toEqual({ calls: 1, nano: 140_000n });
    await connect({ prices, nanoPerDay: 100_000n, name: "poor" });
    expect((await refused(ask("allow", { model: "poor/tiny" }))).code).toBe("over_budget");
  });

  test("in dollars cannot be kept without a price, so nothing is asked", async () => {
    await connect({ nanoPerDay: 1_000_000_000n });
    const before = stub.asked.length;
    expect(await refused(ask("allow"))).toMatchObject({
      code: "over_budget",
      message: expect.stringContaining("no price"),
    });
    expect(stub.asked.length).toBe(before);
  });

  test("of one judge stops that judge alone", async () => {
    await connect();
    await setCap(world(), actor, { policy: "gates", hook: "judge", callsPerDay: 1, nanoPerDay: null });
    await ask("allow");
    expect((await refused(ask("allow"))).message).toContain("of this judge");
    const other = { origin: { policy: "gates", revision: 1 }, path: "", name: "another" };
    await ask("allow", { asker: other });
  });
});

describe("a credential", () => {
  const stored = async () => {
    const found = await rig.db.database.pool.query("SELECT * FROM model_connection WHERE workspace_id = $1", [
      actor.workspaceId,
    ]);
    const audit = await rig.db.database.pool.query("SELECT body FROM audit_entry WHERE workspace_id = $1", [
      actor.workspaceId,
    ]);
    return { row: found.rows[0], text: JSON.stringify([found.rows, audit.rows]) };
  };

  test("is stored sealed, shown by its last four characters, and in no log, audit entry or view", async () => {
    const { id } = await connect();
    await ask("unauthorised").catch(() => undefined);
    await tryOut(world(), actor.workspaceId, { id, model: "tiny" });
    const views = await connections(rig.db.database, actor.workspaceId);
    expect(views[0]?.credential?.lastFour).toBe("1234");
    const { text } = await stored();
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(Buffer.from(KEY).toString("hex"));
    expect(lines.join("\n")).not.toContain(KEY);
    expect(
      JSON.stringify(views, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
    ).not.toContain(KEY.slice(0, 12));
  });

  test("stays through other changes, and does not follow its connection to another address", async () => {
    const { id } = await connect();
    const kept = { id, credential: undefined };
    await connect({ ...kept, name: "renamed" });
    expect((await ask("allow", { model: "renamed/tiny" })).provider).toBe("renamed");
    await expect(connect({ ...kept, baseUrl: "https://evil.example/v1" })).rejects.toMatchObject({
      code: "invalid_input",
      options: { pointer: "/credential" },
    });
    await rig.db.database.pool.query("UPDATE model_connection SET base_url = 'https://evil.example/v1' WHERE id = $1", [
      id,
    ]);
    rig.bus.announce(actor.workspaceId, ["judges"]);
    expect((await refused(ask("allow"))).code).toBe("no_model");
    expect((await refused(ask("allow", { model: "local/tiny" }))).code).toBe("no_model");
    expect((await refused(ask("allow", { model: "renamed/tiny" }))).code).toBe("no_credential");
  });

  test("moved to another workspace's row opens nothing there", async () => {
    await connect();
    const { row } = await stored();
    actor = { ...actor, workspaceId: (await rig.addOwner()).workspaceId };
    const { id } = await connect({ credential: null });
    await rig.db.database.pool.query(
      "UPDATE model_connection SET credential = $2, credential_set_at = now() WHERE id = $1",
      [id, row.credential],
    );
    rig.bus.announce(actor.workspaceId, ["judges"]);
    expect((await refused(ask("allow"))).code).toBe("no_credential");
  });
});

describe("a connection", () => {
  test("that was removed answers nobody", async () => {
    const { id } = await connect();
    await ask("allow");
    await remove(world(), actor, { id });
    expect((await refused(ask("allow"))).code).toBe("no_model");
  });

  test("has a name of its own", async () => {
    await connect();
    await expect(connect()).rejects.toMatchObject({ code: "name_taken" });
  });

  test("tried out says what came back", async () => {
    const { id } = await connect();
    expect(await tryOut(world(), actor.workspaceId, { id, model: "tiny" })).toMatchObject({
      ok: true,
      answeredBy: "stub-2026",
      inputTokens: 100,
    });
    const closed = await modelStub();
    await closed.stop();
    const gone = await connect({ name: "gone", baseUrl: closed.url });
    expect(await tryOut(world(), actor.workspaceId, { id: gone.id, model: "tiny" })).toMatchObject({
      ok: false,
      cause: "provider_error",
      says: expect.stringContaining("nothing listens"),
    });
  });

  test.each([
    ["ftp://models.example", /https/],
    ["http://models.example/v1", /Use https/],
    ["https://user:pass@models.example/v1", /name and password/],
    ["https://10.1.2.3/v1", /private address/],
    ["http://169.254.169.254/v1", /private address/],
    ["https://[::ffff:192.168.0.1]/v1", /private address/],
    ["models", /full address/],
    ["", /needs its address/],
  ])("may not lead to %s", async (baseUrl, says) => {
    await expect(connect({ baseUrl })).rejects.toThrow(says);
  });
});
