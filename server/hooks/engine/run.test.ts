import { expect, it } from "vitest";
import { manualClock } from "../conformance/manual-clock.ts";
import { exited, type Script, scriptedKind } from "../conformance/scripted-kind.ts";
import type { Profile } from "../contract/profiles.ts";
import { createExecutor } from "./executor.ts";
import type { HandlerCall } from "./ports.ts";

const clock = manualClock();

function executorFor(script: Script, profile: Profile = "2026-07", timeout?: number) {
  const hooks = Object.keys(script).map((command) => ({ type: "command", command, ...(timeout && { timeout }) }));
  const config = { pre_tool_use: [{ hooks }], session_start: hooks };
  return createExecutor({ config, profile, kinds: [scriptedKind(script)], clock, workingDir: "/" });
}
/** A handler that listens to nobody and never answers. */
const deaf = () => new Promise<never>(() => {});

it("stops waiting shortly after the deadline for a handler that does not listen", async () => {
  const dispatched = executorFor({ deaf }, "2026-07", 90).dispatch({ event: "pre_tool_use", input: {} });
  clock.advance(90_000);
  clock.advance(1_000);
  const { result, hooks } = await dispatched;
  expect(result).toMatchObject({ allowed: false, exit_code: -1 });
  expect(result.message).toBe(
    'PreToolUse hook failed to execute: hook "deaf" timed out after 1m30s: context deadline exceeded',
  );
  expect(hooks[0]?.outcome).toMatchObject({ kind: "failed", failure: { code: "timed_out", afterMs: 90_000 } });
  expect(clock.waiting).toBe(0);
});

it("keeps the stderr of a hook that ran out of time, and nothing else it said", async () => {
  const slow: Script[string] = (_call, signal) =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(exited(0, "partial", "last words"))));
  const dispatched = executorFor({ slow }, "2026-07", 1).dispatch({ event: "pre_tool_use", input: {} });
  clock.advance(1_000);
  const { result } = await dispatched;
  expect(result).toMatchObject({ allowed: false, stderr: "last words", additional_context: "" });
  expect(result.message).toContain("timed out after 1s");
  expect(clock.waiting).toBe(0);
});

it("does not fail a hook for its absent timeout before a minute has passed", async () => {
  const dispatched = executorFor({ deaf }).dispatch({ event: "session_start", input: {} });
  clock.advance(59_999);
  expect(clock.waiting).toBe(1);
  clock.advance(1 + 1_000);
  expect((await dispatched).hooks[0]?.error).toContain("timed out after 1m0s");
});

it("fails what the caller cancels, and starts nothing for a caller who is gone", async () => {
  const caller = new AbortController();
  const executor = executorFor({ deaf });
  const dispatched = executor.dispatch({ event: "pre_tool_use", input: {}, signal: caller.signal });
  caller.abort();
  clock.advance(1_000);
  const first = await dispatched;
  expect(first.result.allowed).toBe(false);
  expect(first.result.message).toContain('hook "deaf" cancelled: context canceled');
  const second = await executor.dispatch({ event: "pre_tool_use", input: {}, signal: caller.signal });
  expect(second.result.allowed).toBe(false);
  expect(clock.waiting).toBe(0);
});

it("calls a caller's own deadline a timeout", async () => {
  const caller = new AbortController();
  const dispatched = executorFor({ deaf }).dispatch({ event: "session_start", input: {}, signal: caller.signal });
  caller.abort(new DOMException("too late", "TimeoutError"));
  clock.advance(1_000);
  expect((await dispatched).hooks[0]?.error).toContain("timed out after 1m0s");
});

it("turns a thrown value into a failure of that hook alone", async () => {
  const script: Script = {
    thrower: () => {
      throw new Error("oops");
    },
    good: exited(0, "kept"),
  };
  const { result, hooks } = await executorFor(script).dispatch({ event: "session_start", input: {} });
  expect(result.additional_context).toBe("kept");
  expect(hooks[0]?.error).toBe("hook callback panicked: oops");
});

it.each([
  ["nothing", undefined],
  ["null", null],
  ["a text", "exit 0"],
  ["an unknown kind", { kind: "approved" }],
  ["an exit code that is none", { kind: "exited", exitCode: "0", stdout: "", stderr: "" }],
  ["an exit without its output", { kind: "exited", exitCode: 0 }],
  ["output of the wrong types", { kind: "answered", output: { decision: 5 } }],
  ["output that is a list", { kind: "answered", output: [] }],
  ["no output at all", { kind: "answered" }],
  ["a failure without words", { kind: "failed" }],
  [
    "a trap",
    {
      get kind() {
        throw new Error("boo");
      },
    },
  ],
])("a handler that resolves with %s has failed, and failed alone", async (_title, reply) => {
  const script: Script = { odd: () => Promise.resolve(reply as never), good: exited(0, "kept") }; // on purpose no reply
  for (const profile of ["2026-07", "2026-08"] as const) {
    const gate = await executorFor(script, profile).dispatch({ event: "pre_tool_use", input: {} });
    expect(gate.result).toMatchObject({ allowed: false, exit_code: -1 });
    expect(gate.hooks[0]?.error).toBe("hook callback panicked: the handler's reply cannot be read");
    const { result } = await executorFor(script, profile).dispatch({ event: "session_start", input: {} });
    expect(result.additional_context).toBe("kept");
  }
});

it.each([
  ["an error", new Error("oops"), "oops"],
  ["undefined", undefined, "undefined"],
  ["an object without a prototype", Object.create(null), "a value that cannot be written"],
])("a handler that rejects with %s has failed", async (_title, thrown, words) => {
  const script: Script = { odd: () => Promise.reject(thrown) };
  const { result, hooks } = await executorFor(script).dispatch({ event: "pre_tool_use", input: {} });
  expect(result.allowed).toBe(false);
  expect(hooks[0]?.error).toBe(`hook callback panicked: ${words}`);
});

it("a wait for its turn is neither the hook's time nor its failure, and ends in words of its own", async () => {
  let turn: HandlerCall["turn"];
  const queued: Script[string] = (call, signal) => {
    turn = call.turn;
    call.turn?.waits();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(exited(0, "", ""))));
  };
  const dispatch = { event: "pre_tool_use", input: {}, asker: { agent: "one", request: null } } as const;
  const tooLong = executorFor({ queued }, "2026-08", 2).dispatch(dispatch);
  clock.advance(10_000);
  expect((await tooLong).hooks[0]).toMatchObject({ blocked: true, durationMs: 0, startedMs: 10_000 });
  expect((await tooLong).hooks[0]?.outcome).toMatchObject({ failure: { code: "waited_too_long" } });
  expect((await tooLong).result.message).toContain("busy running other hooks for 10s");
  expect(turn?.shares).toEqual(["", "one"]);

  const started = executorFor({ queued }, "2026-08", 2).dispatch(dispatch);
  clock.advance(9_000);
  turn?.begins();
  clock.advance(2_000);
  const { hooks } = await started;
  expect(hooks[0]).toMatchObject({ startedMs: 9_000, durationMs: 2_000, outcome: { failure: { code: "timed_out" } } });
  expect(clock.waiting).toBe(0);
});
