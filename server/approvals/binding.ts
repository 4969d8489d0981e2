/** Binds an approval to one exact call. */
import canonicalize from "canonicalize";
import { sha256 } from "../platform/secrets.ts";
import { indexKeyText } from "../recording/index.ts";

/** Keys of a tool's input that only comment on it, and differ from call to call. */
const COMMENTS: Readonly<Record<string, readonly string[]>> = {
  Bash: ["description"],
  shell: ["description"],
  run_shell_command: ["description"],
};

export interface CallBinding {
  readonly sessionId: string;
  readonly toolName: string;
  /** SHA-256 of the RFC 8785 text of the input as the client sent it, unmasked, without comments. */
  readonly inputSha256: Buffer;
}

export function bindingOf(call: {
  readonly session_id?: unknown;
  readonly tool_name?: unknown;
  readonly tool_input?: unknown;
}): CallBinding {
  const toolName = textOf(call.tool_name);
  return {
    sessionId: indexKeyText(textOf(call.session_id)),
    toolName: indexKeyText(toolName),
    inputSha256: inputSha256(toolName, call.tool_input),
  };
}

export function inputSha256(toolName: string, input: unknown): Buffer {
  const comments = Object.hasOwn(COMMENTS, toolName) ? (COMMENTS[toolName] ?? []) : [];
  const entries = typeof input === "object" && input !== null ? Object.entries(input) : [];
  const bound = Object.fromEntries(entries.filter(([key]) => !comments.includes(key)));
  return sha256(canonicalize(bound) ?? "{}");
}

/** False when parsers may round a number of it, so that two different inputs would look equal: 2^53 + 1, or 1e999. */
export function hasExactNumbers(value: unknown): boolean {
  if (typeof value === "bigint") return false;
  if (typeof value === "number") return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(hasExactNumbers);
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
