import { displayName } from "../../hook.ts";
import { identityOf } from "../../identity.ts";
import { truncateToLine } from "../../truncate-text.ts";
import { createRemoveRepair, type Rule } from "../rule.ts";

export const hookDuplicated: Rule = {
  id: "hook-duplicated",
  severity: "advice",
  title: "The same hook is listed twice",
  why: "Identical definitions run once per dispatch. The second never runs.",
  fix: "Remove the second, or make it different.",
  firing: {
    policy: `hooks:
  session_start:
    - {type: command, command: date}
    - {type: command, command: date}
`,
  },
  silent: {
    policy: `hooks:
  session_start:
    - {type: command, command: date}
    - {type: command, command: uptime}
`,
  },
  *check({ entries }) {
    for (const { hooks } of entries) {
      const seen = new Map<string, number>();
      for (const [index, { hook, at }] of hooks.entries()) {
        const key = identityOf(hook);
        const first = seen.get(key);
        if (first === undefined) seen.set(key, index);
        else {
          const name = truncateToLine(displayName(hook), 40);
          const message = `"${name}" is the hook at [${first}] again and never runs`;
          yield { at, message, repair: createRemoveRepair(at, "Remove the repeat") };
        }
      }
    }
  },
};
