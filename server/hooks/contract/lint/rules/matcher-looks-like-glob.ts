import { createSetRepair, type Rule } from "../rule.ts";

export const matcherLooksLikeGlob: Rule = {
  id: "matcher-looks-like-glob",
  severity: "warning",
  title: "The matcher is written like a file pattern or a list",
  why: "A matcher is a regular expression (RE2) over the whole name: * repeats the character before it, and a comma is a comma. `mcp__*` selects `mcp_`, `mcp__` and `mcp___`, and no tool of an MCP server.",
  fix: "Write .* for anything, and | between names.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: mcp__*
      hooks:
        - {type: command, command: ./gate.sh, run_on: agent}
`,
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - matcher: mcp__.*
      hooks:
        - {type: command, command: ./gate.sh, run_on: agent}
`,
  },
  *check({ entries }) {
    for (const { matcher, at } of entries) {
      if (matcher === undefined || matcher === "*") continue;
      const meant = matcher.replace(/(?<=[\w-])\*/g, ".*").replace(/(?<=\w)\s*,\s*(?=\w)/g, "|");
      if (meant === matcher || /[\\[\](){}]/.test(matcher)) continue;
      const repair = createSetRepair([...at, "matcher"], meant, `Write "${meant}"`);
      yield { at: [...at, "matcher"], message: `"${matcher}" probably means "${meant}"`, repair };
    }
  },
};
