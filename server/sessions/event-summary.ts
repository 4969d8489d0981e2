/** A one-line summary of an event, from the beginning of its stored input. */
import { APPROVAL_SOURCES } from "@quarterdeck/hooks/contract/approval-sources";
import type { EventName } from "@quarterdeck/hooks/contract/events";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { MAIN_ARGUMENTS } from "../recording/index.ts";
import { createFieldReader, type FieldReader, objectText } from "./input-beginning.ts";
import { SWITCH_KINDS, TURN_ENDS, wordIn } from "./word-schema.ts";

type EventLine = (input: string) => string;

/** A line from the fields `names`. */
function fieldsLine(names: readonly string[], say: (of: FieldReader) => string): EventLine {
  const reader = createFieldReader(names);
  return (input) => say(reader(input));
}
const fieldLine = (name: string): EventLine => fieldsLine([name], (of) => of(name));

const mainArguments = createFieldReader(MAIN_ARGUMENTS);

/** The argument of a tool call that a person reads first, else the beginning of all. */
function argumentLine(input: string): string {
  const text = objectText(input, "tool_input");
  const of = mainArguments(text);
  return MAIN_ARGUMENTS.map(of).find((value) => value !== "") ?? (text === "{}" ? "" : text);
}

const APPROVAL_SOURCE_LABELS = Object.fromEntries(
  Object.entries(APPROVAL_SOURCES).map(([source, { label }]) => [source, label]),
);
/** The label of an approval source; an unknown source is its own label. */
const sourceLabel = (source: string): string => wordIn(APPROVAL_SOURCE_LABELS, source).replaceAll("_", " ");

const approvalSource = createFieldReader(["approval_source"]);
function approvalLine(input: string): string {
  const source = approvalSource(input)("approval_source");
  return joined(" · ", argumentLine(input), sourceLabel(source));
}

const messageLine = fieldLine("notification_message");
const responseLine = fieldLine("tool_response");
const answerLine = fieldLine("stop_response");
const agentLine = fieldsLine(["agent_name"], (of) => of("agent_name") && `agent ${of("agent_name")}`);
/** Other columns of the row say it. */
const FROM_COLUMNS = null;

/** The line of each event. */
const LINES: Readonly<Record<EventName, EventLine | null>> = {
  session_start: FROM_COLUMNS,
  user_prompt_submit: fieldLine("prompt"),
  user_steering_messages_submit: fieldLine("steering_messages"),
  user_followup_submit: fieldLine("prompt"),
  before_agent_run: fieldLine("input"),
  prompt_file_guard: fieldsLine(["path", "source"], (of) =>
    joined(", ", of("path") || "a text without a path", wordIn(CHECKED_TEXTS, of("source"))),
  ),
  turn_start: agentLine,
  before_llm_call: FROM_COLUMNS,
  after_llm_call: FROM_COLUMNS,
  turn_end: FROM_COLUMNS,
  stop: answerLine,
  after_agent_complete: fieldLine("output"),
  session_end: FROM_COLUMNS,
  skill_content_guard: fieldsLine(["name", "source", "path"], (of) =>
    joined(", ", of("name"), of("source") && `${of("source")} skill`, of("path")),
  ),
  tool_input_transform: argumentLine,
  tool_guard: argumentLine,
  pre_tool_use: argumentLine,
  permission_request: argumentLine,
  on_tool_approval_decision: approvalLine,
  tool_response_transform: responseLine,
  post_tool_use: responseLine,
  pre_compact: FROM_COLUMNS,
  before_compaction: FROM_COLUMNS,
  after_compaction: fieldLine("summary"),
  subagent_stop: answerLine,
  on_agent_switch: fieldsLine(["from_agent", "to_agent", "agent_switch_kind"], switchWords),
  on_user_input: agentLine,
  on_max_iterations: messageLine,
  on_session_resume: fieldsLine(["previous_max_iterations", "new_max_iterations"], resumeWords),
  notification: fieldsLine(["notification_level", "notification_message"], (of) =>
    joined(": ", of("notification_level"), of("notification_message")),
  ),
  on_error: messageLine,
  worktree_create: fieldsLine(["worktree_branch", "worktree_path", "worktree_source_dir"], worktreeWords),
};

/** Events whose line needs the beginning of their input. */
export const WORDED_EVENTS = Object.entries(LINES).flatMap(([event, line]) => (line === null ? [] : [event]));

/** "" if the input has no such field. */
export function wordsOf(event: string, input: string): string {
  const line = Object.hasOwn(LINES, event) ? LINES[event as EventName] : null; // holds: an own key of the table
  return line === null ? "" : oneLine(line(input));
}

const joined = (separator: string, ...parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join(separator);

/** The origins of a text of a prompt file; another word as the agent spelled it. */
const CHECKED_TEXTS: Readonly<Record<string, string>> = {
  loaded: "loaded from the file",
  stored: "stored in the session",
  update: "a change since it was loaded",
};

function switchWords(of: FieldReader): string {
  const [from, to, kind] = [of("from_agent"), of("to_agent"), of("agent_switch_kind")];
  if (from === "" && to === "") return "";
  return joined(": ", `${from} → ${to}`, wordIn(SWITCH_KINDS, kind));
}

function resumeWords(of: FieldReader): string {
  const [before, after] = [of("previous_max_iterations"), of("new_max_iterations")];
  return before === "" && after === "" ? "" : `iteration limit ${before || "unknown"} → ${after || "unknown"}`;
}

function worktreeWords(of: FieldReader): string {
  const [branch, path, source] = [of("worktree_branch"), of("worktree_path"), of("worktree_source_dir")];
  if (path === "") return "";
  return `${branch === "" ? "" : `branch ${branch} `}in ${path}${source === "" ? "" : `, made from ${source}`}`;
}

/** The reason of a `turn_end` in words. `blockedOn` is the title of the event whose hook stopped the turn, where it is known. */
export function turnEndWords(reason: string, blockedOn: string | null): string {
  const words = oneLine(wordIn(TURN_ENDS, reason));
  return reason === "hook_blocked" && blockedOn !== null ? `${words}: ${blockedOn}` : words;
}

/** At most `charactersMax` characters, no line breaks, cut between characters. */
export const oneLine = (text: string, charactersMax = 240): string =>
  truncateText(text.replace(/\s+/g, " ").trim(), charactersMax, "");
