import { createSetRepair, type Rule } from "../rule.ts";

export const matcherWithBlanks: Rule = {
  id: "matcher-with-blanks",
  severity: "warning",
  title: "The matcher has blanks around it",
  why: "A matcher is not trimmed: blanks belong to the name it looks for, and no tool has any.",
  fix: "Remove the blanks.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: "shell | edit_file"
      hooks:
        - {type: command, command: ./gate.sh, run_on: agent}
`,
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - matcher: "shell|edit_file"
      hooks:
        - {type: command, command: ./gate.sh, run_on: agent}
`,
  },
  *check({ entries }) {
    for (const { matcher, at } of entries) {
      if (matcher === undefined || !/^\s|\s$|\s\||\|\s/.test(matcher)) continue;
      const bare = matcher.trim().replace(/\s*\|\s*/g, "|");
      const repair = createSetRepair([...at, "matcher"], bare === "" ? "*" : bare, "Remove the blanks");
      yield { at: [...at, "matcher"], message: `"${matcher}" has blanks that no tool's name has`, repair };
    }
  },
};
