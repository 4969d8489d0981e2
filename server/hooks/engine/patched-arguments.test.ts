import { expect, it } from "vitest";
import { manualClock } from "../conformance/manual-clock.ts";
import { answerOf, type Builtin, builtinKind, createExecutor, PROFILES } from "../index.ts";

const rewrites = (name: string, updated_input: Record<string, unknown>, patches?: true): Builtin => ({
  name,
  ...(patches && { patchesArguments: patches }),
  run: () => ({ hook_specific_output: { updated_input } }),
});
const builtins = [rewrites("patch", { token: "[REDACTED]" }, true), rewrites("replace", { cmd: "ls" })];
const rewritten = async (profile: (typeof PROFILES)[number], ...names: string[]) => {
  const executor = createExecutor({
    config: { pre_tool_use: [{ hooks: names.map((command) => ({ type: "builtin", command })) }] },
    profile,
    kinds: [builtinKind(builtins)],
    clock: manualClock(),
    workingDir: "/",
  });
  const input = { tool_name: "shell", tool_input: { cmd: "rm", token: "s", cwd: "/w" } };
  const { result } = await executor.dispatch({ event: "pre_tool_use", input });
  return answerOf(result, "pre_tool_use", "default", profile).hook_specific_output?.updated_input;
};

it.each(PROFILES)("arguments that nobody meant to replace are still there after a redaction (%s)", async (profile) => {
  expect(await rewritten(profile, "patch")).toEqual({ cmd: "rm", token: "[REDACTED]", cwd: "/w" });
});

it("a hook that replaces the arguments still does, beside a redaction", async () => {
  expect(await rewritten("2026-07", "replace", "patch")).toEqual({ cmd: "ls", token: "[REDACTED]" });
  expect(await rewritten("2026-07", "replace")).toEqual({ cmd: "ls" });
});
