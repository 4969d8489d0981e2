import { describe, expect, it } from "vitest";
import { contractOf, eventNames, judgesCalls } from "./events.ts";
import type { HookDefinition, HooksConfig } from "./hook.ts";
import { nativeHooks, RULES_VARIABLE } from "./native-hooks.ts";
import { everyHook } from "./placement.ts";
import type { Rule } from "./rules/schema.ts";

const RULES: Rule[] = [{ deny: "It's \"not\" $HOME's.", command: { program: "rm" } }];
const block = (event: string, hook: HookDefinition, preempt_yolo?: true): HooksConfig =>
  ({ [event]: [{ matcher: "*", hooks: [hook], ...(preempt_yolo && { preempt_yolo }) }] }) as HooksConfig;
const exported = (hooks: HooksConfig): HookDefinition => {
  const [placed] = everyHook(nativeHooks(hooks));
  if (!placed) throw new Error("a hook was dropped");
  return placed.hook;
};

describe("an exported rules hook", () => {
  it.each(eventNames("2026-08").filter((event) => judgesCalls(contractOf(event, "2026-08"))))(
    "on %s is a command of the local executor that fails closed",
    (event) => {
      const hook = exported(block(event, { name: "guard", type: "rules", rules: RULES, run_on: "agent", timeout: 5 }));
      expect(hook).toMatchObject({ name: "guard", type: "command", on_error: "block", timeout: 5 });
      expect(hook.command).toContain(`quarterdeck-hook.mjs" --rules ${event})`);
      expect(hook.command).toMatch(/ \|\| exit 2$/);
      expect(JSON.parse(hook.env?.[RULES_VARIABLE] ?? "")).toEqual(RULES);
      expect(Object.keys(hook)).not.toContain("rules");
    },
  );

  it("names its lane", () => {
    const hook: HookDefinition = { type: "rules", rules: RULES };
    expect(exported(block("pre_tool_use", hook, true)).command).toContain("--rules pre_tool_use --lane preempt_yolo");
    expect(exported(block("permission_request", hook, true)).command).not.toContain("--lane");
  });

  it.each([
    ["mark", { mark: "m", kind: "shell" }],
    ["after", { deny: "x", any: [{ after: "m" }] }],
    ["agent", { deny: "x", agent: "a" }],
    ["tag", { deny: "x", not: { tag: "t" } }],
  ] as [string, Rule][])("that needs the server for `%s` refuses, and says so", (need, rule) => {
    const { type, command = "" } = exported(block("pre_tool_use", { type: "rules", rules: [rule] }));
    expect(type).toBe("command");
    expect(command).toContain(`Rules with ${need} are decided by the Quarterdeck server: enrol this agent`);
    expect(command).toMatch(/>&2; exit 2$/);
  });

  it("that is too long for a variable refuses", () => {
    const rules = Array.from({ length: 150 }, (): Rule => ({ deny: "x".repeat(400), kind: "shell" }));
    expect(exported(block("pre_tool_use", { type: "rules", rules })).command).toContain("longer than a variable");
  });
});
