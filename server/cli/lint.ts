import { BUILTIN_NAMES } from "@quarterdeck/hooks/contract/config";
import { isBlockingRule } from "@quarterdeck/hooks/contract/lint/blocking-rules";
import { GATE_ONLY_LABELS } from "@quarterdeck/hooks/contract/lint/rule";
import { NEWEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import { checkText } from "@quarterdeck/hooks/contract/text/check";
import type { TextFinding, TextProblem } from "@quarterdeck/hooks/contract/text/text-problems";
import { readPolicyFile, shownName } from "./policy-file.ts";
import { print, printError } from "./print.ts";
import { Refusal } from "./refusal.ts";

/** Here, without a server: every builtin and a model may be there, and nothing is known of the tools in use. */
const CHECK_CONTEXT = { equipment: { builtins: BUILTIN_NAMES, models: true, evaluators: true }, tools: [] };

/**
 * Prints each problem and finding of the YAML in `file` on a line. Errors: for problems and for gates that allow on
 * failure; also for warnings if `strict`.
 */
export async function lint(file: string, strict: boolean): Promise<void> {
  const { problems, findings } = checkText(await readPolicyFile(file), CHECK_CONTEXT);
  for (const problem of problems) print(problemLine(file, problem));
  for (const finding of findings) print(findingLine(file, finding));
  if (problems.length > 0) throw new Refusal("The policy has errors.");
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Refusal(openGates(errors));
  const warnings = findings.filter(({ severity }) => severity === "warning").length;
  if (strict && warnings > 0)
    throw new Refusal(`The policy has ${warnings === 1 ? "a warning" : `${warnings} warnings`}.`);
}

/** The findings that block, and the gates that allow on failure, with the fix. */
function openGates(errors: readonly TextFinding[]): string {
  const blocking = errors.filter(({ rule }) => isBlockingRule(rule)).length;
  const labels = errors.filter(({ rule }) => rule === GATE_ONLY_LABELS).length;
  const open = errors.length - labels - blocking;
  const counted = (count: number, one: string, more: string) => (count === 1 ? one : `${count} ${more}`);
  return [
    ...(blocking === 0 ? [] : [`${counted(blocking, "A finding blocks", "findings block")} publication.`]),
    ...(open === 0
      ? []
      : [
          `${counted(open, "A gate allows", "gates allow")} on failure. Write profile: "${NEWEST_PROFILE}" above hooks.`,
        ]),
    ...(labels === 0
      ? []
      : [`${counted(labels, "A gate only labels", "gates only label")} calls. Add a rules hook that asks or denies.`]),
  ].join(" ");
}

/** Prints the linter's errors and warnings about a text that was just published, on stderr. Returns all findings. */
export function warnOf(file: string, source: string): readonly TextFinding[] {
  const { findings } = checkText(source, CHECK_CONTEXT);
  for (const finding of findings) if (finding.severity !== "advice") printError(findingLine(file, finding));
  return findings;
}

/** `file:line:column: path: message`, as compilers write it. */
export function problemLine(file: string, { path, message, line, column }: TextProblem): string {
  return `${shownName(file)}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}\n`;
}

function findingLine(file: string, finding: TextFinding): string {
  const { severity, message, line, column, rule } = finding;
  return `${shownName(file)}:${line}:${column}: ${severity}: ${message} (${rule})\n`;
}
