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

const ACTION = /\{\{-?\s*([\s\S]*?)\s*-?\}\}/g;
/** Actions without output. */
const SILENT = /^(?:\/\*|(?:if|else|end|range|with|define|block|template|break|continue)\b|\$\w+\s*:?=)/;
/** An opening tag, or a quotation or code mark. */
const FENCE = /<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?>|```|"""|'''/g;
const SHOWN_MAX = 60;
/** The limit of actions. A longer prompt is not checked further. */
const ACTIONS_MAX = 100;

interface OpenFence {
  readonly fence: string;
  readonly action: string;
}

/** The first value inside a fence that is not written as JSON. */
function openFence(prompt: string): OpenFence | undefined {
  for (const match of [...prompt.matchAll(ACTION)].slice(0, ACTIONS_MAX)) {
    const [action, words = ""] = match;
    if (SILENT.test(words) || /\b(?:toJSON|fenced)\b/.test(words) || !/[.$]/.test(words)) continue;
    const fence = fenceAround(prompt.slice(0, match.index), prompt.slice(match.index + action.length));
    if (fence !== undefined) return { fence, action: shorten(action) };
  }
  return undefined;
}

function fenceAround(before: string, after: string): string | undefined {
  for (const { 0: fence, 1: name } of [...before.matchAll(FENCE)].reverse()) {
    if (name === undefined) {
      if (before.split(fence).length % 2 === 0 && after.includes(fence)) return fence;
    } else if (isOpen(before, name) && after.includes(`</${name}`)) return fence;
  }
  return undefined;
}

/** True if a tag was opened more often than closed. */
function isOpen(text: string, name: string): boolean {
  const opened = [...text.matchAll(FENCE)].filter((tag) => tag[1] === name).length;
  return opened > text.split(`</${name}`).length - 1;
}

const shorten = (action: string): string => (action.length > SHOWN_MAX ? `${action.slice(0, SHOWN_MAX)}…` : action);
