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
const ASK = { type: "builtin", command: "ask_a_person", args: ["", "when asked"] };

it.each(ASKING.map((pack) => [pack.id, pack] as const))("%s asks on the Approvals page", (_id, { source }) => {
  const asked = askOnApprovals(source);
  const before = hooksOf(source)?.pre_tool_use ?? [];
  const after = hooksOf(asked)?.pre_tool_use ?? [];
  expect(after).toHaveLength(before.length);
  for (const [at, entry] of after.entries()) {
    expect(entry.hooks?.slice(0, -1)).toEqual(before[at]?.hooks);
    expect(entry.hooks?.at(-1)).toMatchObject(ASK);
  }
  // Nothing else moved.
  const lines = asked.split("\n").filter((line) => !line.includes("ask_a_person"));
  expect(lines.join("\n").trimEnd()).toBe(source.trimEnd());
});

it("leaves a text without gates as it is, and adds before the entry and the event that follow", () => {
  const none = "hooks:\n  stop:\n    - {type: command, command: 'true'}\n";
  expect(askOnApprovals(none)).toBe(none);
  const source = `hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - {type: rules, rules: [{ask: Really?}]}

    - matcher: shell
      hooks:
        - type: command
          command: |
            true
  stop:
    - {type: command, command: 'true'}
`;
  const gates = hooksOf(askOnApprovals(source))?.pre_tool_use ?? [];
  expect(gates.map(({ hooks }) => hooks?.length)).toEqual([2, 2]);
  expect(askOnApprovals(source)).toContain(`args: ["", "when asked"]}\n  stop:\n`);
});
