import type { Diagnostic } from "@codemirror/lint";
import type { Text } from "@codemirror/state";
import type { PolicyProblem } from "@/server/policies/schema";

/** Problems as marks in a text that may have moved on since they were found: each stays within its own line. */
export function diagnosticsOf(doc: Text, problems: readonly PolicyProblem[]): Diagnostic[] {
  return problems.map(({ line, column, endLine, endColumn, message }) => {
    const { from, to, text } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const start = Math.min(from + column - 1, to);
    const end = endLine === line ? Math.min(from + endColumn - 1, to) : to;
    // A mark without a width would not be seen.
    const wide = end > start ? { from: start, to: end } : { from: from + (text.length - text.trimStart().length), to };
    return { ...wide, severity: "error", message: sentence(message) };
  });
}

/** A problem as a person reads it: with a capital and a full stop. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}
