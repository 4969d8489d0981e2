/** The input fields that a template can use: Go's field names, types and meanings. Rendering and completion read this table. */
import type { EventName } from "./events.ts";
import { inputFields } from "./input-fields.ts";
import type { Profile } from "./profiles.ts";

export const FIELD_TYPES = {
  text: "string",
  eventType: "hooks.EventType",
  role: "chat.MessageRole",
  int: "int",
  int64: "int64",
  bool: "bool",
  texts: "[]string",
  map: "map[string]any",
  jsonValue: "any",
  cost: "*float64",
  usage: "*chat.Usage",
  messages: "[]chat.Message",
  endpoints: "[]hooks.ModelEndpoint",
  promptFile: "*hooks.PromptFile",
  skill: "*hooks.Skill",
  conversation: "[]hooks.ConversationMessage",
  bytes: "[]byte",
  boolPointer: "*bool",
  float: "float64",
  finishReason: "chat.FinishReason",
  parts: "[]chat.MessagePart",
  partType: "chat.MessagePartType",
  imageUrl: "*chat.MessageImageURL",
  imageDetail: "chat.ImageURLDetail",
  file: "*chat.MessageFile",
  document: "*chat.Document",
  documentSource: "chat.DocumentSource",
  functionCall: "tools.FunctionCall",
  functionCallPointer: "*tools.FunctionCall",
  toolCalls: "[]tools.ToolCall",
  toolType: "tools.ToolType",
  tools: "[]tools.Tool",
  annotations: "tools.ToolAnnotations",
} as const;
export type FieldType = keyof typeof FIELD_TYPES;

export interface TemplateField {
  /** The name in a template: `ToolName`. */
  readonly name: string;
  /** The name in JSON: `tool_name`. */
  readonly key: string;
  readonly type: FieldType;
  readonly says: string;
  /** True if JSON includes it even at its zero value. */
  readonly always?: true;
  /** The first profile whose templates know it. */
  readonly since?: Profile;
}

/** The fields of the events that profile 2026-11 added. */
const NEWER_FIELDS: readonly TemplateField[] = (
  [
    { name: "PromptFile", key: "prompt_file", type: "promptFile", says: "The prompt file whose text is checked." },
    { name: "Skill", key: "skill", type: "skill", says: "The skill whose text is checked." },
    { name: "InvocationID", key: "invocation_id", type: "text", says: "The run of the agent." },
    { name: "StepID", key: "step_id", type: "text", says: "The step of that run." },
    { name: "TaskInput", key: "input", type: "text", says: "The user's request, kept through all steps." },
    { name: "PreviousOutput", key: "previous_output", type: "text", says: "The answer of the last completed step." },
    { name: "Output", key: "output", type: "text", says: "The answer that the agent completed." },
    { name: "Conversation", key: "conversation", type: "conversation", says: "Earlier messages, oldest first." },
  ] as const
).map((field) => ({ ...field, since: "2026-11" }));

export const INPUT_FIELDS: readonly TemplateField[] = [
  { name: "SessionID", key: "session_id", type: "text", says: "The session the event belongs to.", always: true },
  { name: "Cwd", key: "cwd", type: "text", says: "The directory the agent works in.", always: true },
  { name: "HookEventName", key: "hook_event_name", type: "eventType", says: "The event: pre_tool_use.", always: true },
  { name: "AgentName", key: "agent_name", type: "text", says: "The agent's name." },
  {
    name: "ModelID",
    key: "model_id",
    type: "text",
    says: "The model that is about to be called, or was.",
  },
  {
    name: "Iteration",
    key: "iteration",
    type: "int",
    says: "The number of the model call in this run, from 1.",
  },
  {
    name: "LastUserMessage",
    key: "last_user_message",
    type: "text",
    says: "What the person said last.",
  },
  {
    name: "ToolCategory",
    key: "tool_category",
    type: "text",
    says: "The kind of tool, when the agent knows it.",
  },
  { name: "ToolName", key: "tool_name", type: "text", says: "The tool that is called." },
  { name: "ToolUseID", key: "tool_use_id", type: "text", says: "The id of this one call." },
  {
    name: "ToolInput",
    key: "tool_input",
    type: "map",
    says: "The arguments of the call. A key is read as .ToolInput.key.",
  },
  {
    name: "ToolReadOnly",
    key: "tool_read_only",
    type: "bool",
    says: "The tool says that it changes nothing.",
    since: "2026-08",
  },
  {
    name: "SafetyPolicy",
    key: "safety_policy",
    type: "text",
    says: "The session's safety mode, when it has one.",
  },
  {
    name: "SafetyLabel",
    key: "safety_label",
    type: "text",
    says: "How the safety mode rated the call.",
    since: "2026-08",
  },
  { name: "ToolResponse", key: "tool_response", type: "jsonValue", says: "What the tool answered." },
  { name: "ToolError", key: "tool_error", type: "bool", says: "The tool failed." },
  {
    name: "Messages",
    key: "messages",
    type: "messages",
    says: "The whole conversation that is about to be sent.",
  },
  { name: "Source", key: "source", type: "text", says: "What began it." },
  { name: "Reason", key: "reason", type: "text", says: "Why it ended." },
  {
    name: "StopResponse",
    key: "stop_response",
    type: "text",
    says: "What the model said last.",
  },
  {
    name: "Prompt",
    key: "prompt",
    type: "text",
    says: "What the person wrote.",
  },
  {
    name: "SteeringMessages",
    key: "steering_messages",
    type: "texts",
    says: "Messages that were sent while the agent worked.",
  },
  {
    name: "ParentSessionID",
    key: "parent_session_id",
    type: "text",
    says: "The session that started this one.",
  },
  { name: "NotificationLevel", key: "notification_level", type: "text", says: "error or warning." },
  {
    name: "NotificationMessage",
    key: "notification_message",
    type: "text",
    says: "What went wrong, in words.",
  },
  {
    name: "FromAgent",
    key: "from_agent",
    type: "text",
    says: "The agent that hands over.",
  },
  { name: "ToAgent", key: "to_agent", type: "text", says: "The agent that takes over." },
  {
    name: "AgentSwitchKind",
    key: "agent_switch_kind",
    type: "text",
    says: "How the work moved.",
  },
  {
    name: "FromAgentModels",
    key: "from_agent_models",
    type: "endpoints",
    says: "The models of the agent that hands over.",
  },
  {
    name: "PreviousMaxIterations",
    key: "previous_max_iterations",
    type: "int",
    says: "The limit that was reached.",
  },
  {
    name: "NewMaxIterations",
    key: "new_max_iterations",
    type: "int",
    says: "The limit from now on.",
  },
  {
    name: "ApprovalDecision",
    key: "approval_decision",
    type: "text",
    says: "allow, deny or canceled.",
  },
  {
    name: "ApprovalSource",
    key: "approval_source",
    type: "text",
    says: "Who or what settled it.",
  },
  {
    name: "Usage",
    key: "usage",
    type: "usage",
    says: "Tokens of the call; nil when unknown.",
  },
  {
    name: "Cost",
    key: "cost",
    type: "cost",
    says: "Dollars of the call; nil when unpriced.",
  },
  { name: "InputTokens", key: "input_tokens", type: "int64", says: "Tokens of the input." },
  { name: "OutputTokens", key: "output_tokens", type: "int64", says: "Tokens of the output." },
  {
    name: "ContextLimit",
    key: "context_limit",
    type: "int64",
    says: "The model's context, in tokens.",
  },
  {
    name: "CompactionReason",
    key: "compaction_reason",
    type: "text",
    says: "threshold, overflow or manual.",
  },
  {
    name: "Summary",
    key: "summary",
    type: "text",
    says: "What the conversation was made into.",
  },
  {
    name: "WorktreePath",
    key: "worktree_path",
    type: "text",
    says: "Where the working copy is.",
  },
  { name: "WorktreeBranch", key: "worktree_branch", type: "text", says: "Its branch." },
  {
    name: "WorktreeSourceDir",
    key: "worktree_source_dir",
    type: "text",
    says: "What it was made from.",
  },
  ...NEWER_FIELDS,
];
export const USAGE_FIELDS: readonly TemplateField[] = [
  { name: "InputTokens", key: "input_tokens", type: "int64", says: "Tokens of the input.", always: true },
  { name: "OutputTokens", key: "output_tokens", type: "int64", says: "Tokens of the output.", always: true },
  {
    name: "CachedInputTokens",
    key: "cached_input_tokens",
    type: "int64",
    says: "Tokens read from a cache.",
    always: true,
  },
  {
    name: "CacheWriteTokens",
    key: "cached_write_tokens",
    type: "int64",
    says: "Tokens written to a cache.",
    always: true,
  },
  { name: "ReasoningTokens", key: "reasoning_tokens", type: "int64", says: "Tokens of reasoning, part of output." },
];
export const PROMPT_FILE_FIELDS: readonly TemplateField[] = [
  { name: "Path", key: "path", type: "text", says: "Where the file is." },
  { name: "Content", key: "content", type: "text", says: "The text to check." },
];
export const SKILL_FIELDS: readonly TemplateField[] = [
  { name: "Name", key: "name", type: "text", says: "The skill's name." },
  { name: "Source", key: "source", type: "text", says: "local, remote or inline." },
  { name: "Path", key: "path", type: "text", says: "Where the skill is." },
  { name: "Content", key: "content", type: "text", says: "The text to check." },
];
export const CONVERSATION_FIELDS: readonly TemplateField[] = [
  { name: "Role", key: "role", type: "text", says: "Who wrote the message." },
  { name: "Content", key: "content", type: "text", says: "The text of the message." },
];
export const ENDPOINT_FIELDS: readonly TemplateField[] = [
  { name: "Provider", key: "provider", type: "text", says: "The provider." },
  { name: "Model", key: "model", type: "text", says: "The model." },
  { name: "BaseURL", key: "base_url", type: "text", says: "Where it is asked." },
  { name: "UnloadAPI", key: "unload_api", type: "text", says: "How it is unloaded." },
];

/** The fields that an event's input has in templates. Other fields exist but are empty. */
export function fieldsOn(event: EventName): TemplateField[] {
  const carried: ReadonlySet<string> = new Set(["hook_event_name", ...inputFields(event)]);
  return INPUT_FIELDS.filter(({ key }) => carried.has(key));
}
