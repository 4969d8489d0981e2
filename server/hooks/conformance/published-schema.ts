/**
 * What docker-agent's published JSON schema says of hooks, written down anew from reading `agent-schema.json` of
 * docker/docker-agent at 7c1086de (v16, profile 2026-08) and, for 2026-07, of a fork whose hooks part is that of 1d4df280.
 * Its descriptions, its examples and all keys of an agent other than `hooks` are left out: an export has none of them.
 */
import type { Profile } from "../contract/profiles.ts";

const text = { type: "string" };
const hook = { $ref: "#/definitions/hook" };
const entry = { $ref: "#/definitions/entry" };
const listOf = (items: object) => ({ type: "array", items });

const ON_TOOLS = ["pre_tool_use", "post_tool_use", "permission_request", "tool_response_transform"];
const FLAT = [
  ...["session_start", "user_prompt_submit", "user_steering_messages_submit", "user_followup_submit", "turn_start"],
  ...["turn_end", "before_llm_call", "after_llm_call", "session_end", "pre_compact", "subagent_stop", "on_user_input"],
  ...["stop", "notification", "on_error", "on_max_iterations", "on_agent_switch", "on_session_resume"],
  ...["on_tool_approval_decision", "before_compaction", "after_compaction", "worktree_create"],
];
const NEWER_ON_TOOLS = ["tool_input_transform", "tool_guard"];

const needs = (type: string, required: readonly string[]) => ({
  if: { properties: { type: { const: type } }, required: ["type"] },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word
  then: { required },
});

/** JSON schema (draft 7) of an agent file that has nothing but hooks; `definitions.hooks` is the block alone. */
export function publishedSchema(profile: Profile) {
  const isNewer = profile === "2026-08";
  const onTools = isNewer ? [...ON_TOOLS, ...NEWER_ON_TOOLS] : ON_TOOLS;
  const events = [
    ...onTools.map((event) => [event, listOf(entry)] as const),
    ...FLAT.map((event) => [event, listOf(hook)] as const),
  ];
  const closed = (properties: object, required: readonly string[] = []) => ({
    type: "object",
    properties,
    required,
    additionalProperties: false,
  });
  const agent = closed({ hooks: { $ref: "#/definitions/hooks" } });
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    ...closed({ agents: { type: "object", minProperties: 1, additionalProperties: agent } }, ["agents"]),
    definitions: {
      hooks: closed(Object.fromEntries(events)),
      entry: closed({ matcher: text, hooks: listOf(hook), preempt_yolo: { type: "boolean" } }, ["hooks"]),
      hook: {
        ...closed(
          {
            name: text,
            type: { type: "string", enum: ["command", "builtin", "model"] },
            command: text,
            args: listOf(text),
            timeout: { type: "integer", minimum: 1 },
            env: { type: "object", additionalProperties: text },
            working_dir: text,
            on_error: { type: "string", enum: ["warn", "ignore", "block"] },
            ...(isNewer ? { strict_output: { type: "boolean" } } : {}),
            model: text,
            prompt: text,
            schema: text,
          },
          ["type"],
        ),
        allOf: [needs("command", ["command"]), needs("builtin", ["command"]), needs("model", ["model", "prompt"])],
      },
    },
  };
}
