import type { Diagnostic } from "@codemirror/lint";
import type { Text } from "@codemirror/state";
import type { Repair, TextFinding, TextProblem } from "@quarterdeck/hooks/contract/text/text-problems";
import { sentence } from "@/components/policies/check/sentence";
import { findingCard } from "@/components/policies/editor/finding-card";

/** The problems, warnings and advice for a text, as marks where they were found in it. */
export function diagnosticsOf(
  doc: Text,
  problems: readonly TextProblem[],
  findings: readonly TextFinding[],
  repair: (repair: Repair) => void,
): Diagnostic[] {
  return [
    ...problems.map(
      (problem): Diagnostic => ({
        ...placeIn(doc, problem),
        severity: "error",
        source: "Problem",
        message: sentence(problem.message),
      }),
    ),
    ...findings.map((finding): Diagnostic => {
      const { severity, message, rule, repair: offered } = finding;
      return {
        ...placeIn(doc, finding),
        severity: severity === "advice" ? "info" : severity,
        source: rule,
        message: sentence(message),
        renderMessage: () => findingCard(finding),
        ...(offered ? { actions: [{ name: offered.label, apply: () => repair(offered) }] } : {}),
      };
    }),
  ];
}

/** A place in a text that may have moved on since it was found: within its own line, and wide enough to be seen. */
function placeIn(doc: Text, { line, column, endLine, endColumn }: TextProblem): { from: number; to: number } {
  const { from, to, text } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const start = Math.min(from + column - 1, to);
  const end = endLine === line ? Math.min(from + endColumn - 1, to) : to;
  return end > start ? { from: start, to: end } : { from: from + (text.length - text.trimStart().length), to };
}
