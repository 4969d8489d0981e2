/** Arguments that are a single string, such as the patch of Copilot's `apply_patch`. Hooks read them as an object with one field. */
import { toolKindOf } from "@quarterdeck/hooks/contract/tool-kinds";

const SHELL_FIELD = "command";
const OTHER_FIELD = "input";

/**
 * True for a string that is not JSON. A blank string or one that starts an object or a list does not count: a damaged object must
 * not pass as text.
 */
export function isRawText(value: unknown): value is string {
  return typeof value === "string" && /^\s*[^\s{[]/.test(value);
}

/** The arguments in the form that hooks read: the command of a shell, or the input of another tool. */
export function argumentsOfRawText(tool: string | undefined, text: string): Readonly<Record<string, string>> {
  const isShell = tool !== undefined && toolKindOf(tool) === "shell";
  return { [isShell ? SHELL_FIELD : OTHER_FIELD]: text };
}

/** The text of a rewrite; null if the rewrite has no text or more than one field. */
export function rawTextOf(rewritten: Readonly<Record<string, unknown>>): string | null {
  const [field, ...more] = Object.entries(rewritten);
  if (!field || more.length > 0) return null;
  const [name, text] = field;
  const isOwn = name === SHELL_FIELD || name === OTHER_FIELD;
  return isOwn && typeof text === "string" && text.trim() !== "" ? text : null;
}
