import { formatMatcher, listMatcherNames, selectsAll } from "../matchers.ts";
import type { LintedEntry } from "../policy.ts";
import type { Rule } from "../rule.ts";

export const matcherDuplicated: Rule = {
  id: "matcher-duplicated",
  severity: "advice",
  title: "Two entries of an event have the same matcher",
  why: "Both run: entries are not alternatives. Hooks of one tool are easier to read and change in one entry.",
  fix: "Move the hooks of the second entry into the first.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell|edit_file
      hooks:
        - {type: command, command: ./first.sh, run_on: agent}
    - matcher: edit_file|shell
      hooks:
        - {type: command, command: ./second.sh, run_on: agent}
`,
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell|edit_file
      hooks:
        - {type: command, command: ./first.sh, run_on: agent}
        - {type: command, command: ./second.sh, run_on: agent}
`,
  },
  *check({ entries }) {
    const first = new Map<string, LintedEntry>();
    for (const entry of entries) {
      if (!entry.contract.matchesTools) continue;
      const key = `${entry.event} ${entry.lane} ${normal(entry.matcher)}`;
      const before = first.get(key);
      if (!before) first.set(key, entry);
      else {
        const where = `${entry.event}[${before.at[1]}]`;
        yield { at: entry.at, message: `${formatMatcher(entry.matcher)} is what ${where} selects already` };
      }
    }
  },
};

/** A text that is equal for matchers that certainly select the same tools. */
function normal(matcher: string | undefined): string {
  if (matcher === undefined || selectsAll(matcher)) return "*";
  return listMatcherNames(matcher)?.sort().join("|") ?? matcher;
}
