import { displayName } from "../../hook.ts";
import { identityOf } from "../../identity.ts";
import { truncateToLine } from "../../truncate-text.ts";
import { coversMatcher, formatMatcher } from "../matchers.ts";
import type { LintedHook } from "../policy.ts";
import { createRemoveRepair, type Rule } from "../rule.ts";

export const matcherShadowed: Rule = {
  id: "matcher-shadowed",
  severity: "warning",
  title: "A hook never runs here, because an earlier entry runs the same one",
  why: "Identical definitions run once per dispatch, at the first position. If you change this copy, both run.",
  fix: "Remove the repeat, or make the two differ.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - {type: command, command: ./gate.sh, run_on: agent}
    - matcher: shell
      hooks:
        - {type: command, command: ./gate.sh, run_on: agent}
        - {type: command, command: ./shell.sh, run_on: agent}
`,
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - matcher: edit_file
      hooks:
        - {type: command, command: ./gate.sh, run_on: agent}
    - matcher: shell
      hooks:
        - {type: command, command: ./gate.sh, run_on: agent}
        - {type: command, command: ./shell.sh, run_on: agent}
`,
  },
  *check({ hooks }) {
    const earlier = new Map<string, LintedHook[]>();
    for (const linted of hooks) {
      const { entry, hook, at } = linted;
      if (!entry.contract.matchesTools) continue;
      const key = `${entry.event} ${entry.lane} ${identityOf(hook)}`;
      const same = earlier.get(key) ?? [];
      const over = same.find((one) => one.entry !== entry && coversMatcher(one.entry.matcher, entry.matcher));
      if (over) {
        const where = `${entry.event}[${over.entry.at[1]}]`;
        const message = `"${truncateToLine(displayName(hook), 40)}" runs for ${formatMatcher(over.entry.matcher)} in ${where} already`;
        const all = entry.hooks.length === 1 ? entry.at : at;
        yield { at, message, repair: createRemoveRepair(all, "Remove the repeat") };
      }
      earlier.set(key, [...same, linted].slice(-20));
    }
  },
};
