import { describe, expect, it } from "vitest";
import type { HooksConfig } from "../../contract/hook.ts";
import { createExecutor, type EventName, systemClock } from "../../index.ts";
import { type EvaluatorAnswer, type EvaluatorClient, type EvaluatorQuestion, EvaluatorRefusal } from "./client.ts";
import { shortestDecimal } from "./facts.ts";
import { evaluatorKind } from "./kind.ts";

type Reply = EvaluatorAnswer | null | Error | "hangs";

async function dispatch(
  event: EventName,
  hooks: readonly object[],
  reply: Reply,
  input: object = {},
  defaultAgent = "front",
) {
  const asked: EvaluatorQuestion[] = [];
  const client: EvaluatorClient = {
    defaultAgentOf: () => defaultAgent || undefined,
    evaluatorOf: (name, agent) =>
      name !== "check" || agent !== "mine"
        ? undefined
        : {
            model: "p/m",
            evaluate(question) {
              asked.push(question);
              if (reply === "hangs") return new Promise(() => {});
              return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
            },
          },
  };
  const list = hooks.map((hook) => ({ type: "evaluator", evaluator: "check", name: "gate", ...hook }));
  const config = { [event]: event === "tool_guard" ? [{ hooks: list }] : list } as HooksConfig;
  const kinds = [evaluatorKind(client)];
  const executor = createExecutor({ config, profile: "2026-11", kinds, clock: systemClock, env: {}, workingDir: "/w" });
  const full = { agent_name: "mine", session_id: "private", ...input };
  const { result, hooks: reports } = await executor.dispatch({ event, input: full });
  return { result, asked, report: reports[0] };
}

describe("on tool_guard", () => {
  const policy = (more: object = {}) => ({
    evaluator_policy: {
      decisions: { true: "deny", false: "allow", mild: "ask" },
      min_probability: 0.75,
      fallback: "ask",
      ...more,
    },
  });
  const guard = (reply: Reply, hook: object = policy(), input: object = {}) =>
    dispatch("tool_guard", [hook], reply, { tool_name: "shell", tool_input: { cmd: "ls" }, ...input });

  it.each([
    [{ type: "boolean", probability: 0.75 }, "deny", "true", "0.75"],
    [{ type: "boolean", probability: 0.5 }, "ask", "true", "0.5"],
    [{ type: "boolean", probability: 0.25 }, "allow", "false", "0.75"],
    [{ type: "boolean", probability: 0.4 }, "ask", "false", "0.6"],
    [{ type: "choice", choice: "mild", probabilities: { mild: 0.8, wild: 0.9 } }, "ask", "mild", "0.8"],
    [{ type: "choice", choice: "wild", probabilities: { wild: 1 } }, "ask", "wild", "1"],
    [{ type: "choice", choice: "constructor", probabilities: { constructor: 1 } }, "ask", "constructor", "1"],
  ])("maps %j", async (answer, decision, choice, probability) => {
    const { result } = await guard(answer);
    expect(result.decision).toBe(decision);
    expect(result.permission_allowed).toBe(false);
    expect(result.metadata).toEqual({
      evaluator: "check",
      evaluator_type: answer.type,
      evaluator_choice: choice,
      evaluator_probability: probability,
    });
  });

  it("sends the call and nothing else, and puts the question on record", async () => {
    const { asked, report } = await guard({ type: "boolean", probability: 1, model: "m-7" }, policy(), {
      tool_category: "files",
    });
    const state = { tool_name: "shell", tool_input: { cmd: "ls" }, tool_category: "files" };
    expect(asked.map((question) => question.state)).toEqual([state]);
    expect(report?.judge).toMatchObject({
      model: "p/m",
      evaluator: "check",
      answeredBy: "m-7",
      prompt: JSON.stringify(state),
    });
  });

  it.each<[Reply, string]>([
    [null, "missing evaluator result"],
    [{ type: "boolean" }, "missing boolean probability"],
    [{ type: "boolean", probability: Number.NaN }, "invalid evaluator probability"],
    [{ type: "boolean", probability: -0.01 }, "invalid evaluator probability"],
    [{ type: "choice", choice: "  " }, "missing evaluator choice"],
    [{ type: "choice", choice: "mild" }, "missing selected choice probability"],
    [{ type: "choice", choice: "mild", probabilities: { mild: 1.5 } }, "invalid evaluator probability"],
    [{ type: "score" }, "tool guards require a boolean or choice evaluator result"],
    [new Error("429 slow down"), "429 slow down"],
    [new EvaluatorRefusal("budget spent"), "budget spent"],
  ])("never falls back from a failure: %j", async (reply, message) => {
    for (const on_error of ["warn", "ignore"]) {
      const { result } = await guard(reply, { ...policy(), on_error });
      expect(result).toMatchObject({
        allowed: false,
        decision: "",
        exit_code: -1,
        metadata: null,
        failed_hooks: ["gate"],
      });
      expect(result.message).toContain(`evaluator "check": ${message}`);
    }
  });

  it.each([
    [{ evaluator: " ", ...policy() }, "evaluator hook requires a non-empty evaluator reference"],
    [{}, "evaluator hook: evaluator_policy is required"],
    [
      policy({ min_probability: 0 }),
      "evaluator hook: evaluator_policy.min_probability must be greater than 0 and at most 1",
    ],
    [policy({ fallback: "allow" }), "evaluator hook: evaluator_policy.fallback must be ask or deny"],
    [
      policy({ decisions: { true: "maybe" } }),
      "evaluator hook: evaluator_policy decisions must be allow, ask, or deny",
    ],
    [{ evaluator: "other", ...policy() }, 'evaluator hook: unknown evaluator "other" for agent "mine"'],
  ])("sends nothing for %j", async (hook, message) => {
    const { result, asked } = await guard({ type: "boolean", probability: 1 }, hook);
    expect(asked).toEqual([]);
    expect(result.allowed).toBe(false);
    expect(result.message).toContain(message);
  });

  it("never borrows the evaluator of another agent", async () => {
    const { result, asked } = await guard({ type: "boolean", probability: 0 }, policy(), { agent_name: "other" });
    expect(result.message).toContain('unknown evaluator "check" for agent "other"');
    expect(asked).toEqual([]);
  });

  it("ends with the hook's own time", async () => {
    const { result } = await guard("hangs", { ...policy(), timeout: 1 });
    expect(result).toMatchObject({ allowed: false, decision: "" });
    expect(result.message).toContain("timed out after 1s");
  });

  it("refuses a state that is too large, and sends nothing", async () => {
    const { result, asked } = await guard({ type: "boolean", probability: 0 }, policy(), {
      tool_input: { text: "x".repeat(1_100_000) },
    });
    expect(asked).toEqual([]);
    expect(result.allowed).toBe(false);
  });
});

describe.each(["before_agent_run", "after_agent_complete"] as const)("a route on %s", (event) => {
  const routing = (more: object = {}) => ({
    routing_policy: { routes: { simple: "junior", hard: "senior" }, min_probability: 0.6, ...more },
  });
  const route = (reply: Reply, hook: object = routing(), input: object = {}, defaultAgent?: string) =>
    dispatch(event, [hook], reply, { input: "sum it up", ...input }, defaultAgent);
  const choice = (name: string, simple: number, hard: number): EvaluatorAnswer => ({
    type: "choice",
    choice: name,
    probabilities: { simple, hard },
  });

  it.each<[Reply, string, string | undefined, string | undefined]>([
    [choice("hard", 0.3, 0.7), "senior", undefined, "0.7"],
    [choice("simple", 0.6, 0.4), "junior", undefined, "0.6"],
    [choice("simple", 0.6, 0.4009), "junior", undefined, "0.6"],
    [new Error("secret key 1"), "front", "evaluator_failed", undefined],
    [null, "front", "invalid_result", undefined],
    [{ type: "boolean", probability: 1 }, "front", "invalid_result", undefined],
    [{ type: "choice", choice: "hard" }, "front", "invalid_result", undefined],
    [{ type: "choice", choice: "hard", probabilities: { hard: 1 } }, "front", "invalid_result", undefined],
    [
      { type: "choice", choice: "hard", probabilities: { hard: 1, simple: 0, odd: 0 } },
      "front",
      "invalid_result",
      undefined,
    ],
    [choice("hard", Number.NaN, 1), "front", "invalid_result", undefined],
    [choice("hard", -0.2, 1.2), "front", "invalid_result", undefined],
    [choice("hard", 0.1, 0.7), "front", "invalid_result", undefined],
    [choice("odd", 0.3, 0.7), "front", "unknown_choice", undefined],
    [choice("hard", 0.5, 0.5), "front", "tie", "0.5"],
    [choice("hard", 0.7, 0.3), "front", "tie", "0.3"],
    [choice("hard", 0.41, 0.59), "front", "below_threshold", "0.59"],
  ])("of %j leads to %s", async (reply, agent, reason, probability) => {
    const { result } = await route(reply);
    expect(result).toMatchObject({ allowed: true, transition: { action: "route", agent }, failed_hooks: [] });
    expect(result.metadata?.fallback_reason).toBe(reason);
    expect(result.metadata?.evaluator_probability).toBe(probability);
    expect(JSON.stringify(result)).not.toContain("secret key");
  });

  it("is blocked by a spent budget, by the end of the hook's time and without a default agent", async () => {
    const spent = await route(new EvaluatorRefusal("budget spent"), { ...routing(), on_error: "ignore" });
    expect(spent.result).toMatchObject({ allowed: false, transition: null, exit_code: -1 });
    expect((await route("hangs", { ...routing(), timeout: 1 })).result.allowed).toBe(false);
    const lost = await route(choice("hard", 0, 1), routing(), {}, "");
    expect(lost.result.message).toContain('agent "mine" has no routing.default_agent');
    expect(lost.asked).toEqual([]);
  });

  it("sends the task alone", async () => {
    const conversation = [{ role: "user", content: "hi" }];
    const given = { previous_output: "draft", output: "", conversation, step_id: "s-1" };
    const { asked } = await route(choice("hard", 0, 1), routing(), given);
    expect(asked[0]?.state).toEqual({ input: "sum it up", previous_output: "draft", conversation });
    const bare = await route(choice("hard", 0, 1), routing(), { input: undefined });
    expect(bare.asked[0]?.state).toEqual({ input: "" });
  });

  it.each([
    [routing({ routes: {} }), "routing_policy.routes must not be empty"],
    [routing({ routes: { simple: " " } }), "routing_policy.routes must not contain empty choices or agents"],
    [routing({ min_probability: 1.01 }), "routing_policy.min_probability must be greater than 0 and at most 1"],
    [{ ...routing(), evaluator_policy: { fallback: "ask" } }, "exclude each other"],
    [
      { evaluator_policy: { decisions: { true: "ask" }, min_probability: 1, fallback: "ask" } },
      "only supported on tool_guard",
    ],
  ])("is refused for %j", async (hook, message) => {
    const { result, asked } = await route(choice("hard", 0, 1), hook);
    expect(result.allowed).toBe(false);
    expect(result.message).toContain(message);
    expect(asked).toEqual([]);
  });
});

it("asks the same definition once, whatever the order of its keys, and another threshold again", async () => {
  const routes = { simple: "junior", hard: "senior" };
  const hooks = [
    { routing_policy: { routes, min_probability: 0.5 } },
    { routing_policy: { min_probability: 0.5, routes: { hard: "senior", simple: "junior" } } },
    { routing_policy: { routes, min_probability: 0.6 } },
  ];
  const answer = { type: "choice", choice: "hard", probabilities: { simple: 0, hard: 1 } };
  expect((await dispatch("before_agent_run", hooks, answer)).asked).toHaveLength(2);
});

it("is an unknown type in an older profile", async () => {
  const config = { pre_tool_use: [{ hooks: [{ type: "evaluator" }] }] };
  const client: EvaluatorClient = { defaultAgentOf: () => undefined, evaluatorOf: () => undefined };
  const kinds = [evaluatorKind(client)];
  const executor = createExecutor({ config, profile: "2026-08", kinds, clock: systemClock, env: {}, workingDir: "/" });
  const { result } = await executor.dispatch({ event: "pre_tool_use", input: {} });
  expect(result.message).toContain("unsupported hook type: evaluator");
});

it.each([
  [0.8, "0.8"],
  [1, "1"],
  [0, "0"],
  [1e-7, "0.0000001"],
  [1.25e-9, "0.00000000125"],
])("prints %d without an exponent", (value, text) => {
  expect(shortestDecimal(value)).toBe(text);
});
