import { expect, it } from "vitest";
import { manualClock } from "../../conformance/manual-clock.ts";
import { createExecutor, type HooksConfig, PROFILES } from "../../index.ts";
import { type Builtin, builtinKind, runIn } from "./kind.ts";

const clock = manualClock();
async function dispatch(hook: object, builtins: readonly Builtin[]) {
  const config: HooksConfig = { session_start: [{ type: "builtin", ...hook }] };
  const executor = createExecutor({
    config,
    profile: "2026-07",
    kinds: [builtinKind(builtins)],
    clock,
    workingDir: "/work",
  });
  const { result, hooks } = await executor.dispatch({ event: "session_start", input: {} });
  return result.additional_context || (hooks[0]?.error ?? "");
}
const tell: Builtin = {
  name: "tell",
  run: ({ args, input, env }) => ({
    hook_specific_output: { additional_context: `${args.join()} ${input.cwd} ${env.A}` },
  }),
};

it("gives a builtin its arguments, its directory and its environment", async () => {
  expect(await dispatch({ command: "tell", args: ["a", "b"], env: { A: "1" } }, [tell])).toBe("a,b /work 1");
  expect(await dispatch({ command: "tell", working_dir: "sub" }, [tell])).toBe(" /work/sub undefined");
});

it("runs the row of the plan's profile, or of the newest profile before it that has one", () => {
  const run = () => null;
  const newer = () => null;
  expect(PROFILES.map((profile) => runIn({ name: "a", run, changes: { "2026-08": newer } }, profile))).toEqual([
    run,
    newer,
    newer,
  ]);
  expect(runIn({ name: "a", run }, "2026-11")).toBe(run);
});

it("is not registered in a profile older than the builtin", async () => {
  const { build } = builtinKind([{ ...tell, name: "add_context" }]);
  const place = { origin: {}, path: "hooks", name: "" };
  const handler = build({ type: "builtin", command: "add_context" }, place);
  const call = { event: "turn_start", lane: "default", input: {}, inputJson: "{}", env: {}, workingDir: "/" } as const;
  const replies = await Promise.all(
    PROFILES.map((profile) => {
      return handler.run({ ...call, profile, timeoutMs: 1, note: () => undefined }, new AbortController().signal);
    }),
  );
  const missing = { kind: "failed", message: 'no builtin hook registered as "add_context"' };
  expect(replies).toEqual([missing, missing, expect.objectContaining({ kind: "answered" })]);
});

it("fails, in words, for what is not there or throws", async () => {
  expect(await dispatch({ command: "gone" }, [tell])).toBe('no builtin hook registered as "gone"');
  expect(await dispatch({}, [tell])).toBe("builtin hook requires a name in command");
  const thrower: Builtin = {
    name: "thrower",
    run: () => {
      throw new Error("broken");
    },
  };
  expect(await dispatch({ command: "thrower" }, [thrower])).toBe("broken");
});
