/**
 * The wire input: an agent's message for an event. Known fields are typed. Unknown ones are kept, because agents may send newer
 * fields.
 */
import { z } from "zod";
import { printExactJson } from "./exact-json.ts";

const text = z.string().nullish();
/** A field that only newer agents send. An older agent may use the name for its own value. */
const newer = z.unknown().optional();
const count = z.number().int().nullish();

/** Token counts of one model call. */
const tokenUsage = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  cached_input_tokens: count,
  cached_write_tokens: count,
  reasoning_tokens: count,
});

const modelEndpoint = z.looseObject({ provider: text, model: text, base_url: text, unload_api: text });

/** One message of a conversation. Its other fields are the agent's own. */
const chatMessage = z.looseObject({ role: text, content: z.unknown().optional() });

/** The wire input of every event. No field is required; `serializeInput` adds the mandatory ones. */
export const hookInput = z
  .looseObject({
    prompt_file: newer.describe("The text of a prompt file, as `{path?, content}`."),
    skill: newer.describe("The text of a skill, as `{name, source, path?, content}`."),
    session_id: text,
    cwd: text,
    hook_event_name: text,
    agent_name: text,
    model_id: text,
    iteration: count,
    invocation_id: newer.describe("The run of an agent that a control event belongs to."),
    step_id: newer.describe("The step of that run."),
    input: newer.describe("The user's request, kept through all steps."),
    previous_output: newer.describe("The answer of the last completed step."),
    output: newer.describe("The answer that an agent completed."),
    conversation: newer.describe("Earlier visible messages, oldest first, as `[{role, content}]`."),
    last_user_message: text,
    tool_category: text,
    tool_name: text,
    tool_use_id: text,
    tool_input: z.record(z.string(), z.unknown()).nullish(),
    tool_read_only: z.boolean().nullish(),
    safety_policy: text,
    safety_label: text,
    tool_response: z.unknown().optional(),
    tool_error: z.boolean().nullish(),
    messages: z.array(chatMessage).nullish(),
    source: text,
    reason: text,
    stop_response: text,
    prompt: text,
    steering_messages: z.array(z.string()).nullish(),
    parent_session_id: text,
    notification_level: text,
    notification_message: text,
    from_agent: text,
    to_agent: text,
    agent_switch_kind: text,
    from_agent_models: z.array(modelEndpoint).nullish(),
    previous_max_iterations: count,
    new_max_iterations: count,
    approval_decision: text,
    approval_source: text,
    usage: tokenUsage.nullish(),
    cost: z.number().nullish(),
    input_tokens: count,
    output_tokens: count,
    context_limit: count,
    compaction_reason: text,
    summary: text,
    worktree_path: text,
    worktree_branch: text,
    worktree_source_dir: text,
  })
  .meta({ id: "HookInput", description: "What an agent says when an event fires. Unknown fields are kept." });
export type HookInput = z.infer<typeof hookInput>;

const KNOWN_FIELDS = Object.keys(hookInput.shape);
const KNOWN = new Set(KNOWN_FIELDS);
/** Sent even when empty. */
const ALWAYS = new Set(["session_id", "cwd", "hook_event_name"]);
/** Fields whose zero value has a meaning: a free call, an empty answer, a count of 0. */
const ZERO_IS_SAID = new Set(["cost", "usage", "tool_response"]);
const COUNTERS = ["input_tokens", "output_tokens", "cached_input_tokens", "cached_write_tokens"] as const;

/**
 * The input as a hook reads it on stdin: compact JSON, known fields in declaration order, then the unknown ones.
 *
 * Shape: known fields at their zero value are left out, except the three that are always there, a cost of 0, usage
 * counters and an empty tool response.
 * Errors: throws what JSON.stringify throws (a cycle); the executor turns that into a failure.
 */
export function serializeInput(input: HookInput): string {
  return printExactJson(wireInput(input));
}

/** The same as an object. */
export function wireInput(input: HookInput): Record<string, unknown> {
  const wire: Record<string, unknown> = {};
  for (const field of KNOWN_FIELDS) {
    const value =
      field === "usage" ? wireUsage(input.usage) : field === "from_agent_models" ? wireModels(input) : input[field];
    if (ALWAYS.has(field)) wire[field] = value ?? "";
    else if (value === undefined || value === null) continue;
    else if (ZERO_IS_SAID.has(field) || !isZero(value)) wire[field] = value;
  }
  for (const [field, value] of Object.entries(input)) {
    if (!KNOWN.has(field)) Object.defineProperty(wire, field, { value, enumerable: true });
  }
  return wire;
}

function isZero(value: unknown): boolean {
  if (value === "" || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function wireUsage(usage: HookInput["usage"]): unknown {
  if (!usage) return undefined;
  const { reasoning_tokens, ...rest } = usage;
  const counted = Object.fromEntries(COUNTERS.map((counter) => [counter, usage[counter] ?? 0]));
  return { ...counted, ...rest, ...counted, ...(reasoning_tokens ? { reasoning_tokens } : {}) };
}

function wireModels(input: HookInput): unknown {
  return input.from_agent_models?.map((model) =>
    Object.fromEntries(Object.entries(model).filter(([, value]) => value !== "" && value !== null)),
  );
}
