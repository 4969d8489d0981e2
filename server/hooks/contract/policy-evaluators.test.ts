import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { everyHook } from "./placement.ts";
import { readStoredHooks } from "./stored-hooks.ts";
import { readPolicyText } from "./text/policy-text.ts";

const HAS = { builtins: [], models: true, evaluators: true };
const read = (source: string) => readPolicyText(source, HAS);
const problemsOf = (source: string) =>
  read(source).problems.map(({ path, message, line }) => `${line} ${path}: ${message}`);

const policy = (evaluators: string, hook = "") => `profile: "2026-11"
evaluators:
${evaluators}
hooks:
  tool_guard:
    - matcher: "*"
      hooks:
        - type: evaluator
          evaluator: risk
          evaluator_policy:
            decisions: { "true": deny, "false": allow }
            min_probability: 0.8
            fallback: ask
${hook}`;
const RISK = "  risk: { provider: typesafe, model: m-1, type: boolean, instructions: Is it risky? }";

const routed = (routing: string, routes = "{ simple: junior, hard: senior }") => `profile: "2026-11"
evaluators:
  effort:
    provider: typesafe
    model: m-1
    type: choice
    instructions: How hard is it?
    choices: { simple: A line or two., hard: "" }
    timeout: 1m2.5s
${routing}
hooks:
  before_agent_run:
    - type: evaluator
      evaluator: effort
      routing_policy: { routes: ${routes}, min_probability: 0.6 }
`;

describe("the evaluators of a policy", () => {
  it("go to the hooks that name them", () => {
    const { hooks, problems } = read(policy(RISK));
    expect(problems).toEqual([]);
    expect(everyHook(hooks ?? {})[0]?.hook.resolved_evaluator).toEqual({
      provider: "typesafe",
      model: "m-1",
      type: "boolean",
      instructions: "Is it risky?",
      timeout_ms: 10_000,
    });
  });

  it("have their choices described, their own time, and the policy's default agent", () => {
    const { hooks, problems } = read(routed("routing: { default_agent: front }"));
    expect(problems).toEqual([]);
    expect(everyHook(hooks ?? {})[0]?.hook.resolved_evaluator).toMatchObject({
      choices: { simple: "A line or two.", hard: "hard" },
      timeout_ms: 62_500,
      default_agent: "front",
    });
  });

  it("are part of a hook's identity, and read again from what was stored", () => {
    const identities = [RISK, RISK.replace("risky", "rude")].map((evaluators) => {
      const { hooks } = read(policy(evaluators));
      const stored = readStoredHooks(JSON.parse(JSON.stringify(hooks)), { profile: "2026-11" });
      expect(stored.problems).toEqual([]);
      return JSON.stringify(stored.hooks);
    });
    expect(identities[0]).not.toBe(identities[1]);
  });

  it("are not written in a hook", () => {
    const own =
      "          resolved_evaluator: { provider: typesafe, model: m, type: boolean, instructions: x, timeout_ms: 1 }";
    expect(problemsOf(policy(RISK, own)).join()).toContain("resolved_evaluator");
  });

  it("are no keys of an older profile", () => {
    expect(problemsOf('profile: "2026-08"\nevaluators: {}\nhooks: {}\n').join()).toContain('Unknown key "evaluators"');
  });

  it.each([
    [
      policy("  other: { provider: typesafe, model: m, type: boolean, instructions: x }"),
      '9 hooks.tool_guard[0].hooks[0].evaluator: unknown evaluator "risk". Define it below `evaluators:`',
    ],
    [
      policy(RISK.replace(" }", ", endpoint: https://example.org }")),
      "3 evaluators.risk.endpoint: belongs to the connection",
    ],
    [policy(RISK.replace(" }", ", token_key: NAME }")), "3 evaluators.risk.token_key: belongs to the connection"],
    [policy(RISK.replace(" }", ", cost: { input: 0 } }")), "3 evaluators.risk.cost: belongs to the connection"],
    [policy(RISK.replace(" }", ", timeout: soon }")), "3 evaluators.risk.timeout: must be a number of seconds"],
    [policy(RISK.replace(" }", ", timeout: 4h }")), "3 evaluators.risk: timeout must be at most 3600 seconds"],
    [policy(RISK.replace("boolean", "yesno")), '3 evaluators.risk: unsupported evaluator type "yesno"'],
    [policy(RISK.replace(" }", ", colour: red }")), '3 evaluators.risk: unknown key "colour"'],
    [
      policy(RISK.replace("provider: typesafe", "provider: Two words")),
      '3 evaluators.risk: evaluators require provider typesafe, got "Two words"',
    ],
    [
      policy("  risk: { provider: typesafe, model: m, type: score, instructions: x, levels: [a, b] }"),
      "evaluator_policy: tool guards require a boolean or choice evaluator",
    ],
    [
      policy("  risk: { provider: typesafe, model: m, type: choice, instructions: x, choices: { a: x, b: y } }"),
      'evaluator_policy: unknown evaluator choice "true"',
    ],
    [policy("  []"), "evaluators: must be a mapping of names to evaluators"],
    [routed(""), "routing_policy: routing.default_agent is required when an evaluator selects the route"],
    [
      routed("routing: { default_agent: front }", "{ simple: junior }"),
      'routing_policy: missing route for evaluator choice "hard"',
    ],
    [
      routed("routing: { default_agent: front, allowed_agents: [front, junior] }"),
      'choice "hard" routes to "senior", which is not in routing.allowed_agents',
    ],
    [
      routed("routing: { default_agent: front, allowed_agents: [junior, senior] }"),
      'routing.default_agent: "front" must be in routing.allowed_agents',
    ],
    [routed("routing: { default_agent: front, to: x }"), "routing"],
    [routed("routing: { default_agent: 7 }"), "routing.default_agent: must be a text"],
  ])("are refused with the place: %#", (source, problem) => {
    expect(problemsOf(source).join("\n")).toContain(problem);
  });
});

it("reads the example of the documentation", () => {
  const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(readFileSync("docs/evaluators.md", "utf8")) ?? [];
  const { hooks, problems } = read(example);
  expect(problems).toEqual([]);
  expect(everyHook(hooks ?? {}).map(({ hook }) => hook.resolved_evaluator?.type)).toEqual(["boolean", "choice"]);
});
