import { fenceAround, listActions, shortenAction } from "../judge-actions.ts";
import type { Rule } from "../rule.ts";

export const judgeFenceOpen: Rule = {
  id: "judge-fence-open",
  severity: "warning",
  title: "The agent can close the fence of a judge's prompt",
  why: "A fence such as <arguments> tells the judge where the agent's words end. A field that is written as it is may hold the closing tag, and what follows it reads as part of the prompt. fenced writes the field as one JSON value between two random marks, so no value can close a fence.",
  fix: "Write the field with fenced: {{ fenced .ToolInput }}.",
  firing: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - type: model
          model: openai/gpt-4o-mini
          schema: pre_tool_use_decision
          prompt: 'May this run? <arguments>{{ index .ToolInput "cmd" }}</arguments>'
`,
  },
  silent: {
    policy: `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - type: model
          model: openai/gpt-4o-mini
          schema: pre_tool_use_decision
          prompt: 'May this run? {{ fenced .ToolInput }}'
`,
  },
  *check({ hooks }) {
    for (const { hook, at } of hooks) {
      if (hook.type !== "model" || typeof hook.prompt !== "string") continue;
      const open = openFence(hook.prompt);
      if (open === undefined) continue;
      const message = `${open.action} is written as it is within ${open.fence}, so the agent can close it: use fenced`;
      yield { at: [...at, "prompt"], message };
    }
  },
};

interface OpenFence {
  readonly fence: string;
  readonly action: string;
}

/** The first value inside a fence that is not written as JSON. */
function openFence(prompt: string): OpenFence | undefined {
  for (const action of listActions(prompt)) {
    if (action.isSilent || /\b(?:toJSON|fenced)\b/.test(action.words) || !/[.$]/.test(action.words)) continue;
    const fence = fenceAround(action);
    if (fence !== undefined) return { fence, action: shortenAction(action.text) };
  }
  return undefined;
}
