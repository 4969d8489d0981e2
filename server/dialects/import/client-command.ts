/**
 * Wraps a client's hook command: the script reads the policy's input with the client's field names, and its answer is renamed to
 * the policy's. In the answer, only JSON key names change. A name inside a string is never changed, because a quote in a string
 * follows a backslash.
 */
import { contractOf, type EventName, WIDEST_PROFILE } from "@quarterdeck/hooks/contract/events";
import { type ClientFields, clientInput } from "./client-input.ts";

export interface ClientCommand {
  readonly command: string;
  readonly clientEvent: string;
  readonly event: EventName;
  readonly isNested: boolean;
  readonly fields: ClientFields;
  /** True if another run of the script does the rewrite. Then an answer with a rewrite counts as empty here. */
  readonly leavesRewriting: boolean;
  readonly projectVariable: string | undefined;
  /** An argument of the call that the script expects at the top of its input. */
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
  // On an event that cannot block, a failure is only reported.
  const failed = contractOf(event, WIDEST_PROFILE).canBlock ? "exit 2" : "exit 1";
  const isVerdict = contractOf(event, WIDEST_PROFILE).decides;
  const answer = [
    ...[...ANSWER_KEYS, ...(isNested ? [] : isVerdict ? FLAT_KEYS : STOP_KEYS)].map(renamed),
    // Keys without meaning in a policy.
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

/** For answers without a nested level: moves verdicts and context to the level where a policy reads them. */
function wrapping(event: EventName): string[] {
  const { decides, addsContext, canBlock } = contractOf(event, WIDEST_PROFILE);
  if (!decides && !(addsContext && !canBlock)) return [];
  return [
    `    case $answer in *'"hook_specific_output"'*) ;; *) answer="{\\"hook_specific_output\\":$answer}" ;; esac`,
  ];
}

/**
 * Copies the argument to the top level, where the script reads it. A call with a repeated argument, or one that is not a string,
 * is refused.
 */
function raising(field: string): string[] {
  const times = (text: string) => `$(printf '%s\\n' "$input" | grep -o '"${field}":${text}' | grep -c .)`;
  return [
    // With a list, a deeper string would be judged instead.
    `[ ${times("")},${times('"')} = 1,1 ] || { echo "The call has no single ${field} and cannot be judged, so it is refused." >&2; exit 2; }`,
    `input=$(printf '%s\\n' "$input" | sed -E -e 's/"tool_input":\\{(.*)"${field}":"(([^"\\\\]|\\\\.)*)"/"${field}":"\\2","tool_input":{\\1"${field}":"\\2"/') || exit 2`,
  ];
}
