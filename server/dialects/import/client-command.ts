/**
 * A client's hook command inside of one that speaks for it: the script reads the policy's input in the client's words, and its
 * answer is renamed to the policy's words. In the answer only names of keys in JSON change. A name is never inside of a text there,
 * because a quote in a text has a backslash before it.
 */
import { contractOf, type EventName, WIDEST_PROFILE } from "@quarterdeck/hooks/contract/events";
import { type ClientFields, clientInput } from "./client-input.ts";

export interface ClientCommand {
  readonly command: string;
  readonly clientEvent: string;
  readonly event: EventName;
  readonly isNested: boolean;
  readonly fields: ClientFields;
  /** Another run of the script rewrites the call: an answer with a rewriting says nothing here. */
  readonly leavesRewriting: boolean;
  readonly projectVariable: string | undefined;
  /** An argument of the call that the script reads at the top of its input. */
  readonly raisedField: string | undefined;
}

/** Answers of Claude Code, Codex and Copilot. */
const ANSWER_KEYS: readonly (readonly [string, string])[] = [
  ["hookSpecificOutput", "hook_specific_output"],
  ["permissionDecisionReason", "permission_decision_reason"],
  ["permissionDecision", "permission_decision"],
  ["updatedInput", "updated_input"],
  ["modifiedArgs", "updated_input"],
  ["additionalContext", "additional_context"],
  ["stopReason", "stop_reason"],
  ["systemMessage", "system_message"],
  ["hookEventName", "hook_event_name"],
];
/** Answers of Cursor. */
const FLAT_KEYS: readonly (readonly [string, string])[] = [
  ["permission", "permission_decision"],
  ["user_message", "permission_decision_reason"],
  ["agent_message", "permission_decision_reason"],
];

const renamed = ([from, to]: readonly [string, string]) => `-e 's/"${from}"\\([[:space:]]*\\):/"${to}"\\1:/g'`;

export function clientCommand(options: ClientCommand): string {
  const { command, clientEvent, event, isNested, fields, leavesRewriting, projectVariable, raisedField } = options;
  // A failure on an event that stops nothing is only reported.
  const failed = contractOf(event, WIDEST_PROFILE).canBlock ? "exit 2" : "exit 1";
  const isVerdict = contractOf(event, WIDEST_PROFILE).decides;
  const answer = [
    ...[...ANSWER_KEYS, ...(isNested ? [] : isVerdict ? FLAT_KEYS : STOP_KEYS)].map(renamed),
    // Words that say nothing here.
    `-e 's/"hook_event_name"\\([[:space:]]*\\):[[:space:]]*"${clientEvent}"/"hook_event_name":"${event}"/g'`,
    `-e 's/"suppressOutput"[[:space:]]*:[[:space:]]*true/"suppress_output":false/g'`,
    `-e 's/"suppressOutput"/"suppress_output"/g'`,
    `-e 's/"decision"[[:space:]]*:[[:space:]]*"approve"/"decision":""/g'`,
  ];
  return [
    ...(projectVariable ? [`export ${projectVariable}="\${${projectVariable}:-$PWD}"`] : []),
    ...clientInput(clientEvent, fields, failed),
    ...(raisedField ? raising(raisedField) : []),
    "answer=$(printf '%s\\n' \"$input\" | (",
    command,
    "))",
    "code=$?",
    "case $(printf '%s' \"$answer\" | tr -d '[:space:]') in",
    `  "{"*)`,
    `    answer=$(printf '%s\\n' "$answer" | sed ${answer.join(" ")}) || ${failed}`,
    ...(isNested ? [] : wrapping(event)),
    ...(leavesRewriting ? [`    case $answer in *'"updated_input"'*) answer= ;; esac`] : []),
    "    ;;",
    ...(contractOf(event, WIDEST_PROFILE).canBlock ? ["  *) answer= ;;"] : []),
    "esac",
    "printf '%s' \"$answer\"",
    "exit $code",
  ].join("\n");
}

const STOP_KEYS: readonly (readonly [string, string])[] = [["user_message", "stop_reason"]];

/** Answers without a level below: what they say of a call or of the context moves to where a policy looks. */
function wrapping(event: EventName): string[] {
  const { decides, addsContext, canBlock } = contractOf(event, WIDEST_PROFILE);
  if (!decides && !(addsContext && !canBlock)) return [];
  return [
    `    case $answer in *'"hook_specific_output"'*) ;; *) answer="{\\"hook_specific_output\\":$answer}" ;; esac`,
  ];
}

/** The argument is written a second time, where the script looks. A call that has it twice, or not as a text, is refused. */
function raising(field: string): string[] {
  const times = (text: string) => `$(printf '%s\\n' "$input" | grep -o '"${field}":${text}' | grep -c .)`;
  return [
    // A list would leave the text of a deeper one to be judged in its place.
    `[ ${times("")},${times('"')} = 1,1 ] || { echo "The call has no single ${field} and cannot be judged, so it is refused." >&2; exit 2; }`,
    `input=$(printf '%s\\n' "$input" | sed -E -e 's/"tool_input":\\{(.*)"${field}":"(([^"\\\\]|\\\\.)*)"/"${field}":"\\2","tool_input":{\\1"${field}":"\\2"/') || exit 2`,
  ];
}
