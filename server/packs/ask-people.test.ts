import { expect, it } from "vitest";
import { BUILTIN_NAMES } from "../hooks/contract/builtins.ts";
import { readPolicyText } from "../hooks/contract/text/policy-text.ts";
import { askOnApprovals } from "./ask-people.ts";
import { PACKS } from "./registry.ts";

const hooksOf = (source: string) => {
  const { hooks, problems } = readPolicyText(source, { builtins: BUILTIN_NAMES, models: true, evaluators: true });
  expect(problems).toEqual([]);
  return hooks;
};
const ASKING = PACKS.filter(({ asks }) => asks !== "");

it.each(ASKING.map((pack) => [pack.id, pack] as const))(
  "%s asks on the Approvals page in each of its lanes",
  (_id, { source }) => {
    const asked = askOnApprovals(source);
    const before = hooksOf(source)?.pre_tool_use ?? [];
    const after = hooksOf(asked)?.pre_tool_use ?? [];
    expect(after.slice(0, before.length)).toEqual(before);
    const lanes = new Set(before.map(({ preempt_yolo }) => preempt_yolo === true));
    const added = after.slice(before.length);
    expect(new Set(added.map(({ preempt_yolo }) => preempt_yolo === true))).toEqual(lanes);
    for (const { matcher, hooks } of added) {
      expect(matcher).toBe("*");
      expect(hooks).toMatchObject([{ type: "builtin", command: "ask_a_person", args: ["", "when asked"] }]);
    }
    // Nothing else moved: without the added lines the text is the pack's.
    for (const line of source.split("\n")) expect(asked).toContain(line);
  },
);

it("leaves a text without gates as it is, and adds before the event that follows", () => {
  expect(askOnApprovals("hooks:\n  stop:\n    - {type: command, command: 'true'}\n")).toBe(
    "hooks:\n  stop:\n    - {type: command, command: 'true'}\n",
  );
  const source = `hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - {type: rules, rules: [{ask: Really?}]}
  stop:
    - {type: command, command: 'true'}
`;
  expect(askOnApprovals(source)).toContain(`args: ["", "when asked"]}\n  stop:\n`);
  expect(hooksOf(askOnApprovals(source))?.pre_tool_use).toHaveLength(2);
});
