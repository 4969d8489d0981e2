import { createRemoveRepair, type Rule } from "../rule.ts";

export const onErrorWithoutEffect: Rule = {
  id: "on-error-without-effect",
  severity: "warning",
  title: "on_error has no effect here",
  why: "On an event that fails closed, a failed hook always denies; a failed rules hook denies on every event. On an event that cannot block, block has no effect. The field is misleading.",
  fix: "Leave on_error out.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - {type: command, command: ./gate.sh, run_on: agent, on_error: ignore}
`,
  },
  silent: {
    policy: `hooks:
  post_tool_use:
    - matcher: shell
      hooks:
        - {type: command, command: ./gate.sh, run_on: agent, on_error: ignore}
`,
  },
  *check({ hooks }) {
    for (const { hook, entry, at } of hooks) {
      if (!hook.on_error) continue;
      const { failsClosed, canBlock } = entry.contract;
      const place = [...at, "on_error"];
      const repair = createRemoveRepair(place, "Remove on_error");
      if ((failsClosed || hook.type === "rules") && hook.on_error !== "block")
        yield {
          at: place,
          message: `a hook that fails on ${entry.event} denies, also with on_error: ${hook.on_error}`,
          repair,
        };
      else if (!canBlock && hook.on_error === "block")
        yield { at: place, message: `${entry.event} cannot be blocked, even by on_error: block`, repair };
    }
  },
};
