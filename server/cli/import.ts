import { parseHooks } from "@quarterdeck/hooks/contract/config";
import { NEWEST_PROFILE, PROFILES } from "@quarterdeck/hooks/contract/profiles";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { CLIENT_IMPORTS } from "../dialects/import/index.ts";
import { IMPORTED_CLIENT_NAMES } from "../dialects/import-schema.ts";
import { AppError } from "../errors/app-error.ts";
import { readPolicyFile, shownName } from "./policy-file.ts";
import { printError, printExact, printJson } from "./print.ts";
import { Refusal } from "./refusal.ts";

const FILES_MAX = 50;

/**
 * Prints the policy on stdout, and the parts that were not imported on stderr, each with its line. Creates nothing and
 * runs nothing.
 */
export async function importClientFiles(client: string, files: readonly string[], isJson: boolean): Promise<void> {
  const known = IMPORTED_CLIENT_NAMES.find((name) => name === client);
  if (known === undefined)
    throw new Refusal(`There is no import for "${client}". Say one of ${IMPORTED_CLIENT_NAMES.join(", ")}.`, 2);
  if (files.length > FILES_MAX) throw new Refusal(`At most ${FILES_MAX} files are read at once.`, 2);
  const imports = [];
  for (const file of files) imports.push({ file, ...read(known, file, await readPolicyFile(file)) });
  const policyYaml = joinedPolicy(imports.map((one) => one.policyYaml));
  if (isJson) {
    const ofFile = <Line>(file: string, lines: readonly Line[]) =>
      files.length === 1 ? lines : lines.map((line) => ({ file, ...line }));
    printJson({
      policyYaml,
      carried: imports.flatMap(({ file, carried }) => ofFile(file, carried)),
      notCarried: imports.flatMap(({ file, notCarried }) => ofFile(file, notCarried)),
    });
    return;
  }
  printExact(policyYaml);
  for (const { file, carried, notCarried } of imports) {
    for (const { line, text, note } of carried) printError(`${shownName(file)}:${line}: carried: ${text} (${note})\n`);
    for (const { line, text, reason } of notCarried)
      printError(`${shownName(file)}:${line}: not carried: ${text} (${reason})\n`);
  }
}

function read(client: (typeof IMPORTED_CLIENT_NAMES)[number], file: string, text: string) {
  try {
    return CLIENT_IMPORTS[client](text.replace(/^\ufeff/, ""));
  } catch (error) {
    if (error instanceof AppError) throw new Refusal(`${shownName(file)}: ${error.message}`);
    throw error;
  }
}

const importedPolicy = z.object({ profile: z.string(), hooks: z.record(z.string(), z.array(z.unknown())) });

/**
 * One policy of several: the hooks of each event one file after the other, as clients join them. A file that keeps an older profile for
 * a gate decides for all. Errors: a refusal when another file has parts that this profile does not know.
 */
function joinedPolicy(texts: readonly string[]): string {
  const [only = "", ...more] = texts;
  if (more.length === 0) return only;
  const hooks: Record<string, unknown[]> = {};
  const policies = texts.map((text) => importedPolicy.parse(parse(text)));
  for (const policy of policies)
    for (const [event, entries] of Object.entries(policy.hooks)) hooks[event] = [...(hooks[event] ?? []), ...entries];
  const headings = texts.flatMap((text) => text.split("\n").filter((line) => line.startsWith("# ")));
  const profile = PROFILES.find((known) => policies.some((policy) => policy.profile === known)) ?? NEWEST_PROFILE;
  const isRead = parseHooks(hooks, profile).ok;
  if (!isRead && policies.some((policy) => policy.profile !== profile))
    throw new Refusal(
      `One of these files keeps profile ${profile} for its safer_shell, and another has parts that this profile does not know. Import them one by one.`,
    );
  const joined = { profile, hooks };
  return [...headings, stringify(joined, { lineWidth: 0, aliasDuplicateObjects: false })].join("\n");
}
