import { judgeFingerprint, parseJudgeLabel } from "../../judge-prompt.ts";
import type { Rule } from "../rule.ts";

const POLICY = (revision: number) => `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - type: model
          judge: shell-risk@${revision}
          model: openai/gpt-4o-mini
          schema: pre_tool_use_decision
          prompt: "May this run? {{ fenced .ToolInput }}"
`;
const fingerprint = judgeFingerprint({
  prompt: "May this run? {{ fenced .ToolInput }}",
  model: "openai/gpt-4o-mini",
  schema: "pre_tool_use_decision",
});
const known = (number: number) => [{ name: "shell-risk", revisions: [{ number, fingerprint }] }];

export const judgeRevisionBehind: Rule = {
  id: "judge-revision-behind",
  severity: "advice",
  title: "A newer revision of the judge's prompt exists",
  why: "The prompt has a newer revision than this hook. Until you update the hook, the old revision decides.",
  fix: "Check the changes on the prompt's page, then update the hook.",
  firing: { policy: POLICY(3), judges: known(4) },
  silent: { policy: POLICY(3), judges: known(3) },
  *check({ hooks, judges }) {
    for (const { hook, at } of hooks) {
      const label = parseJudgeLabel(hook.judge ?? "");
      const latest = judges?.find(({ name }) => name === label?.name)?.revisions[0]?.number ?? 0;
      if (label && latest > label.revision)
        yield {
          at: [...at, "judge"],
          message: `${label.name} has revision ${latest}; this hook uses ${label.revision}`,
        };
    }
  },
};
