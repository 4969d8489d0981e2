import { describe, expect, it } from "vitest";
import { manualClock } from "../conformance/manual-clock.ts";
import { exited, printed, type Script, scriptedKind } from "../conformance/scripted-kind.ts";
import type { HooksConfig } from "../contract/hook.ts";
import { BREAKER_LIMITS, createBreakers } from "./breaker.ts";
import { createExecutor } from "./executor.ts";

const { failuresMax, openMs } = BREAKER_LIMITS;

/** A hook whose reply can be changed, on an event, behind breakers of its own. */
function rig(event: "pre_tool_use" | "session_start" | "permission_request", more: object = {}) {
  const clock = manualClock();
  const breakers = createBreakers(clock);
  const state = { started: 0, reply: { kind: "failed", message: "the model is away" } as Script[string] };
  const script: Script = {
    judge: (call, signal) => {
      state.started += 1;
      const { reply } = state;
      return typeof reply === "function" ? reply(call, signal) : Promise.resolve(reply ?? exited(0));
    },
  };
  const hook = { type: "command", command: "judge", ...more };
  const config: HooksConfig = event === "session_start" ? { session_start: [hook] } : { [event]: [{ hooks: [hook] }] };
  const kinds = [scriptedKind(script)];
  const executorOf = (tenant: string) =>
    createExecutor({ config, profile: "2026-08", kinds, clock, workingDir: "/", tenant, breakers });
  const executor = executorOf("mine");
  const dispatch = (one = executor, signal?: AbortSignal) =>
    one.dispatch({ event, input: { tool_name: "shell" }, ...(signal && { signal }) });
  const failTo = async (count: number) => {
    for (let at = 0; at < count; at += 1) await dispatch();
  };
  return { clock, breakers, state, dispatch, failTo, executorOf };
}

it("a gate whose hook keeps failing denies without starting it, and says why and when it is tried again", async () => {
  const { state, dispatch, failTo, clock, breakers } = rig("pre_tool_use");
  await failTo(failuresMax);
  clock.advance(3_000);
  const { result, hooks } = await dispatch();
  expect(state.started).toBe(failuresMax);
  expect(result).toMatchObject({ allowed: false, exit_code: -1 });
  expect(result.message).toContain(
    "circuit open after 5 failures in a row, the last: the model is away; tried again in 27s",
  );
  expect(hooks[0]).toMatchObject({ blocked: true, outcome: { kind: "failed", failure: { code: "circuit_open" } } });
  expect(breakers.open("mine")).toMatchObject([
    { hook: { path: "hooks.pre_tool_use[0].hooks[0]" }, failures: 5, openForMs: 3_000, retryInMs: 27_000 },
  ]);
});

it("then one dispatch tries it, the others wait for how that ends", async () => {
  const { state, dispatch, failTo, clock, breakers } = rig("pre_tool_use");
  await failTo(failuresMax);
  clock.advance(openMs);
  let answer: (reply: ReturnType<typeof exited>) => void = () => {};
  state.reply = () => new Promise((resolve) => (answer = resolve));
  const trying = dispatch();
  expect((await dispatch()).result.message).toContain("tried again soon");
  answer(printed({}));
  expect((await trying).result.allowed).toBe(true);
  expect(breakers.open("mine")).toEqual([]);
  state.reply = exited(0);
  expect((await dispatch()).result.allowed).toBe(true);
});

it("a trial that fails keeps it shut for as long again", async () => {
  const { state, dispatch, failTo, clock } = rig("pre_tool_use");
  await failTo(failuresMax);
  clock.advance(openMs);
  await dispatch();
  expect(state.started).toBe(failuresMax + 1);
  clock.advance(openMs - 1);
  await dispatch();
  expect(state.started).toBe(failuresMax + 1);
});

it("a trial that nobody waited for leaves the next one to try", async () => {
  const { state, dispatch, failTo, clock } = rig("pre_tool_use");
  await failTo(failuresMax);
  clock.advance(openMs);
  const caller = new AbortController();
  state.reply = (_call, signal) =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(exited(-1))));
  const trying = dispatch(undefined, caller.signal);
  caller.abort();
  await trying;
  state.reply = exited(0);
  expect((await dispatch()).result.allowed).toBe(true);
});

it("a person may have it tried now", async () => {
  const { state, dispatch, failTo, breakers } = rig("pre_tool_use");
  await failTo(failuresMax);
  const id = breakers.open("mine")[0]?.id ?? "";
  expect(breakers.tryNow("theirs", id)).toBe(false);
  expect(breakers.tryNow("mine", id)).toBe(true);
  state.reply = exited(0);
  expect((await dispatch()).result.allowed).toBe(true);
  expect(breakers.tryNow("mine", id)).toBe(false);
});

it("one success begins the count anew; a refusal, an exit code and bad output are no failures to be had", async () => {
  for (const reply of [exited(0), exited(2, "", "no"), exited(1), exited(0, "{oops")]) {
    const { state, dispatch, failTo, breakers } = rig("pre_tool_use");
    await failTo(failuresMax - 1);
    state.reply = reply;
    await dispatch();
    state.reply = { kind: "failed", message: "again" };
    await failTo(failuresMax - 1);
    expect(breakers.open("mine")).toEqual([]);
    state.reply = reply;
    await failTo(failuresMax * 2);
    expect(breakers.open("mine")).toEqual([]);
  }
});

it("two tenants never share one, though policy, revision and place have the same names", async () => {
  const { dispatch, failTo, executorOf, state, breakers } = rig("pre_tool_use");
  await failTo(failuresMax);
  state.reply = exited(0);
  expect((await dispatch(executorOf("theirs"))).result.allowed).toBe(true);
  expect((await dispatch(executorOf("mine"))).result.allowed).toBe(false);
  expect(breakers.open("theirs")).toEqual([]);
});

describe("where a failure is waved through", () => {
  it("a hook that may block is always tried: bad inputs cannot switch it off", async () => {
    for (const on_error of ["warn", "ignore"]) {
      const { state, dispatch, failTo } = rig("permission_request", { on_error });
      await failTo(failuresMax * 2);
      state.reply = exited(2, "", "no");
      expect((await dispatch()).result.allowed).toBe(false);
    }
  });

  it("a hook that only observes is left alone for a while", async () => {
    const { state, failTo, breakers } = rig("session_start");
    await failTo(failuresMax * 2);
    expect(state.started).toBe(failuresMax);
    expect(breakers.open("mine")).toHaveLength(1);
  });
});
