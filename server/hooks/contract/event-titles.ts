/** The display titles of the events. Wire names stay in texts that users write: YAML, filters, requests. */
import type { EventName } from "./events.ts";

const EVENT_TITLES: Readonly<Record<EventName, string>> = {
  session_start: "Session start",
  user_prompt_submit: "Prompt sent",
  user_steering_messages_submit: "Steering messages sent",
  user_followup_submit: "Follow-up sent",
  before_agent_run: "Before an agent runs",
  prompt_file_guard: "Check of a prompt file",
  turn_start: "Turn start",
  before_llm_call: "Before a model call",
  after_llm_call: "After a model call",
  turn_end: "Turn end",
  stop: "Model finished",
  after_agent_complete: "Agent completed",
  session_end: "Session end",
  skill_content_guard: "Check of a skill",
  tool_input_transform: "Before a tool call is judged",
  tool_guard: "Mandatory check of a tool call",
  pre_tool_use: "Before a tool runs",
  permission_request: "Before a person is asked",
  on_tool_approval_decision: "Final decision on a tool call",
  tool_response_transform: "Before a tool response is read",
  post_tool_use: "After a tool runs",
  pre_compact: "Compaction requested",
  before_compaction: "Before a compaction",
  after_compaction: "After a compaction",
  subagent_stop: "Sub-agent finished",
  on_agent_switch: "Agent switch",
  on_user_input: "Waiting for a person",
  on_max_iterations: "Iteration limit reached",
  on_session_resume: "Resumed past the iteration limit",
  notification: "Notification",
  on_error: "Error",
  worktree_create: "Worktree created",
};

/** The title of an event; the name itself for an unknown event. */
export const eventTitle = (event: string): string =>
  Object.hasOwn(EVENT_TITLES, event) ? EVENT_TITLES[event as EventName] : event; // holds: an own key of the table
