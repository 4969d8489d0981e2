import { createRemoveRepair, type Rule } from "../rule.ts";

export const ungrantableWithoutEffect: Rule = {
  id: "ungrantable-without-effect",
  severity: "advice",
  title: "ungrantable has no effect here",
  why: "An exception lifts the verdict of a hook that runs on the server and decides a tool call. Nobody can make one from any other hook, so there is nothing to rule out.",
  fix: "Leave ungrantable out, or run the hook on the server at an event that decides.",
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
      const where = runsOn === "agent" ? "a hook beside the agent" : `a hook on ${entry.event}`;
      yield {
        at: place,
        message: `no exception reaches ${where}, so ungrantable rules nothing out`,
        repair: createRemoveRepair(place, "Remove ungrantable"),
      };
    }
  },
};
