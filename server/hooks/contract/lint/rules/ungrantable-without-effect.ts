import { createRemoveRepair, type Rule } from "../rule.ts";

export const ungrantableWithoutEffect: Rule = {
  id: "ungrantable-without-effect",
  severity: "advice",
  title: "ungrantable has no effect here",
  why: "Exceptions apply only to hooks that run on the server and decide a tool call. For other hooks, the field has no effect.",
  fix: "Remove ungrantable, or run the hook on the server on an event that decides.",
  firing: {
    policy: `hooks:
  session_start:
    - {type: command, command: uptime, ungrantable: true}
`,
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - matcher: deploy
      hooks:
        - {type: builtin, command: ask_a_person, ungrantable: true}
`,
  },
  *check({ hooks }) {
    for (const { hook, entry, at, runsOn } of hooks) {
      if (hook.ungrantable !== true) continue;
      const { decides, approves } = entry.contract;
      if ((decides || approves) && runsOn === "server") continue;
      const place = [...at, "ungrantable"];
      const where = runsOn === "agent" ? "a hook on the agent's machine" : `a hook on ${entry.event}`;
      yield {
        at: place,
        message: `exceptions do not apply to ${where}, so ungrantable has no effect`,
        repair: createRemoveRepair(place, "Remove ungrantable"),
      };
    }
  },
};
