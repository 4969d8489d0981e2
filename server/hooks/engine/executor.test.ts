import { describe, expect, it } from "vitest";
import { manualClock } from "../conformance/manual-clock.ts";
import { exited, printed, type Script, scriptedKind } from "../conformance/scripted-kind.ts";
import type { HooksConfig } from "../contract/hook.ts";
import type { HookInput } from "../contract/input.ts";
import { PROFILES, type Profile } from "../contract/profiles.ts";
import { compilePlan } from "./compile.ts";
import { createExecutor } from "./executor.ts";
import { hasHooksFor } from "./plan.ts";
import { NEUTRAL } from "./result.ts";

const clock = manualClock();
const say = (command: string, more: object = {}) => ({ type: "command", command, ...more });

function executorFor(config: HooksConfig, script: Script, profile: Profile = "2026-07") {
  return createExecutor({ config, profile, kinds: [scriptedKind(script)], clock, workingDir: "/work" });
}

it("answers at once, with nothing made, when no hook is concerned", () => {
  const executor = executorFor({ pre_tool_use: [{ matcher: "shell", hooks: [say("x")] }] }, {});
  const first = executor.dispatch({ event: "pre_tool_use", input: { tool_name: "read_file" } });
  expect(first).toBe(executor.dispatch({ event: "stop", input: {} }));
  return expect(first).resolves.toEqual({ result: NEUTRAL, hooks: [], durationMs: 0 });
});

it("rejects only for a bug of the caller", async () => {
  const executor = executorFor({}, {});
  await expect(executor.dispatch({ event: "nope" as "stop", input: {} })).rejects.toThrow('unknown hook event "nope"');
  await expect(executor.dispatch({ event: "tool_guard", input: {} })).rejects.toThrow(
    'unknown hook event "tool_guard"',
  );
  const nothing = null as unknown as HookInput;
  await expect(executor.dispatch({ event: "stop", input: nothing })).rejects.toThrow("hook input must not be nil");
});

it("never changes the caller's input", async () => {
  for (const profile of PROFILES) {
    const input = Object.freeze({ tool_name: "shell", tool_input: Object.freeze({ cmd: "ls" }) });
    const rewrite = printed({ hook_specific_output: { updated_input: { cmd: "pwd" } } });
    const hooks = [say("a"), say("b")];
    const executor = executorFor({ pre_tool_use: [{ hooks }] }, { a: rewrite, b: rewrite }, profile);
    const { result } = await executor.dispatch({ event: "pre_tool_use", input });
    expect(result.modified_input).toEqual({ cmd: "pwd" });
    expect(input).toEqual({ tool_name: "shell", tool_input: { cmd: "ls" } });
  }
});

it("blocks what can be blocked when the input cannot be put into words", async () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const config = { pre_tool_use: [{ hooks: [say("a")] }], post_tool_use: [{ hooks: [say("a")] }], stop: [say("a")] };
  const executor = executorFor(config, { a: exited(0) });
  for (const event of ["pre_tool_use", "post_tool_use"] as const) {
    const { result, hooks } = await executor.dispatch({ event, input: { tool_input: cyclic } });
    expect(result).toMatchObject({ allowed: false, exit_code: -1 });
    expect(result.message).toMatch(/^failed to serialize hook input: /);
    expect(hooks).toMatchObject([{ said: "failed", blocked: true }]);
  }
  expect((await executor.dispatch({ event: "stop", input: { tool_input: cyclic } })).result.allowed).toBe(true);
});

it("shows each hook of a chain the rewrite before it, and survives one that cannot be put into words", async () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const seen: unknown[] = [];
  const look: Script[string] = async ({ inputJson }) => {
    seen.push(JSON.parse(inputJson).tool_input);
    return exited(0);
  };
  const script: Script = {
    first: printed({ hook_specific_output: { updated_input: { cmd: "pwd" } } }),
    broken: { kind: "answered", output: { hook_specific_output: { updated_input: cyclic } } },
    look,
  };
  const config = { tool_input_transform: [{ hooks: [say("first"), say("broken"), say("look")] }] };
  const executor = executorFor(config, script, "2026-08");
  const { result } = await executor.dispatch({
    event: "tool_input_transform",
    input: { tool_input: { cmd: "ls", n: 1 } },
  });
  expect(seen).toEqual([{ cmd: "pwd", n: 1 }]);
  expect(result.modified_input).toEqual({ cmd: "pwd", n: 1 });
  expect(result.system_message).toContain("serialize rewritten input: ");
});

it("takes the first rewrite of hooks that ran side by side, and the last of a chain", async () => {
  const saying = (content: string) =>
    printed({ hook_specific_output: { updated_messages: [{ role: "user", content }] } });
  const script = { a: saying("first"), b: saying("second") };
  const config = { before_llm_call: [say("a"), say("b")] };
  const expected = { "2026-07": "first", "2026-08": "second", "2026-11": "second" };
  for (const profile of PROFILES) {
    const { result } = await executorFor(config, script, profile).dispatch({ event: "before_llm_call", input: {} });
    expect(result.updated_messages).toEqual([{ role: "user", content: expected[profile] }]);
  }
});

describe("a plan", () => {
  it("puts every source's hooks in order and remembers where each came from", async () => {
    const kinds = [scriptedKind({ a: exited(0, "A"), b: exited(0, "B") })];
    const { plan, problems } = compilePlan({
      sources: [
        { origin: { policy: "base", revision: 3 }, hooks: { session_start: [say("a")] } },
        { origin: { policy: "team" }, hooks: { session_start: [say("b"), say("a")] } },
      ],
      profile: "2026-07",
      kinds,
    });
    expect(problems).toEqual([]);
    const executor = createExecutor({ plan, kinds, clock, workingDir: "/" });
    const { result, hooks } = await executor.dispatch({ event: "session_start", input: {} });
    expect(result.additional_context).toBe("A\nB");
    expect(hooks.map(({ origin, path }) => ({ origin, path }))).toEqual([
      { origin: { policy: "base", revision: 3 }, path: "hooks.session_start[0]" },
      { origin: { policy: "team" }, path: "hooks.session_start[0]" },
    ]);
  });

  it("comes with the problems of what cannot be read, and denies in its place", async () => {
    const hooks: HooksConfig = {
      pre_tool_use: [{ matcher: "(?!x)", hooks: [say("a")] }],
      tool_guard: [{ hooks: [say("a")] }],
    };
    const { plan, problems } = compilePlan({
      sources: [{ origin: { policy: "p" }, hooks }],
      profile: "2026-07",
      kinds: [],
    });
    const executor = createExecutor({ plan, clock, workingDir: "/" });
    for (const lane of ["default", "preempt_yolo"] as const) {
      const { result } = await executor.dispatch({ event: "pre_tool_use", lane, input: { tool_name: "any" } });
      expect(result).toMatchObject({
        allowed: false,
        message: expect.stringContaining('policy "p" cannot be read at'),
      });
    }
    expect(problems).toMatchObject([
      { origin: { policy: "p" }, path: "hooks.pre_tool_use[0]", message: expect.stringMatching(/^invalid matcher: /) },
      { path: "hooks.tool_guard" },
    ]);
  });

  it("leaves out hooks that run elsewhere without moving the others' places", async () => {
    const kinds = [scriptedKind({ a: exited(0, "A") })];
    const hooks: HooksConfig = {
      session_start: [say("x", { run_on: "agent" }), say("a")],
      stop: [say("x", { run_on: "agent" })],
    };
    const include = ({ run_on }: { run_on?: string | undefined }) => run_on !== "agent";
    const { plan } = compilePlan({ sources: [{ origin: {}, hooks }], profile: "2026-07", kinds, include });
    expect(hasHooksFor(plan, "stop")).toBe(false);
    const executor = createExecutor({ plan, clock, workingDir: "/" });
    const report = await executor.dispatch({ event: "session_start", input: {} });
    expect(report.hooks.map(({ path }) => path)).toEqual(["hooks.session_start[1]"]);
  });
});

describe("strict output", () => {
  const cases: [string, unknown, string][] = [
    ["an unknown field", { surprise: 1 }, 'unknown field "surprise"'],
    ["a field of another event", { hook_specific_output: { summary: "s" } }, "pre_tool_use does not support summary"],
    ["suppress_output", { suppress_output: true }, "suppress_output is not supported"],
    [
      "another event's name",
      { hook_specific_output: { hook_event_name: "stop" } },
      'output hook_event_name "stop" does not match pre_tool_use',
    ],
  ];
  it.each(cases)("fails %s", async (_name, output, why) => {
    const config = { pre_tool_use: [{ hooks: [say("a", { strict_output: true })] }] };
    const strict = await executorFor(config, { a: printed(output) }, "2026-08").dispatch({
      event: "pre_tool_use",
      input: {},
    });
    expect(strict.result.allowed).toBe(false);
    expect(strict.result.message).toContain(why);
    const lenient = { pre_tool_use: [{ hooks: [say("a")] }] };
    const { result } = await executorFor(lenient, { a: printed(output) }, "2026-08").dispatch({
      event: "pre_tool_use",
      input: {},
    });
    expect(result.allowed).toBe(true);
  });

  it("fails plain text and blocking where nothing blocks", async () => {
    const config = { stop: [say("a", { strict_output: true }), say("b", { strict_output: true })] };
    const script = { a: exited(0, "hello"), b: printed({ decision: "block" }) };
    const { hooks } = await executorFor(config, script, "2026-08").dispatch({ event: "stop", input: {} });
    expect(hooks.map(({ error }) => error)).toEqual([
      "strict_output requires a JSON object or empty stdout",
      "stop does not support blocking output",
    ]);
  });
});
