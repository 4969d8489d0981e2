import { expect, it } from "vitest";
import { hookDefinition } from "./hook.ts";
import { HOOK_FIELDS, readStoredHooks, UNREADABLE } from "./stored-hooks.ts";

const read = (hooks: unknown) => readStoredHooks(hooks, { profile: "2026-08" });

it("knows the fields of a hook that the schema knows", () => {
  const known = [...Object.keys(hookDefinition.shape), "resolved_evaluator"];
  expect(Object.keys(HOOK_FIELDS).sort()).toEqual(known.sort());
});

it("leaves what can be read as it is, and takes one mapping for a list of itself", () => {
  const hook = { type: "command", command: "true" };
  const hooks = { pre_tool_use: [{ matcher: "shell", preempt_yolo: true, hooks: [hook] }], stop: [hook] };
  expect(read(hooks)).toEqual({ hooks, problems: [], deniesEveryGate: false });
  expect(read({ stop: hook, pre_tool_use: { hooks: hook } }).hooks).toEqual({
    stop: [hook],
    pre_tool_use: [{ hooks: [hook] }],
  });
});

it("keeps the index of every entry and hook around one that cannot be read", () => {
  const hook = { type: "command", command: "true" };
  const { hooks, problems } = read({ pre_tool_use: [{ hooks: [hook, 5, hook] }, "x", { hooks: [hook] }] });
  expect(problems.map(({ path }) => path)).toEqual(["hooks.pre_tool_use[0].hooks[1]", "hooks.pre_tool_use[1]"]);
  expect(hooks.pre_tool_use).toMatchObject([
    { hooks: [hook, { type: UNREADABLE }, hook] },
    { hooks: [{ type: UNREADABLE }] },
    { hooks: [hook] },
    { preempt_yolo: true, hooks: [{ type: UNREADABLE }] },
  ]);
});

it("says a long name in few characters", () => {
  const [problem] = read({ [`x${"y".repeat(10_000)}`]: [] }).problems;
  expect(problem?.message.length).toBeLessThan(200);
});
