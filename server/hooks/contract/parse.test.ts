import { describe, expect, it } from "vitest";
import { hooksJsonSchema, LIMITS, nativeHooks, parseHooks, publishProblems } from "./config.ts";
import { describeProblem } from "./problem.ts";
import { PROFILES, type Profile } from "./profiles.ts";
import { SHAPE_EXAMPLES } from "./shape-examples.ts";

function problemsOf(value: unknown, profile: Profile = "2026-08"): string[] {
  const parsed = parseHooks(value, profile);
  return parsed.ok ? [] : parsed.problems.map(describeProblem);
}
const command = { type: "command", command: "true" };

describe("what docker-agent reports, in its words and at its places", () => {
  const both: [string, unknown, string][] = [
    [
      "an entry without hooks",
      { pre_tool_use: [{ matcher: "*", hooks: [] }] },
      "hooks.pre_tool_use[0]: at least one hook is required",
    ],
    [
      "an entry with no list",
      { post_tool_use: [{ matcher: "*" }] },
      "hooks.post_tool_use[0]: at least one hook is required",
    ],
    ["no type", { stop: [command, { command: "x" }] }, "hooks.stop[1]: type is required"],
    ["no command", { stop: [{ type: "command" }] }, "hooks.stop[0]: command is required for command hooks"],
    ["no builtin", { stop: [{ type: "builtin" }] }, "hooks.stop[0]: command must name the builtin to invoke"],
    [
      "no model",
      { pre_tool_use: [{ hooks: [command, { type: "model", prompt: "p" }] }] },
      "hooks.pre_tool_use[0].hooks[1]: model is required for model hooks (e.g. 'openai/gpt-4o-mini')",
    ],
    ["no prompt", { stop: [{ type: "model", model: "a/b" }] }, "hooks.stop[0]: prompt is required for model hooks"],
  ];
  it.each(both)("%s", (_name, value, message) => {
    for (const profile of PROFILES) expect(problemsOf(value, profile)[0]).toBe(message);
  });

  it("another type, with the types that the profile knows", () => {
    for (const profile of PROFILES) {
      const types = `'command', 'builtin', 'model'${profile === "2026-11" ? ", 'evaluator'" : ""}`;
      const message = `hooks.stop[0]: unsupported hook type 'webhook' (supported: ${types})`;
      expect(problemsOf({ stop: [{ type: "webhook" }] }, profile)).toEqual([message]);
    }
  });

  const newer: [string, unknown, RegExp][] = [
    [
      "a bad on_error",
      { stop: [{ ...command, on_error: "explode" }] },
      /^hooks\.stop\[0\]: on_error must be warn, ignore, or block$/,
    ],
    ["a negative timeout", { stop: [{ ...command, timeout: -1 }] }, /^hooks\.stop\[0\]: timeout must not be negative$/],
    [
      "a matcher that does not compile",
      { pre_tool_use: [{ matcher: "[", hooks: [command] }] },
      /^hooks\.pre_tool_use\[0\]: invalid matcher: /,
    ],
    [
      "preempt_yolo elsewhere, even false",
      { post_tool_use: [{ preempt_yolo: false, hooks: [command] }] },
      /^hooks\.post_tool_use\[0\]: preempt_yolo is only valid on pre_tool_use$/,
    ],
    [
      "on_error block where nothing blocks",
      { stop: [{ ...command, on_error: "block" }] },
      /^hooks\.stop: on_error block is not supported by this event$/,
    ],
  ];
  it.each(newer)("%s, in the newer profile only", (_name, value, message) => {
    expect(problemsOf(value, "2026-08")[0]).toMatch(message);
    expect(problemsOf(value, "2026-07")).toEqual([]);
  });
});

it("reports every problem of a document, in its order", () => {
  const value = { stopp: [], stop: [{ type: "command" }, 3], turn_start: [{ ...command, tiemout: 3 }] };
  expect(problemsOf(value)).toEqual([
    'hooks.stopp: unknown event "stopp" (did you mean "stop"?)',
    "hooks.stop[0]: command is required for command hooks",
    `hooks.stop[1]: must be a hook: a mapping with a type, such as ${SHAPE_EXAMPLES.hook}`,
    'hooks.turn_start[0].tiemout: unknown key (did you mean "timeout"?)',
  ]);
});

it("gives programs the same place as people", () => {
  const parsed = parseHooks({ pre_tool_use: [{ hooks: [{ type: "command", command: 3 }] }] }, "2026-07");
  expect(parsed.ok ? [] : parsed.problems).toEqual([
    {
      path: "hooks.pre_tool_use[0].hooks[0].command",
      segments: ["hooks", "pre_tool_use", 0, "hooks", 0, "command"],
      message: "must be a text",
    },
  ]);
});

it("takes one mapping for a list where the profile does", () => {
  const value = { stop: command, pre_tool_use: { matcher: "shell", hooks: command } };
  const parsed = parseHooks(value, "2026-08");
  expect(parsed.ok && parsed.hooks).toEqual({
    stop: [command],
    pre_tool_use: [{ matcher: "shell", hooks: [command] }],
  });
  expect(problemsOf({ stop: command }, "2026-07")[0]).toMatch(/^hooks\.stop: must be a list/);
  expect(problemsOf({ stop: "x" })[0]).toContain("hook event must be a hook or a list of hooks");
  expect(problemsOf({ pre_tool_use: 3 })[0]).toContain("hook event must be a matcher or a list of matchers");
});

it("knows which profile has what", () => {
  expect(problemsOf({ tool_guard: [] }, "2026-07")).toEqual([
    'hooks.tool_guard: event "tool_guard" exists only in profile 2026-08',
  ]);
  expect(problemsOf({ stop: [{ ...command, strict_output: true }] }, "2026-07")).toEqual([
    "hooks.stop[0]: strict_output exists only in profile 2026-08",
  ]);
  expect(problemsOf({ tool_guard: [{ hooks: [{ ...command, strict_output: true }] }] }, "2026-08")).toEqual([]);
});

it("takes null for absent and nothing at all for an empty block", () => {
  expect(parseHooks(undefined, "2026-07")).toEqual({ ok: true, hooks: {} });
  expect(parseHooks(null, "2026-07")).toEqual({ ok: true, hooks: {} });
  const parsed = parseHooks(
    { stop: null, pre_tool_use: [{ matcher: null, hooks: [{ ...command, env: null }] }] },
    "2026-07",
  );
  expect(parsed).toEqual({ ok: true, hooks: { pre_tool_use: [{ hooks: [command] }] } });
  expect(problemsOf([])).toEqual([`hooks: must be a mapping of events to hooks, such as ${SHAPE_EXAMPLES.hooks}`]);
});

it("says which limit was passed", () => {
  const many = Array.from({ length: LIMITS.hooksMax + 1 }, () => command);
  expect(problemsOf({ stop: many })).toEqual(["hooks: a policy holds at most 2000 hooks; this one has 2001"]);
  expect(problemsOf({ stop: many.slice(1) })).toEqual([]);
  const long = "a".repeat(LIMITS.matcherCharsMax + 1);
  expect(problemsOf({ pre_tool_use: [{ matcher: long, hooks: [command] }] })).toEqual([
    "hooks.pre_tool_use[0].matcher: must be at most 512 characters",
  ]);
  expect(problemsOf({ stop: [{ ...command, timeout: 1.5 }] })).toEqual([
    "hooks.stop[0].timeout: must be a whole number of seconds",
  ]);
});

it("keeps its own keys and leaves them out of what docker-agent gets", () => {
  const hooks = {
    stop: [{ ...command, run_on: "agent" as const, network: true }],
    pre_tool_use: [{ matcher: "shell", preempt_yolo: true, hooks: [{ ...command, run_on: "server" as const }] }],
  };
  expect(parseHooks(hooks, "2026-07")).toEqual({ ok: true, hooks });
  expect(nativeHooks(hooks)).toEqual({
    stop: [command],
    pre_tool_use: [{ matcher: "shell", preempt_yolo: true, hooks: [command] }],
  });
  expect(problemsOf({ stop: [{ type: "model", model: "a/b", prompt: "p", run_on: "server" }] })).toEqual([
    "hooks.stop[0]: run_on is only valid on command, builtin and rules hooks",
  ]);
});

describe("publishing", () => {
  it("refuses builtins and models this server does not have, in words", () => {
    const hooks = {
      stop: [{ type: "builtin", command: "add_date" }, { type: "model", model: "a/b", prompt: "p" }, command],
    };
    expect(publishProblems(hooks, { builtins: [], models: false }).map(describeProblem)).toEqual([
      'hooks.stop[0]: there is no builtin called "add_date" (none are available yet)',
      "hooks.stop[1]: this server cannot run model hooks yet: no model is connected",
    ]);
    expect(publishProblems(hooks, { builtins: ["add_date"], models: true })).toEqual([]);
  });

  it("refuses a guard that the older profile would let vanish or weaken", () => {
    const hooks = { pre_tool_use: [{ matcher: "(?!x)", hooks: [command, { ...command, on_error: "blokc" }] }] };
    expect(parseHooks(hooks, "2026-07").ok).toBe(true);
    const found = publishProblems(hooks, { builtins: [], models: false }).map(({ path }) => path);
    expect(found).toEqual(["hooks.pre_tool_use[0]", "hooks.pre_tool_use[0].hooks[1]"]);
  });
});

it("draws a schema for editors that knows every event and says what each key is for", () => {
  for (const profile of PROFILES) {
    const text = JSON.stringify(hooksJsonSchema(profile));
    for (const [, name = ""] of text.matchAll(/"\$ref":"#\/\$defs\/([^"]*)"/g))
      expect(hooksJsonSchema(profile).$defs).toHaveProperty(name);
    expect(text).toContain('"$ref":"#/$defs/condition"');
    const evaluator = profile === "2026-11" ? '"evaluator",' : "";
    expect(text).toContain(`"enum":["command","builtin","model",${evaluator}"rules"]`);
    expect(text).toContain("RE2 pattern for the full tool name");
    expect(text).toContain(`"enum":["command","builtin","model"${evaluator && ',"evaluator"'}]`);
    for (const key of ["system_prompt", "evaluator_policy", "routing_policy"])
      expect(text.includes(key), key).toBe(profile === "2026-11");
    expect(text.includes("strict_output")).toBe(profile !== "2026-07");
    expect(text.includes("tool_guard")).toBe(profile !== "2026-07");
  }
});
