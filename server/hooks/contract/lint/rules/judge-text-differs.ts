import { judgeFingerprint, parseJudgeLabel } from "../../judge-prompt.ts";
import { createRemoveRepair, type Rule } from "../rule.ts";

const POLICY = (prompt: string) => `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - type: model
          judge: shell-risk@1
          model: openai/gpt-4o-mini
          schema: pre_tool_use_decision
          prompt: "${prompt}"
`;
const KNOWN = [
  {
    name: "shell-risk",
    revisions: [
      {
        number: 1,
        fingerprint: judgeFingerprint({
          prompt: "May this run? {{ fenced .ToolInput }}",
          model: "openai/gpt-4o-mini",
          schema: "pre_tool_use_decision",
        }),
      },
    ],
  },
];

export const judgeTextDiffers: Rule = {
  id: "judge-text-differs",
  severity: "warning",
  title: "A judge's label does not match its text",
  why: "Answers are counted for the revision in the label. A hook with another text distorts these figures.",
  fix: "Restore the revision's text, or remove the label.",
  firing: { policy: POLICY("Is this fine? {{ fenced .ToolInput }}"), judges: KNOWN },
  silent: { policy: POLICY("May this run? {{ fenced .ToolInput }}"), judges: KNOWN },
  *check({ hooks, judges }) {
    if (!judges) return;
    for (const { hook, at } of hooks) {
      const label = parseJudgeLabel(hook.judge ?? "");
      if (!label) continue;
      const place = [...at, "judge"];
      const repair = createRemoveRepair(place, "Remove the label");
      const known = judges.find(({ name }) => name === label.name);
      const revision = known?.revisions.find(({ number }) => number === label.revision);
      const { prompt = "", model = "", schema = "" } = hook;
      if (!known) yield { at: place, message: `there is no judge prompt called ${label.name}`, repair };
      else if (!revision && (known.revisions[0]?.number ?? 0) < label.revision)
        yield { at: place, message: `${label.name} has no revision ${label.revision}`, repair };
      else if (revision && revision.fingerprint !== judgeFingerprint({ prompt, model, schema }))
        yield { at: place, message: `this is not the prompt, model and schema of ${hook.judge}`, repair };
    }
  },
};
