/** One line of what an event said, cut from the beginning of its stored input, which may end anywhere. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";

const TEXTS = ["prompt", "steering_messages", "notification_message"] as const;
const MEMBERS = [
  ...TEXTS,
  ...["from_agent", "to_agent", "agent_switch_kind"],
  ...["previous_max_iterations", "new_max_iterations"],
  ...["worktree_branch", "worktree_path", "worktree_source_dir"],
];
const MEMBER = new RegExp(
  String.raw`"(${MEMBERS.join("|")})":\s*(?:\[\s*)?("(?:[^"\\]|\\.){0,1200}"?|\d{1,15}(?=\s*[,}]))`,
  "g",
);

/** "" when the input says nothing of the kind. */
export function wordsOf(input: string): string {
  const said = new Map<string, string>();
  for (const [, name = "", text = ""] of input.matchAll(MEMBER))
    if (!said.has(name)) said.set(name, text.startsWith('"') ? unquoted(text) : text);
  const of = (name: string): string => said.get(name) ?? "";
  return oneLine(switchWords(of) || resumeWords(of) || worktreeWords(of) || TEXTS.map(of).find(Boolean) || "");
}

type Said = (name: string) => string;

/** The kind of a switch in words; one that is not in the table as the agent spelled it. */
const SWITCHES: Readonly<Record<string, string>> = {
  transfer_task: "a task is transferred",
  transfer_task_return: "a transferred task is done",
  handoff: "the conversation is handed off",
  force_handoff: "handed off as configured",
  route: "routed by a hook",
};

function switchWords(of: Said): string {
  const [from, to, kind] = [of("from_agent"), of("to_agent"), of("agent_switch_kind")];
  if (from === "" && to === "") return "";
  const how = Object.hasOwn(SWITCHES, kind) ? SWITCHES[kind] : kind;
  return `${from} → ${to}${how ? `: ${how}` : ""}`;
}

function resumeWords(of: Said): string {
  const [before, after] = [of("previous_max_iterations"), of("new_max_iterations")];
  return before === "" && after === "" ? "" : `iteration limit ${before || "unknown"} → ${after || "unknown"}`;
}

function worktreeWords(of: Said): string {
  const [branch, path, source] = [of("worktree_branch"), of("worktree_path"), of("worktree_source_dir")];
  if (path === "") return "";
  return `${branch === "" ? "" : `branch ${branch} `}in ${path}${source === "" ? "" : `, made from ${source}`}`;
}

/** The reason of a `turn_end` in words; one that is not in the table as the agent spelled it. */
const TURN_ENDS: Readonly<Record<string, string>> = {
  normal: "finished",
  continue: "goes on with the next turn",
  steered: "goes on with a person's message",
  error: "ended by an error",
  canceled: "canceled",
  hook_blocked: "stopped by a hook",
  loop_detected: "stopped: one call was repeated",
  budget_exceeded: "stopped at its budget",
  force_handoff: "handed off as configured",
};

/** `blockedOn` is the title of the event whose hook stopped the turn, where it is known. */
export function turnEndWords(reason: string, blockedOn: string | null): string {
  const words = (Object.hasOwn(TURN_ENDS, reason) ? TURN_ENDS[reason] : undefined) ?? oneLine(reason);
  return reason === "hook_blocked" && blockedOn !== null ? `${words}: ${blockedOn}` : words;
}

/** At most `charactersMax` characters, no line breaks, cut between characters. */
export const oneLine = (text: string, charactersMax = 240): string =>
  truncateText(text.replace(/\s+/g, " ").trim(), charactersMax, "");

function unquoted(text: string): string {
  const closed = text.length > 1 && text.endsWith('"') ? text : `${text.replace(/\\?$/, "")}"`;
  try {
    const value: unknown = JSON.parse(closed);
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}
