import { createSetRepair, type Rule } from "../rule.ts";

export const matcherEmpty: Rule = {
  id: "matcher-empty",
  severity: "advice",
  title: "The matcher is empty",
  why: 'An empty matcher, or one that ends in |, selects more than expected: "" selects every tool, "shell|" also calls without a tool name.',
  fix: 'Write "*" for every tool, or list the names.',
  firing: {
    policy: `hooks:
  post_tool_use:
    - matcher: ""
      hooks:
        - {type: command, command: ./log.sh, run_on: agent}
`,
  },
  silent: {
    policy: `hooks:
  post_tool_use:
    - matcher: "*"
      hooks:
        - {type: command, command: ./log.sh, run_on: agent}
`,
  },
  *check({ entries }) {
    for (const { matcher, at } of entries) {
      if (matcher === undefined) continue;
      const place = [...at, "matcher"];
      if (matcher === "") {
        const repair = createSetRepair(place, "*", 'Write "*"');
        yield { at: place, message: "an empty matcher selects every tool", repair };
      } else if (/^\||\|$|\|\|/.test(matcher) && !/[\\[(]/.test(matcher)) {
        const full = matcher.split("|").filter(Boolean).join("|");
        const repair = createSetRepair(place, full === "" ? "*" : full, `Write "${full === "" ? "*" : full}"`);
        yield { at: place, message: `"${matcher}" has an empty name in its list`, repair };
      }
    }
  },
};
