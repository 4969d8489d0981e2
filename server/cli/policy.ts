import { z } from "zod";
import { importedView, policyById, publishedView } from "../policies/schema.ts";
import { problemLine, warnOf } from "./lint.ts";
import { readPolicyFile } from "./policy-file.ts";
import { print, printError, printExact } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { ask, mutate, Refused } from "./server.ts";

/** Publishes the YAML in `file` and says what is in force now, and what the linter warns of; each problem at its line. */
export async function publish(file: string, name: string, note: string): Promise<void> {
  const source = await readPolicyFile(file);
  try {
    const published = await mutate("policies.publishByName", { name, source, note }, publishedView);
    const { number, sha256, agents } = published;
    const whom = agents === 1 ? "1 agent" : `${agents} agents`;
    print(`${published.name} revision ${number} is in force for ${whom} (sha256 ${sha256})\n`);
    warnOf(file, source);
  } catch (error) {
    if (!(error instanceof Refused) || error.problems.length === 0) throw error;
    for (const problem of error.problems) printError(problemLine(file, problem));
    throw new Refusal("The policy has errors and was not published.");
  }
}

/** Prints the text in force byte for byte, its bundle, or an agent's effective policy. */
export async function exportAs(name: string | undefined, of: { agent?: string; bundle?: boolean }): Promise<void> {
  if (of.agent !== undefined && name === undefined && !of.bundle)
    printExact(await ask("policies.exportAgent", { name: of.agent }, z.string()));
  else if (name === undefined || of.agent !== undefined)
    throw new Refusal("Say what to export: a policy's name, or --agent with an agent's.", 2);
  else if (of.bundle) printExact(await ask("policies.exportBundle", { policy: { name } }, z.string()));
  else printExact(await ask("policies.exportByName", { name }, z.string()));
}

const HOOK_OPTION = /^hook[A-Z]/;

/** Makes a draft of what `file` says, and prints what was taken and what was not. */
export async function importFile(file: string, options: Record<string, string | string[] | undefined>): Promise<void> {
  const commands = Object.entries(options).flatMap(([option, given]) =>
    HOOK_OPTION.test(option) && Array.isArray(given) && given.length > 0
      ? [
          [
            option
              .slice(4)
              .replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`)
              .toLowerCase(),
            given,
          ],
        ]
      : [],
  );
  const { agent } = options;
  const input = {
    source: await readPolicyFile(file),
    ...(agent ? { agent } : {}),
    commands: Object.fromEntries(commands),
  };
  const imported = await mutate("policies.readImport", input, importedView);
  const name = options.name ?? imported.name;
  if (typeof name !== "string") throw new Refusal("Give the policy a name: --name NAME.", 2);
  const { policyId } = await mutate("policies.create", { name, source: imported.source }, policyById);
  for (const note of imported.notes) printError(`${note}\n`);
  const count = imported.check.problems.length;
  const left =
    count === 0
      ? "It can be published as it is."
      : `${count === 1 ? "1 problem is" : `${count} problems are`} to solve before it can be published.`;
  print(`${name} is a draft: /policies/${policyId}. ${left}\n`);
}
