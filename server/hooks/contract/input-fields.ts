/**
 * The wire input fields that each event carries, with a sample value for each. Forms ask for these fields and start with these
 * values. The schema is in input.ts; an agent may send other fields as well.
 */
import type { EventName } from "./events.ts";
import type { HookInput } from "./input.ts";

export type InputField = Extract<keyof typeof SAMPLE_VALUES, string>;

const ID = "call_7f3a";
/** A plausible value for each known field. */
const SAMPLE_VALUES = {
  prompt_file: { path: "/home/dev/project/AGENTS.md", content: "Run the tests before each commit." },
  skill: {
    name: "release-notes",
    source: "local",
    path: "/home/dev/skills/release-notes/SKILL.md",
    content: "List the changes.",
  },
  session_id: "session-1",
  cwd: "/home/dev/project",
  agent_name: "root",
  model_id: "openai/gpt-4o-mini",
  iteration: 1,
  invocation_id: "invocation-1",
  step_id: "step-1",
  input: "Clean up the build folder.",
  previous_output: "The folder holds 1,204 files.",
  output: "The build folder is clean.",
  conversation: [{ role: "user", content: "What is in the build folder?" }],
  last_user_message: "Clean up the build folder.",
  tool_category: "shell",
  tool_name: "shell",
  tool_use_id: ID,
  tool_input: { cmd: "ls -la", cwd: "." } as Record<string, unknown>,
  tool_read_only: true,
  safety_policy: "balanced",
  safety_label: "moderate",
  tool_response: "total 8\nREADME.md\nsrc",
  tool_error: true,
  messages: [
    { role: "system", content: "You are a careful engineer." },
    { role: "user", content: "Clean up the build folder." },
  ],
  source: "startup",
  reason: "normal",
  stop_response: "The build folder is clean.",
  prompt: "Clean up the build folder.",
  steering_messages: ["Leave the caches alone."],
  parent_session_id: "session-0",
  notification_level: "warning",
  notification_message: "Maximum iterations reached (10)",
  from_agent: "root",
  to_agent: "reviewer",
  agent_switch_kind: "transfer_task",
  from_agent_models: [{ provider: "openai", model: "gpt-4o-mini" }],
  previous_max_iterations: 10,
  new_max_iterations: 20,
  approval_decision: "allow",
  approval_source: "user_approved",
  usage: { input_tokens: 1_200, output_tokens: 180, cached_input_tokens: 0, cached_write_tokens: 0 },
  cost: 0.0042,
  input_tokens: 96_000,
  output_tokens: 4_000,
  context_limit: 128_000,
  compaction_reason: "threshold",
  summary: "The build folder was cleaned; tests pass.",
  worktree_path: "/home/dev/project-worktrees/fix-build",
  worktree_branch: "fix-build",
  worktree_source_dir: "/home/dev/project",
} as const satisfies Partial<HookInput>;

const COMMON = ["session_id", "cwd", "agent_name"] as const;
const TOOL = ["tool_name", "tool_use_id", "tool_input"] as const;
const GATE = [...TOOL, "safety_policy", "tool_category", "tool_read_only"] as const;
const RESPONSE = [...TOOL, "tool_response", "tool_error", "tool_category"] as const;
const TOKENS = ["input_tokens", "output_tokens", "context_limit", "compaction_reason"] as const;
const NOTICE = ["notification_level", "notification_message"] as const;

const STEP = ["invocation_id", "step_id", "input", "previous_output", "conversation"] as const;

const OWN = {
  session_start: ["source"],
  user_prompt_submit: ["prompt"],
  user_steering_messages_submit: ["steering_messages"],
  user_followup_submit: ["prompt"],
  before_agent_run: STEP,
  prompt_file_guard: ["source", "prompt_file"],
  turn_start: [],
  before_llm_call: ["model_id", "iteration", "messages"],
  after_llm_call: ["model_id", "stop_response", "last_user_message", "usage", "cost"],
  turn_end: ["reason"],
  stop: ["stop_response", "last_user_message"],
  after_agent_complete: [...STEP, "output"],
  session_end: ["reason"],
  skill_content_guard: ["skill"],
  tool_input_transform: GATE,
  tool_guard: GATE,
  pre_tool_use: GATE,
  permission_request: GATE,
  on_tool_approval_decision: [...TOOL, "approval_decision", "approval_source", "safety_label"],
  tool_response_transform: RESPONSE,
  post_tool_use: RESPONSE,
  pre_compact: ["source"],
  before_compaction: TOKENS,
  after_compaction: [...TOKENS, "summary"],
  subagent_stop: ["parent_session_id", "stop_response"],
  on_agent_switch: ["from_agent", "to_agent", "agent_switch_kind", "from_agent_models"],
  on_user_input: [],
  on_max_iterations: NOTICE,
  on_session_resume: ["previous_max_iterations", "new_max_iterations"],
  notification: NOTICE,
  on_error: NOTICE,
  worktree_create: ["worktree_path", "worktree_branch", "worktree_source_dir"],
} as const satisfies Record<EventName, readonly InputField[]>;

/** The fields of an event's input: the common ones, then its own, in reading order. */
export function inputFields(event: EventName): readonly InputField[] {
  return [...COMMON, ...OWN[event]];
}

/** The fields that agents send least often. A sample omits them. */
const RARE: ReadonlySet<InputField> = new Set(["tool_error", "tool_read_only", "safety_policy", "tool_category"]);
/** The sample values of an event that differ from the usual ones. */
const DIFFERS: Partial<Record<EventName, Partial<HookInput>>> = {
  prompt_file_guard: { source: "loaded" },
  pre_compact: { source: "auto" },
  session_end: { reason: "stream_ended" },
  on_error: { notification_level: "error", notification_message: "The model did not answer." },
  worktree_create: { session_id: "", cwd: "/home/dev/project-worktrees/fix-build" },
};

/** Sample calls of docker-agent's own tools, and one of an MCP server. */
export const SAMPLE_TOOL_CALLS = {
  shell: { tool_name: "shell", tool_input: { cmd: "rm -rf build", cwd: "." } },
  edit_file: {
    tool_name: "edit_file",
    tool_input: { path: "src/app.ts", edits: [{ oldText: "debug = true", newText: "debug = false" }] },
  },
  write_file: { tool_name: "write_file", tool_input: { path: "notes.md", content: "Release on Friday.\n" } },
  read_file: { tool_name: "read_file", tool_input: { path: "README.md" } },
  fetch: { tool_name: "fetch", tool_input: { urls: ["https://example.com/"], format: "text" } },
  mcp: { tool_name: "mcp__github__create_issue", tool_input: { owner: "acme", repo: "shop", title: "Build fails" } },
} as const satisfies Record<string, Pick<HookInput, "tool_name" | "tool_input">>;
export type SampleToolCallName = keyof typeof SAMPLE_TOOL_CALLS;
export const SAMPLE_TOOL_CALL_NAMES = Object.keys(SAMPLE_TOOL_CALLS) as SampleToolCallName[]; // holds: its own keys

/** A sample input of the event, without `hook_event_name`, which a dispatch adds. `preset` applies to events about a tool. */
export function sampleInput(event: EventName, preset: SampleToolCallName = "shell"): HookInput {
  const fields = inputFields(event).filter((field) => !RARE.has(field));
  const sample = Object.fromEntries(fields.map((field) => [field, SAMPLE_VALUES[field]]));
  const tool = fields.includes("tool_name") ? SAMPLE_TOOL_CALLS[preset] : {};
  return { ...sample, ...tool, ...DIFFERS[event] };
}
