import { BUILTIN_NAMES } from "@quarterdeck/hooks/contract/config";
import { NEWEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import { checkText } from "@quarterdeck/hooks/contract/text/check";
import type { TextFinding, TextProblem } from "@quarterdeck/hooks/contract/text/text-problems";
import { readPolicyFile, shownName } from "./policy-file.ts";
import { print, printError } from "./print.ts";
import { Refusal } from "./refusal.ts";

/** Here, without a server: every builtin and a model may be there, and nothing is known of the tools in use. */
const CHECK_CONTEXT = { equipment: { builtins: BUILTIN_NAMES, models: true }, tools: [] };

/** Prints everything to be said of the YAML in `file`, a line each. Errors: with problems and gates that allow on failure, and with warnings when `strict`. */
export async function lint(file: string, strict: boolean): Promise<void> {
  const { problems, findings } = checkText(await readPolicyFile(file), CHECK_CONTEXT);
  for (const problem of problems) print(problemLine(file, problem));
  for (const finding of findings) print(findingLine(file, finding));
  if (problems.length > 0) throw new Refusal("The policy has errors.");
  const open = findings.filter(({ severity }) => severity === "error").length;
  if (open > 0)
    throw new Refusal(
      `${open === 1 ? "A gate allows" : `${open} gates allow`} on failure. Write profile: "${NEWEST_PROFILE}" above hooks.`,
    );
  const warnings = findings.filter(({ severity }) => severity === "warning").length;
  if (strict && warnings > 0)
    throw new Refusal(`The policy has ${warnings === 1 ? "a warning" : `${warnings} warnings`}.`);
}

/** Prints the linter's errors and warnings about a text that was just published, on stderr. */
export function warnOf(file: string, source: string): void {
  for (const finding of checkText(source, CHECK_CONTEXT).findings)
    if (finding.severity !== "advice") printError(findingLine(file, finding));
}

/** `file:line:column: path: message`, as compilers write it. */
export function problemLine(file: string, { path, message, line, column }: TextProblem): string {
  return `${shownName(file)}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}\n`;
}

function findingLine(file: string, finding: TextFinding): string {
  const { severity, message, line, column, rule } = finding;
  return `${shownName(file)}:${line}:${column}: ${severity}: ${message} (${rule})\n`;
}
