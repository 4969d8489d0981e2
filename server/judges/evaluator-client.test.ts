import { EvaluatorRefusal, JudgeRefusal } from "@quarterdeck/hooks";
import type { ResolvedEvaluator } from "@quarterdeck/hooks/contract/resolved-evaluator";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { builtInMasking } from "../../e2e/fixtures/built-in-masking.ts";
import { type EvaluatorStub, evaluatorStub } from "../../e2e/fixtures/evaluator-stub.ts";
import { type RecordingRig, recordingRig } from "../../e2e/fixtures/recording-rig.ts";
import type { Administrator } from "../access/actor.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { type SaveConnection, saveConnection } from "./schema.ts";
import { connections, save, setCap, test as tryOut } from "./service.ts";
import { createModelClients, type Models } from "./workspace-model-clients.ts";

let rig: RecordingRig;
let stub: EvaluatorStub;
let models: Models;
let actor: Administrator;
const lines: string[] = [];
const KEY = "ts-very-secret-key-wxyz9876";

beforeAll(async () => {
  rig = await recordingRig();
  stub = await evaluatorStub();
  models = clientsWith("loopback");
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

function clientsWith(privateModels: string): Models {
  const log = createLog("trace", { write: (line: string) => void lines.push(line) });
  const { database: db } = rig.db;
  return createModelClients({
    db,
    bus: rig.bus,
    log,
    clock: systemClock,
    masking: builtInMasking,
    credentialKey: Buffer.alloc(32, 7),
    privateModels,
  });
}

const world = () => ({ db: rig.db.database, bus: rig.bus, models });
const connect = (more: Partial<SaveConnection> = {}) =>
  save(
    world(),
    actor,
    saveConnection.parse({
      ...{ name: "checks", provider: "typesafe", baseUrl: stub.url, credential: KEY, prices: [] },
      ...{ callsPerDay: null, nanoPerDay: null },
      ...more,
    }),
  );
const PRICES = [{ model: "m-1", input: 2_000_000_000n, output: 5_000_000_000n, cachedInput: null, cacheWrite: null }];
const STATE = { tool_name: "shell", tool_input: { cmd: "ls", id: 12_345_678_901_234_567_890n } };
const asker = { origin: { policy: "gates", revision: 1 }, path: "hooks.tool_guard[0].hooks[0]", name: "risk" };

const boolean = (word: string): ResolvedEvaluator => ({
  ...{ provider: "typesafe", model: "m-1", type: "boolean", timeout_ms: 60_000 },
  instructions: `Is it risky? stub ${word}`,
});
const choice = (word: string): ResolvedEvaluator => ({
  ...boolean(word),
  type: "choice",
  choices: { simple: "One line.", hard: "hard" },
});

function ask(definition: ResolvedEvaluator, clients = models) {
  const evaluator = clients.evaluatorsOf(actor.workspaceId).evaluatorOf("risk", "any", definition);
  if (!evaluator) throw new Error("there is none");
  return evaluator.evaluate({ state: STATE, asker, timeoutMs: 60_000 }, AbortSignal.timeout(60_000));
}

const refused = async (asking: Promise<unknown>): Promise<JudgeRefusal> => {
  const error = await asking.then(() => null).catch((thrown: unknown) => thrown);
  if (error instanceof JudgeRefusal) return error;
  throw new Error("it was answered");
};

describe("a question", () => {
  test("is one POST with the key, the state to the digit and the one question", async () => {
    await connect();
    expect(await ask(boolean("yes"))).toEqual({
      ...{ type: "boolean", probability: 0.9, model: "stub-7", provider: "checks" },
      keep: expect.any(Function),
      ...{ usage: { inputTokens: 300, outputTokens: 2 }, costNanoUsd: null },
    });
    const asked = stub.asked.at(-1);
    expect(asked).toMatchObject({ method: "POST", path: "/v1/systemone", authorization: `Bearer ${KEY}` });
    expect(asked?.body).toMatchObject({
      model: "m-1",
      state: { tool_name: "shell" },
      questions: { evaluation: { type: "noul", instructions: "Is it risky? stub yes" } },
    });
    expect(Object.keys(asked?.body ?? {})).toEqual(["model", "state", "questions"]);
  });

  test("of a choice has the choices as criteria", async () => {
    await connect();
    expect(await ask(choice("hard"))).toMatchObject({
      type: "choice",
      choice: "hard",
      probabilities: { simple: 0.2, hard: 0.8 },
    });
    expect(stub.asked.at(-1)?.body.questions.evaluation).toMatchObject({
      type: "choice",
      criteria: { simple: "One line.", hard: "hard" },
    });
  });

  test("is priced by its connection and counted there and for its hook", async () => {
    const { id } = await connect({ prices: PRICES });
    // 300 x 2 + 2 x 5 dollars a million.
    expect(await ask(boolean("yes"))).toMatchObject({ costNanoUsd: 610_000n });
    const [connection] = await connections(rig.db.database, actor.workspaceId);
    expect(connection).toMatchObject({ id, today: { calls: 1, nano: 610_000n } });
    expect(await ask(boolean("unpriced"))).toMatchObject({ costNanoUsd: null });
  });

  test("finds a connection by its own name", async () => {
    await connect({ name: "second" });
    expect(await ask({ ...boolean("no"), provider: "second" })).toMatchObject({
      probability: 0.05,
      provider: "second",
    });
  });
});

describe("no answer", () => {
  test.each([
    ["range", "provider_error", "checks gave an answer without a valid answers.evaluation.noul"],
    ["text", "provider_error", "checks gave an answer without a valid answers.evaluation.noul"],
    ["empty", "provider_error", "checks gave an answer without a probability"],
    ["type", "provider_error", "checks gave an answer of another type than the question"],
    ["nobody", "provider_error", "checks gave an answer without a valid model"],
    ["garbled", "provider_error", "checks gave an answer that is not an evaluator's"],
    ["failing", "provider_error", "checks answered HTTP 503"],
    ["keyless", "no_credential", "checks answered HTTP 401"],
    ["redirect", "provider_error", "redirect"],
    ["huge", "too_large", "larger than"],
  ])("for %s: %s", async (word, code, message) => {
    await connect({ prices: PRICES });
    const before = stub.asked.length;
    const refusal = await refused(ask(boolean(word)));
    expect(refusal).toMatchObject({ code });
    expect(refusal).not.toBeInstanceOf(EvaluatorRefusal);
    expect(refusal.message).toContain(message);
    expect(stub.asked).toHaveLength(before + 1);
    expect(
      JSON.stringify([refusal, refusal.message, lines], (_key, one) => (typeof one === "bigint" ? String(one) : one)),
    ).not.toContain(KEY);
  });

  test.each(["other", "sum", "weaker"])("for the choice %s, and what it cost is known", async (word) => {
    await connect({ prices: PRICES });
    const refusal = await refused(ask(choice(word)));
    expect(refusal).toMatchObject({ code: "provider_error", spent: { costNanoUsd: 610_000n, provider: "checks" } });
  });

  test("is final for usage that cannot be accounted for, and for a spent budget", async () => {
    await connect();
    expect(await refused(ask(boolean("odd")))).toBeInstanceOf(EvaluatorRefusal);
    await setCap(world(), actor, { policy: "gates", hook: "risk", callsPerDay: 2, nanoPerDay: null });
    const before = stub.asked.length;
    await refused(ask(boolean("odd")));
    const spent = await refused(ask(boolean("yes")));
    expect(spent).toBeInstanceOf(EvaluatorRefusal);
    expect([spent.code, stub.asked.length]).toEqual(["over_budget", before + 1]);
  });

  test("comes with the evaluator's own time, while the hook still has some", async () => {
    await connect();
    expect(await refused(ask({ ...boolean("hang"), timeout_ms: 300 }))).toMatchObject({ code: "timeout" });
  });

  test("comes from a private address that the operator does not list", async () => {
    await connect();
    const strict = clientsWith("none");
    const before = stub.asked.length;
    expect((await refused(ask(boolean("yes"), strict))).message).toContain("private address");
    expect(stub.asked).toHaveLength(before);
    strict.close();
  });

  test("comes without a connection, without a key, and from a connection of models", async () => {
    expect(await refused(ask(boolean("yes")))).toMatchObject({ code: "no_model" });
    await connect({ credential: null });
    expect(await refused(ask(boolean("yes")))).toMatchObject({ code: "no_credential" });
    await connect({ name: "words", provider: "openai-compatible" });
    expect((await refused(ask({ ...boolean("yes"), provider: "words" }))).message).toContain("has no evaluators");
    const question = { model: "checks/m-1", system: "s", user: "u", asker, timeoutMs: 1_000 };
    const asking = models.clientOf(actor.workspaceId).ask(question, AbortSignal.timeout(5_000));
    expect((await refused(asking)).message).toContain("has evaluators and no models");
  });
});

test("a connection is tested with a statement", async () => {
  const { id } = await connect();
  expect(await tryOut(world(), actor.workspaceId, { id, model: "m-1" })).toMatchObject({
    ok: true,
    answeredBy: "stub-7",
  });
});
