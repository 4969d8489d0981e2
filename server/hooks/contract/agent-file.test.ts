import { describe, expect, it } from "vitest";
import { agentFileProblems } from "./agent-file.ts";

const problems = (file: unknown) => agentFileProblems(file).map(({ path, message }) => `${path}: ${message}`);
const boolean = { provider: "typesafe", model: "m", type: "boolean", instructions: "Is it safe?" };
const choice = { ...boolean, type: "choice", choices: { long: "Much to do.", short: "Little to do." } };

describe("an evaluator of an agent file", () => {
  it.each([
    ["boolean", boolean],
    ["choice", choice],
    ["score", { ...boolean, type: "score", levels: ["a", "b", "c"] }],
    [
      "an address, a price and a limit",
      { ...boolean, base_url: "https://h.test:8443/v1", cost: { input: 0 }, timeout: "5s" },
    ],
    ["a provider that resolves", { ...boolean, provider: "own" }],
  ])("may be %s", (_name, evaluator) => {
    expect(problems({ evaluators: { e: evaluator }, providers: { own: { provider: "typesafe" } } })).toEqual([]);
  });

  const url = "must be an HTTP(S) URL without credentials, query, or fragment";
  it.each([
    [{ provider: " " }, "provider and model are required"],
    [{ model: undefined, instructions: "" }, "provider and model are required"],
    [{ instructions: "\n" }, "instructions are required"],
    [{ timeout: "-1s", cost: { input: -1 } }, "timeout must not be negative"],
    [{ timeout: -1 }, "timeout must not be negative"],
    [{ cost: { output: Number.POSITIVE_INFINITY } }, "cost.output must be finite and not negative"],
    [{ cost: { input: "1" } }, "cost.input must be finite and not negative"],
    [{ base_url: "ftp://h.test" }, `base_url ${url}`],
    [{ base_url: "https://me:secret@h.test" }, `base_url ${url}`],
    [{ base_url: "https://@h.test" }, `base_url ${url}`],
    [{ endpoint: "https://h.test/#top" }, `endpoint ${url}`],
    [{ endpoint: "https://h.test/?" }, `endpoint ${url}`],
    [{ endpoint: "//h.test" }, `endpoint ${url}`],
    [{ endpoint: "https:///path" }, `endpoint ${url}`],
    [{ choices: { a: "b" } }, "boolean evaluators cannot define choices or levels"],
    [{ levels: ["a"] }, "boolean evaluators cannot define choices or levels"],
    [{ type: "choice", choices: { a: "b" } }, "choice evaluators require 2-255 choices and no levels"],
    [
      { type: "choice", choices: { a: "b", c: "d" }, levels: ["e"] },
      "choice evaluators require 2-255 choices and no levels",
    ],
    [{ type: "choice", choices: { a: "b", " ": "d" } }, "choice names must not be empty"],
    [{ type: "score", levels: ["a"] }, "score evaluators require 2-10 levels and no choices"],
    [{ type: "score", levels: Array(11).fill("l") }, "score evaluators require 2-10 levels and no choices"],
    [{ type: "score", levels: ["a", ""] }, "score levels must not be empty"],
    [{ type: "rank" }, 'unsupported evaluator type "rank" (expected boolean, choice, or score)'],
    [{ provider: "openai" }, 'evaluators require provider typesafe, got "openai"'],
    [{ provider: "keyed" }, 'evaluators require provider typesafe, got "keyed"'],
    [{ tokens: 1 }, 'unknown key "tokens"'],
    [{ model: 4 }, "model must be a text"],
  ])("is refused with %j", (more, message) => {
    const providers = { keyed: { provider: "typesafe", api_type: "x" } };
    const found = problems({ evaluators: { e: { ...boolean, ...more } }, providers });
    expect(found[0]).toBe(`evaluators.e: ${message}`);
    expect(found.join()).not.toContain("secret");
  });

  it("needs a name, a mapping and the newest version", () => {
    expect(problems({ evaluators: { "": boolean } })).toEqual(["evaluators: evaluator names must not be empty"]);
    expect(problems({ evaluators: { e: 1 } })).toEqual(["evaluators.e: must be a mapping"]);
    expect(problems({ evaluators: [] })).toEqual(["evaluators: must be a mapping"]);
    expect(problems({ version: "15", evaluators: { e: boolean } })).toEqual([
      "evaluators: evaluators require config version 16",
    ]);
    expect(problems({ version: 16, evaluators: { e: boolean } })).toEqual([]);
    expect(problems("text")).toEqual([": an agent file must be a mapping"]);
  });

  it.each([
    ["gone", { true: "ask" }, 'unknown evaluator "gone"'],
    ["toString", { true: "ask" }, 'unknown evaluator "toString"'],
    ["yes", { maybe: "ask" }, 'unknown boolean outcome "maybe" (expected true or false)'],
    ["pick", { medium: "ask" }, 'unknown evaluator choice "medium"'],
    ["rate", { low: "ask" }, "tool guards require a boolean or choice evaluator; "],
  ])("%s is checked where a tool guard names it", (evaluator, decisions, message) => {
    const evaluators = { yes: boolean, pick: choice, rate: { ...boolean, type: "score", levels: ["low", "high"] } };
    const hook = { type: "evaluator", evaluator, evaluator_policy: { decisions, min_probability: 1, fallback: "ask" } };
    const found = problems({ evaluators, agents: { root: { hooks: { tool_guard: [{ hooks: [hook] }] } } } });
    expect(found[0]).toContain(`agents.root.hooks.tool_guard: ${message}`);
  });

  it("does not hide a problem of an agent's hooks", () => {
    expect(problems({ agents: { root: { hooks: { stop: [{ type: "command" }] } } } })).toEqual([
      "agents.root.hooks.stop[0]: command is required for command hooks",
    ]);
  });
});

describe("routes between agents", () => {
  const pick = { type: "command", command: "./pick" };
  const judge = (routes: object) => ({
    type: "evaluator",
    evaluator: "size",
    routing_policy: { routes, min_probability: 0.5 },
  });
  const both = { long: "a", short: "b" };
  const file = (root: object, more: object = {}) => ({
    evaluators: { size: choice, yes: boolean },
    agents: { root, a: {}, b: {}, tool: { harness: "claude" }, ...more },
  });
  const routed = (hooks: object, routing: object | null, more: object = {}) => ({
    hooks,
    ...(routing && { routing }),
    ...more,
  });
  const before = (...hooks: object[]) => ({ before_agent_run: hooks });
  const allowed = { allowed_agents: ["a", "b"] };

  it("are fine with a command, with an evaluator, and with the same selector twice", () => {
    expect(problems(file(routed(before(pick), allowed)))).toEqual([]);
    expect(problems(file(routed(before(judge(both)), { ...allowed, default_agent: "b" })))).toEqual([]);
    expect(problems(file(routed(before(pick, { ...pick }), allowed)))).toEqual([]);
    expect(problems(file({ force_handoff: "a" }, { a: { force_handoff: "root" } }))).toEqual([]);
  });

  it.each([
    [
      routed(before(pick, { type: "command", command: "./other" }), allowed),
      "hooks.before_agent_run: at most one selector is allowed after merging, found 2 distinct definitions",
    ],
    [routed({}, allowed), "routing requires a before_agent_run or after_agent_complete hook"],
    [routed(before(pick), null), "before_agent_run and after_agent_complete hooks require routing.allowed_agents"],
    [routed(before(pick), allowed, { harness: "codex" }), "routing hooks are not supported on harness agents"],
    [
      routed({ after_agent_complete: [pick] }, allowed, { force_handoff: "a" }),
      "hooks.after_agent_complete cannot be combined with force_handoff",
    ],
    [routed(before(pick), {}), "routing.allowed_agents must not be empty"],
    [routed(before(pick), { allowed_agents: ["a", "a"] }), 'routing.allowed_agents lists "a" more than once'],
    [
      routed(before(pick), { allowed_agents: ["root"] }),
      'routing.allowed_agents must not include the agent itself ("root")',
    ],
    [
      routed(before(pick), { allowed_agents: ["nobody"] }),
      'routing.allowed_agents references unknown local agent "nobody"',
    ],
    [
      routed(before(pick), { allowed_agents: ["tool"] }),
      'routing.allowed_agents: harness agent "tool" cannot be a route target',
    ],
    [
      routed(before(pick), { ...allowed, default_agent: "x" }),
      'routing.default_agent "x" must be in routing.allowed_agents',
    ],
    [routed(before(judge(both)), allowed), "routing.default_agent is required when an evaluator selects the route"],
  ])("are refused for %j", (root, message) => {
    expect(problems(file(root))).toEqual([`agents.root: ${message}`]);
  });

  it.each([
    [{ ...judge(both), evaluator: "gone" }, 'unknown evaluator "gone"'],
    [{ ...judge(both), evaluator: "yes" }, 'evaluator "yes": routing requires a choice evaluator, got "boolean"'],
    [judge({ ...both, medium: "a" }), 'routing_policy.routes: unknown evaluator choice "medium"'],
    [judge({ long: "a" }), 'missing route for evaluator choice "short"'],
    [judge({ long: "a", short: "root" }), 'choice "short" routes to the agent itself'],
    [judge({ long: "a", short: "tool" }), 'choice "short" routes to "tool", which is not in routing.allowed_agents'],
  ])("are refused for the selector %j", (hook, message) => {
    expect(problems(file(routed(before(hook), { ...allowed, default_agent: "a" })))).toEqual([
      `agents.root: ${message}`,
    ]);
  });

  it("may not go in circles, over routes and forced handoffs", () => {
    const back = routed({ after_agent_complete: [pick] }, { allowed_agents: ["root"] });
    expect(problems(file(routed(before(pick), allowed), { b: back }))[0]).toMatch(
      /routing cycle detected involving agent "/,
    );
    const handoff = { b: { force_handoff: "a" }, a: { force_handoff: "root" } };
    expect(problems(file(routed(before(pick), { allowed_agents: ["b"] }), handoff))[0]).toContain("routing cycle");
  });

  it("are followed through a long chain of agents", () => {
    const chain = Array.from({ length: 900 }, (_, at) => [`n${at}`, { force_handoff: `n${at + 1}` }]);
    const agents = { ...Object.fromEntries(chain), n900: {} };
    expect(problems(file(routed(before(pick), { allowed_agents: ["n0"] }), agents))).toEqual([]);
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`m${at}`, {}]));
    expect(problems({ agents: many })).toEqual(["agents: must have at most 1000 entries"]);
  });
});
