import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Spawner, startSpawner } from "../index.ts";
import { ourTarget } from "./our-target.ts";
import { readCases, runCases } from "./runner.ts";

const of = (more: object) => ({ id: "X", about: "a", source: "s", profiles: ["2026-11"], ...more });
const hook = (command: string) => ({ type: "command", command });
const evaluated = of({
  config: {
    tool_guard: [
      {
        hooks: [
          {
            ...{ type: "evaluator", evaluator: "e" },
            evaluator_policy: { decisions: { true: "deny" }, min_probability: 0.5, fallback: "ask" },
          },
        ],
      },
    ],
  },
  event: "tool_guard",
  input: { agent_name: "root", tool_name: "shell" },
  evaluators: { e: { agents: { root: { result: { type: "boolean", probability: 0.9 } } } } },
  expect: { decision: "deny", evaluator_call_count: 1, result_lacks: ["nothing like this"] },
});

describe("the keys and kinds of profile 2026-11", () => {
  let spawner: Spawner;
  beforeAll(async () => {
    spawner = await startSpawner({ sandbox: "none" });
  });
  afterAll(() => spawner.close());

  const verdicts = async (...cases: object[]) => {
    const file = { format: 1, suite: "hooks-executor", visibility: "developers", cases };
    const runs = await runCases(readCases(file, "file"), ourTarget(spawner, { PATH: process.env.PATH ?? "" }));
    return runs.map(({ verdict }) => verdict);
  };

  const merge = { kind: "merge", sources: { agent: { stop: [hook("a b")] }, drop_ins: { "1.yaml": "stp: {}\n" } } };
  const defaults = { kind: "defaults", config: {}, flags: { add_date: true } };
  const limiter = ["limit_large_tool_results"];
  const file = { evaluators: { e: { provider: "typesafe", model: "m", type: "boolean" } } };

  it("pass where the expectation holds", async () => {
    const ran = verdicts(
      evaluated,
      of({ ...merge, expect: { hooks: { stop: ["a b"] }, skipped: ["1.yaml"] } }),
      of({
        ...defaults,
        expect: { hooks: { turn_start: ["add_date"], tool_response_transform: limiter, session_end: limiter } },
      }),
      of({ kind: "validate_config", config: file, expect: { valid: false, error_contains: ["instructions"] } }),
    );
    expect(await ran).toEqual(["passed", "passed", "passed", "passed"]);
  });

  it("fail where it does not", async () => {
    const ran = verdicts(
      { ...evaluated, expect: { evaluator_calls: [] } },
      { ...evaluated, expect: { result_lacks: ["Evaluator policy"] } },
      { ...evaluated, expect: { model_requests: [{ model: "p/m" }] } },
      of({ ...merge, expect: { hooks: { stop: ["a b"] } } }),
      of({ ...merge, expect: { hooks: { stop: ["b a"] }, skipped: ["1.yaml"] } }),
      of({ ...defaults, expect: { hooks: {} } }),
      of({ kind: "validate_config", config: file, expect: { valid: true } }),
    );
    expect(new Set(await ran)).toEqual(new Set(["failed"]));
  });
});
