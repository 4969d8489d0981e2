import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentFlags, everyHook, flagProblems, type HooksConfig, parseHooks, withFlags } from "./config.ts";
import { PROFILES } from "./events.ts";

const off = { redact_secrets: false };
const shell = { type: "shell", safer: true };
const mine = (name: string) => ({ type: "command", command: name });
const places = (hooks: HooksConfig, command: string) =>
  everyHook(hooks).flatMap(({ event, matcher, hook }) => (hook.command === command ? [[event, matcher]] : []));
const commands = (hooks: HooksConfig, event: string) =>
  everyHook(hooks).flatMap((one) => (one.event === event ? [one.hook.command] : []));

describe("every agent", () => {
  it("has the limiter of tool answers, in front of all other transforms, and its cleanup", () => {
    const hooks = withFlags(
      { tool_response_transform: [{ matcher: "x", hooks: [mine("first")] }], session_end: [mine("end")] },
      {},
    );
    expect(commands(hooks, "tool_response_transform")).toEqual(["limit_large_tool_results", "first", "redact_secrets"]);
    expect(hooks.tool_response_transform?.[0]?.matcher).toBe("*");
    expect(commands(hooks, "session_end")).toEqual(["end", "limit_large_tool_results"]);
    expect(Object.keys(withFlags({}, off))).toEqual(["session_end", "tool_response_transform"]);
  });
});

describe("a switch stands for its hooks", () => {
  it("redact_secrets, on unless it is false: exactly three entries", () => {
    const three = [
      ["before_llm_call", undefined],
      ["pre_tool_use", "*"],
      ["tool_response_transform", "*"],
    ];
    for (const flags of [{}, { redact_secrets: true }, { redact_secrets: null }]) {
      const hooks = withFlags({}, flags);
      expect(places(hooks, "redact_secrets").sort()).toEqual(three);
      expect(hooks.pre_tool_use).toEqual([{ matcher: "*", hooks: [{ type: "builtin", command: "redact_secrets" }] }]);
    }
    expect(places(withFlags({}, off), "redact_secrets")).toEqual([]);
  });

  it("safer on a shell toolset: one preempting entry, however many toolsets say it; an error on another type", () => {
    const entry = { matcher: "*", preempt_yolo: true, hooks: [{ type: "builtin", command: "safer_shell" }] };
    const twice = { ...off, toolsets: [{ type: "filesystem" }, shell, shell] };
    expect(withFlags({}, twice).pre_tool_use).toEqual([entry]);
    expect(flagProblems(twice)).toEqual([]);
    const wrong = { ...off, toolsets: [shell, { type: "mcp", safer: true }] };
    expect(flagProblems(wrong)).toEqual([
      { at: ["toolsets", 1, "safer"], message: "safer is only valid on toolsets of type shell" },
    ]);
    expect(withFlags({}, { ...off, toolsets: [{ type: "mcp", safer: true }] }).pre_tool_use).toBeUndefined();
  });

  it("add_date before add_prompt_files, both behind the hooks that were written", () => {
    const flags = { ...off, add_prompt_files: ["A.md", "B.md"], add_date: true };
    const { turn_start } = withFlags({ turn_start: [mine("mine")] }, flags);
    expect(turn_start).toEqual([
      mine("mine"),
      { type: "builtin", command: "add_date" },
      { type: "builtin", command: "add_prompt_files", args: ["A.md", "B.md"] },
    ]);
    expect(withFlags({}, { ...off, add_prompt_files: [] }).turn_start).toBeUndefined();
  });

  it("add_environment_info at the start of a session", () => {
    expect(places(withFlags({}, { add_environment_info: true }), "add_environment_info")).toEqual([
      ["session_start", undefined],
    ]);
  });

  it("the snapshot setting: four entries, none on the tool events", () => {
    const events = places(withFlags({}, off, { snapshot: true }), "snapshot").map(([event]) => event);
    expect(events.sort()).toEqual(["session_end", "session_start", "turn_end", "turn_start"]);
  });
});

const anyFlags = fc.record(
  {
    add_date: fc.boolean(),
    add_environment_info: fc.boolean(),
    add_prompt_files: fc.array(fc.string(), { maxLength: 3 }),
    redact_secrets: fc.boolean(),
    toolsets: fc.array(fc.record({ type: fc.constantFrom("shell", "mcp", "filesystem"), safer: fc.boolean() })),
  },
  { requiredKeys: [] },
);
const NEVER = ["add_git_status", "add_git_diff", "add_directory_listing", "add_user_info", "add_recent_commits"];
const NEITHER = ["max_iterations", "unload", "http_post"];

it("whatever the switches, the written hooks stay in order, no other builtin is added, and the block can be read", () => {
  const written: HooksConfig = {
    stop: [mine("s")],
    turn_start: [mine("a"), mine("b")],
    pre_tool_use: [
      { matcher: "shell", hooks: [mine("c")] },
      { preempt_yolo: true, hooks: [mine("d")] },
    ],
    tool_response_transform: [{ hooks: [mine("e")] }],
  };
  const before = structuredClone(written);
  fc.assert(
    fc.property(anyFlags, fc.boolean(), (flags, snapshot) => {
      const hooks = withFlags(written, agentFlags.parse(flags), { snapshot });
      for (const event of Object.keys(written)) {
        const kept = commands(hooks, event).filter((command) => command?.length === 1);
        expect(kept).toEqual(commands(written, event));
      }
      for (const name of [...NEVER, ...NEITHER]) expect(places(hooks, name)).toEqual([]);
      for (const profile of PROFILES) expect(parseHooks(hooks, profile)).toEqual({ ok: true, hooks });
    }),
  );
  expect(written).toEqual(before);
});

it("in profile 2026-11 the limiter is last, redaction is on the arguments, and a depth is an argument", () => {
  const flags = agentFlags.parse({
    ...{ add_prompt_files: ["NOTES.md"], add_prompt_files_depth: 3, redact_secrets: true },
    toolsets: [{ type: "shell", safer: true }],
  });
  const written = { tool_response_transform: [{ hooks: [{ type: "command", command: "own" }] }] };
  const hooks = withFlags(written, flags, {}, "2026-11");
  expect(commands(hooks, "tool_response_transform")).toEqual(["own", "redact_secrets", "limit_large_tool_results"]);
  expect(commands(hooks, "tool_input_transform")).toEqual(["redact_secrets"]);
  expect(hooks.pre_tool_use).toBeUndefined();
  expect(hooks.turn_start).toEqual([{ type: "builtin", command: "add_prompt_files", args: ["--depth=3", "NOTES.md"] }]);
  expect(withFlags({}, flags).turn_start).toEqual([
    { type: "builtin", command: "add_prompt_files", args: ["NOTES.md"] },
  ]);
  expect(flagProblems(flags, "2026-11").map(({ at }) => at)).toEqual([["toolsets", 0, "safer"]]);
  expect(flagProblems(flags)).toEqual([]);
});
