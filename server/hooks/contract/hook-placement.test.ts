import { describe, expect, it } from "vitest";
import { eventNames, type Profile } from "./events.ts";
import { identityOf } from "./identity.ts";
import { parseHooks } from "./parse.ts";
import { describeProblem } from "./problem.ts";
import { readStoredHooks } from "./stored-hooks.ts";

const first = (block: unknown, profile: Profile = "2026-11") => {
  const parsed = parseHooks(block, profile);
  return parsed.ok ? null : describeProblem(parsed.problems[0] ?? { path: "", segments: [], message: "" });
};
const verdicts = { decisions: { true: "deny" }, min_probability: 0.7, fallback: "deny" };
const routes = { routes: { long: "writer" }, min_probability: 0.7 };
const model = (more: object = {}) => ({ type: "model", model: "p/m", prompt: "x", ...more });
const evaluator = (more: object = {}) => ({ type: "evaluator", evaluator: "check", ...more });
const guard = (hook: object) => ({ tool_guard: [{ hooks: [hook] }] });

describe("a block of profile 2026-11", () => {
  it.each([
    [
      "a guard that a model decides",
      { skill_content_guard: [model({ schema: "guard_decision", system_prompt: "s" })] },
    ],
    ["an evaluator on tool_guard", guard(evaluator({ evaluator_policy: verdicts }))],
    ["a route", { after_agent_complete: evaluator({ routing_policy: routes }) }],
    ["on_error block on a control event", { before_agent_run: { type: "command", command: "x", on_error: "block" } }],
  ])("may have %s", (_name, block) => {
    expect(first(block)).toBeNull();
  });

  const misplaced =
    "hooks.stop: evaluator hooks are only supported on tool_guard, before_agent_run, and after_agent_complete";
  it.each([
    [{ stop: [model({ schema: "guard_decision" })] }, "hooks.stop: guard_decision requires a blocking event"],
    [
      { stop: [model({ schema: "pre_tool_use_decision" })] },
      "hooks.stop: pre_tool_use_decision requires an approval event",
    ],
    [{ skill_content_guard: [model()] }, "hooks.skill_content_guard: model hooks require schema guard_decision"],
    [{ stop: [evaluator({ evaluator_policy: verdicts })] }, misplaced],
    [
      { before_agent_run: [evaluator({ evaluator_policy: verdicts })] },
      "hooks.before_agent_run: evaluator hooks on this event use routing_policy, not evaluator_policy",
    ],
    [
      guard(evaluator({ routing_policy: routes })),
      "hooks.tool_guard: evaluator hooks on tool_guard use evaluator_policy, not routing_policy",
    ],
    [
      { after_agent_complete: [model()] },
      "hooks.after_agent_complete: model hooks cannot select routes; use a command or choice evaluator",
    ],
    [
      { stop: [{ type: "command", command: "x", routing_policy: routes }] },
      "hooks.stop: routing_policy is only supported on before_agent_run and after_agent_complete",
    ],
    [
      { before_agent_run: [{ type: "command", command: "x", routing_policy: routes }] },
      "hooks.before_agent_run[0]: evaluator fields require type evaluator",
    ],
    [
      { stop: [{ type: "command", command: "x", evaluator: "c" }] },
      "hooks.stop[0]: evaluator fields require type evaluator",
    ],
    [{ before_agent_run: [evaluator()] }, "hooks.before_agent_run[0]: evaluator_policy is required"],
    [{ before_agent_run: [evaluator({ evaluator: " " })] }, "hooks.before_agent_run[0]: evaluator is required"],
  ])("refuses %j", (block, message) => {
    expect(first(block)).toBe(message);
  });

  it.each([
    [{ ...verdicts, decisions: {} }, "evaluator_policy.decisions must not be empty"],
    [{ ...verdicts, decisions: null }, "evaluator_policy.decisions must not be empty"],
    [{ ...verdicts, min_probability: 0 }, "evaluator_policy.min_probability must be greater than 0 and at most 1"],
    [{ ...verdicts, min_probability: 1.0001 }, "evaluator_policy.min_probability must be greater than 0 and at most 1"],
    [{ ...verdicts, fallback: "" }, "evaluator_policy.fallback must be ask or deny"],
    [{ ...verdicts, decisions: { true: "block" } }, "evaluator_policy decisions must be allow, ask, or deny"],
  ])("refuses the policy %j", (evaluator_policy, message) => {
    expect(first(guard(evaluator({ evaluator_policy })))).toContain(message);
  });

  it.each([
    [{ before_agent_run: [evaluator({ routing_policy: { ...routes, extra: 1 } })] }, "a hook or a list of hooks"],
    [
      { before_agent_run: [evaluator({ routing_policy: { ...routes, min_probability: "0.5" } })] },
      "a hook or a list of hooks",
    ],
    [{ before_agent_run: [evaluator({ routing_policy: [] })] }, "a hook or a list of hooks"],
    [guard(evaluator({ evaluator_policy: { ...verdicts, extra: 1 } })), "a matcher or a list of matchers"],
    [
      guard(evaluator({ evaluator_policy: { ...verdicts, decisions: { true: 1 } } })),
      "a matcher or a list of matchers",
    ],
  ])("cannot read %j", (block, what) => {
    expect(first(block)).toContain(`hook event must be ${what}`);
  });

  it("limits the number of outcomes and the length of a name", () => {
    const many = Object.fromEntries(Array.from({ length: 256 }, (_, at) => [`c${at}`, "x"]));
    expect(first({ before_agent_run: [evaluator({ routing_policy: { ...routes, routes: many } })] })).toContain(
      "at most 255 entries",
    );
    expect(first(guard(evaluator({ evaluator: "e".repeat(201), evaluator_policy: verdicts })))).toContain(
      "at most 200 characters",
    );
  });

  it("reports in docker-agent's order: the shape, then the event, then its entries", () => {
    const block = {
      stop: [
        { type: "command", timeout: -1 },
        { ...evaluator(), on_error: "wait" },
        model({ schema: "guard_decision" }),
        { type: "command", command: "x", on_error: "block" },
      ],
      turn_end: [{ type: "command", comand: "x" }],
    };
    const parsed = parseHooks(block, "2026-11");
    expect(parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`.slice(0, 60))).toEqual([
      'hooks.turn_end[0].comand: unknown key (did you mean "command"?) (hook event must be a hook or a list of hooks)'.slice(
        0,
        60,
      ),
      "hooks.stop: on_error block is not supported by this event",
      "hooks.stop: guard_decision requires a blocking event",
      "hooks.stop[0]: timeout must not be negative",
      "hooks.stop[0]: command is required for command hooks",
      misplaced.slice(0, 60),
      "hooks.stop[1]: on_error must be warn, ignore, or block",
      "hooks.stop[1]: evaluator_policy is required",
    ]);
  });
});

it("the older profiles know neither the keys nor the events, and a stored one denies", () => {
  for (const profile of ["2026-07", "2026-08"] as const) {
    for (const key of ["system_prompt", "evaluator", "evaluator_policy", "routing_policy"]) {
      expect(first({ stop: [{ type: "command", command: "x", [key]: "y" }] }, profile)).toBe(
        `hooks.stop[0].${key}: unknown key`,
      );
      const stored = readStoredHooks(
        { pre_tool_use: [{ hooks: [{ type: "command", command: "x", [key]: "y" }] }] },
        { profile },
      );
      expect(stored.problems.map(({ message }) => message)).toEqual([`the key "${key}" is unknown`]);
    }
    expect(first({ stop: [evaluator()] }, profile)).toContain("evaluator: unknown key");
    for (const event of eventNames("2026-11").filter((name) => !eventNames("2026-08").includes(name)))
      expect(first({ [event]: [] }, profile)).toBe(`hooks.${event}: event "${event}" exists only in profile 2026-11`);
  }
});

it("two hooks are the same one only with the same policies, whatever the order of their keys", () => {
  const hook = evaluator({ evaluator_policy: verdicts });
  const { decisions, min_probability, fallback } = verdicts;
  expect(identityOf(evaluator({ evaluator_policy: { fallback, min_probability, decisions } }))).toBe(identityOf(hook));
  const others = [
    evaluator({ evaluator_policy: { ...verdicts, min_probability: 0.8 } }),
    evaluator({ routing_policy: routes }),
    evaluator({ evaluator: "other", evaluator_policy: verdicts }),
    evaluator({ evaluator_policy: verdicts, system_prompt: "x" }),
    evaluator(),
  ];
  expect(new Set([hook, ...others].map(identityOf)).size).toBe(others.length + 1);
  expect(identityOf({ type: "command", command: "x", system_prompt: "" })).toBe(
    identityOf({ type: "command", command: "x" }),
  );
});
