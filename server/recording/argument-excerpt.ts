/** The argument of a tool call that a person reads first, for one line of a list. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";

/** Version 2 knows the main arguments of all clients. Rows of decisions hold the excerpt. */
export const DECISION_RULE_VERSION = 2;

const EXCERPT_MAX = 240;
const LISTED_MAX = 20;

/**
 * The names of that argument in the tools of all clients, in the order in which they are read: a command, an address,
 * a search, a path, then a request to another agent. An argument may be a list.
 */
export const MAIN_ARGUMENTS = [
  ...["cmd", "command", "commands"],
  ...["url", "requests"],
  ...["query", "queries", "pattern"],
  ...["file_path", "filePath", "notebook_path", "path", "dir_path", "paths", "files"],
  ...["prompt", "message", "task", "subject", "description", "skill"],
] as const;

/** The members of a listed object that name it. */
const LISTED_MEMBERS = ["path", "file_path", "url"] as const;

/** The command, address, search, path or request; else all arguments as JSON. At most 240 characters. */
export function argumentExcerpt(toolInput: Readonly<Record<string, unknown>>): string {
  for (const key of MAIN_ARGUMENTS) {
    const text = textOf(toolInput[key], key === "commands" ? "\n" : " ");
    if (text !== "") return beginningOf(text);
  }
  const keys = Object.keys(toolInput);
  return keys.length === 0 ? "" : beginningOf(JSON.stringify(toolInput, cutLong));
}

export const beginningOf = (text: string): string => truncateText(text, EXCERPT_MAX, "");

function textOf(value: unknown, separator: string): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  const parts = value.slice(0, LISTED_MAX).map(listedText);
  // A list of other things is shown whole, as JSON.
  return parts.includes("") ? "" : parts.join(separator);
}

function listedText(item: unknown): string {
  if (typeof item === "string") return beginningOf(item);
  if (typeof item !== "object" || item === null) return "";
  const members = item as Readonly<Record<string, unknown>>; // holds: an object; its members are of unknown types
  const named = LISTED_MEMBERS.map((name) => members[name]).find((text) => typeof text === "string");
  return typeof named === "string" ? beginningOf(named) : "";
}

/** A text of megabytes is not printed for its first words. */
const cutLong = (_key: string, value: unknown): unknown =>
  typeof value === "string" && value.length > 2 * EXCERPT_MAX ? value.slice(0, 2 * EXCERPT_MAX) : value;
