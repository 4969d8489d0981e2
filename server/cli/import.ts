import { CLIENT_IMPORTS } from "../dialects/import/index.ts";
import { IMPORTED_CLIENT_NAMES } from "../dialects/import-schema.ts";
import { AppError } from "../errors/app-error.ts";
import { readPolicyFile, shownName } from "./policy-file.ts";
import { printError, printExact, printJson } from "./print.ts";
import { Refusal } from "./refusal.ts";

/** Prints the policy on stdout, and what is not in it on stderr, each at its line. Makes nothing and runs nothing. */
export async function importClientFile(client: string, file: string, isJson: boolean): Promise<void> {
  const known = IMPORTED_CLIENT_NAMES.find((name) => name === client);
  if (known === undefined)
    throw new Refusal(`There is no import for "${client}". Say one of ${IMPORTED_CLIENT_NAMES.join(", ")}.`, 2);
  const imported = read(known, file, await readPolicyFile(file));
  if (isJson) {
    printJson(imported);
    return;
  }
  printExact(imported.policyYaml);
  for (const { line, text, note } of imported.carried)
    printError(`${shownName(file)}:${line}: carried: ${text} (${note})\n`);
  for (const { line, text, reason } of imported.notCarried)
    printError(`${shownName(file)}:${line}: not carried: ${text} (${reason})\n`);
}

function read(client: (typeof IMPORTED_CLIENT_NAMES)[number], file: string, text: string) {
  try {
    return CLIENT_IMPORTS[client](text.replace(/^\ufeff/, ""));
  } catch (error) {
    if (error instanceof AppError) throw new Refusal(`${shownName(file)}: ${error.message}`);
    throw error;
  }
}
