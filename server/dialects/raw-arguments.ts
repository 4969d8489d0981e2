/** Arguments that are one text, such as the patch of Copilot's `apply_patch`. Hooks read them as an object with one field. */
import { toolKindOf } from "@quarterdeck/hooks/contract/tool-kinds";

const SHELL_FIELD = "command";
const OTHER_FIELD = "input";

/** A text that is not meant as JSON. A blank one and one that opens an object or a list are not: a damaged object is not read as text. */
export function isRawText(value: unknown): value is string {
  return typeof value === "string" && /^\s*[^\s{[]/.test(value);
}

/** The arguments as hooks read them: the command of a shell, the input of another tool. */
export function argumentsOfRawText(tool: string | undefined, text: string): Readonly<Record<string, string>> {
  const isShell = tool !== undefined && toolKindOf(tool) === "shell";
  return { [isShell ? SHELL_FIELD : OTHER_FIELD]: text };
}

/** The text of a rewriting; null when the rewriting says more than one text, or none. */
export function rawTextOf(rewritten: Readonly<Record<string, unknown>>): string | null {
  const [field, ...more] = Object.entries(rewritten);
  if (!field || more.length > 0) return null;
  const [name, text] = field;
  const isOwn = name === SHELL_FIELD || name === OTHER_FIELD;
  return isOwn && typeof text === "string" && text.trim() !== "" ? text : null;
}
