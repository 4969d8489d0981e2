import { expect, it } from "vitest";
import { manualClock } from "../conformance/manual-clock.ts";
import { type Builtin, builtinKind, createExecutor, PROFILES } from "../index.ts";

const rewriter = (name: string, rewrite: (text: string) => string | null, runsLast?: true): Builtin => ({
  name,
  ...(runsLast && { runsLast }),
  run: ({ input }) => {
    const updated_tool_response = rewrite(String(input.tool_response));
    return updated_tool_response === null ? null : { hook_specific_output: { updated_tool_response } };
  },
});
const seen: string[] = [];
const builtins = [
  rewriter("redact", (text) => text.replaceAll("hunter2", "[REDACTED]")),
  rewriter(
    "cut",
    (text) => {
      seen.push(text);
      return text.length > 12 ? text.slice(-12) : null;
    },
    true,
  ),
  rewriter("quiet", () => null),
  {
    name: "broken",
    run: () => {
      throw new Error("no");
    },
  },
];
const dispatch = (profile: (typeof PROFILES)[number], names: readonly string[], tool_response: string) =>
  createExecutor({
    config: { tool_response_transform: [{ hooks: names.map((command) => ({ type: "builtin", command })) }] },
    profile,
    kinds: [builtinKind(builtins)],
    clock: manualClock(),
    workingDir: "/",
  }).dispatch({ event: "tool_response_transform", input: { tool_name: "shell", tool_response } });

it.each(PROFILES)(
  "whoever cuts a payload cuts what the others left of it, wherever it stands (%s)",
  async (profile) => {
    for (const names of [
      ["cut", "redact"],
      ["redact", "cut"],
      ["quiet", "cut", "broken", "redact"],
    ]) {
      seen.length = 0;
      const { result, hooks } = await dispatch(profile, names, "the password is hunter2!");
      expect(seen).toEqual(["the password is [REDACTED]!"]);
      expect(result.updated_tool_response).toBe("s [REDACTED]!".slice(-12));
      expect(hooks.map(({ command }) => command)).toEqual(names);
    }
  },
);

it.each(PROFILES)("what the others left stands when nobody cuts it (%s)", async (profile) => {
  expect((await dispatch(profile, ["cut", "redact"], "hunter2")).result.updated_tool_response).toBe("[REDACTED]");
  expect((await dispatch(profile, ["cut", "quiet"], "short")).result.updated_tool_response).toBeNull();
  expect((await dispatch(profile, ["cut"], "a rather long text")).result.updated_tool_response).toBe("er long text");
});
