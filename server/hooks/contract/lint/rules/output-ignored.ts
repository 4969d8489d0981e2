import { isOutputUsed, type Output } from "../outputs.ts";
import type { Rule } from "../rule.ts";

export const outputIgnored: Rule = {
  id: "output-ignored",
  severity: "warning",
  title: "The event ignores what the hook returns",
  why: "Each event uses some answers and silently drops others: a block after the fact has no effect.",
  fix: "Move the hook to an event that uses the answer (see the table in docs/events.md), or remove the answer.",
  firing: {
    policy: `hooks:
  after_llm_call:
    - type: command
      command: |
        echo "too expensive" >&2
        exit 2
`,
  },
  silent: {
    policy: `hooks:
  before_llm_call:
    - type: command
      on_error: block
      command: |
        echo "too expensive" >&2
        exit 2
`,
  },
  *check({ hooks }) {
    for (const linted of hooks) {
      const { entry, hook, at } = linted;
      const ignored = [...linted.outputs].filter((output) => !isOutputUsed(output, entry.contract));
      // An ignored verdict includes its metadata, so one sentence is enough.
      const [first] = ignored.includes("permission_decision") ? ["permission_decision" as const] : ignored;
      if (first === undefined) continue;
      const where = entry.lane === "preempt_yolo" ? `${entry.event} (preempt lane)` : entry.event;
      // Rules are only evaluated on events that decide.
      const field = hook.type === "model" ? (hook.schema ? "schema" : "prompt") : "command";
      yield {
        at: [...at, field],
        message: `${where} ignores ${hook.type === "model" ? (MODEL[first] ?? WORDS[first]) : WORDS[first]}`,
      };
    }
  },
};

const WORDS: Record<Output, string> = {
  "exit 2": "exit 2: it cannot be stopped",
  block: "a block: it cannot be stopped",
  permission_decision: "permission_decision: nothing is decided here",
  updated_input: "updated_input: the arguments cannot be replaced here",
  updated_messages: "updated_messages: the messages cannot be replaced here",
  updated_tool_response: "updated_tool_response: the tool's answer cannot be replaced here",
  additional_context: "additional_context: nothing reaches the model from here",
  summary: "summary: only before_compaction takes one",
  metadata: "metadata: there is no question to show it with",
};

const MODEL: Partial<Record<Output, string>> = {
  permission_decision: "the judge's decision: nothing is decided here",
  additional_context: "the model's reply: without a schema it is context, and none reaches the model from here",
};
