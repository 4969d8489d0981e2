import { createSetRepair, type Rule } from "../rule.ts";

export const matcherWithBlanks: Rule = {
  id: "matcher-with-blanks",
  severity: "warning",
  title: "The matcher has spaces around it",
  why: "A matcher is not trimmed. No tool name has spaces.",
  fix: "Remove the spaces.",
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
      const repair = createSetRepair([...at, "matcher"], bare === "" ? "*" : bare, "Remove the spaces");
      yield { at: [...at, "matcher"], message: `"${matcher}" has spaces, which no tool name has`, repair };
    }
  },
};
