import { GATE_ALLOWS_ON_FAILURE } from "@quarterdeck/hooks/contract/lint/allowing-gate";
import { BLOCKING_RULES, isBlockingRule } from "@quarterdeck/hooks/contract/lint/blocking-rules";
import { z } from "zod";
import { type ExportNative, importedView, nativeExportView, policyById, publishedView } from "../policies/schema.ts";
import { problemLine, warnOf } from "./lint.ts";
import { readPolicyFile } from "./policy-file.ts";
import { print, printError, printExact } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { ask, mutate, Refused } from "./server.ts";

export interface PublishOptions {
  readonly name: string;
  readonly note: string;
  /** Rules whose findings block, separated by commas. */
  readonly override?: string;
  readonly reason?: string;
}

/** Errors: a `Refusal` for an unknown rule, and for a rule without a reason. */
function overrideOf(name: string, { override, reason }: Pick<PublishOptions, "override" | "reason">) {
  if (override === undefined) return undefined;
  if (reason === undefined || reason.trim() === "") throw new Refusal("--override needs --reason with the reason.");
  const rules = override.split(",").map((rule) => rule.trim());
  const unknown = rules.find((rule) => !isBlockingRule(rule));
  if (unknown !== undefined)
    throw new Refusal(`No rule named "${unknown}" blocks a policy. These do: ${BLOCKING_RULES.join(", ")}.`);
  return { typed: name, reason, cases: false, rules };
}

/**
 * Publishes the YAML in `file`. Prints what is now in force and the linter's warnings, or each problem with its line.
 */
export async function publish(file: string, { name, note, ...options }: PublishOptions): Promise<void> {
  const override = overrideOf(name, options);
  const source = await readPolicyFile(file);
  try {
    const input = { name, source, note, ...(override && { override }) };
    const published = await mutate("policies.publishByName", input, publishedView);
    const { number, sha256, agents } = published;
    const whom = agents === 1 ? "1 agent" : `${agents} agents`;
    print(`${published.name} revision ${number} is in force for ${whom} (sha256 ${sha256})\n`);
    if (warnOf(file, source).some(({ rule }) => rule === GATE_ALLOWS_ON_FAILURE))
      await printToleratedFailures(published.policyId);
  } catch (error) {
    if (!(error instanceof Refused) || error.problems.length === 0) throw error;
    for (const problem of error.problems) printError(problemLine(file, problem));
    const rules = [...new Set(error.problems.flatMap(({ rule }) => rule ?? []))];
    if (rules.length === 0) throw new Refusal("The policy has errors and was not published.");
    throw new Refusal(
      `Findings block the policy, so it was not published. To override them: --override ${rules.join(",")} --reason TEXT.`,
    );
  }
}

const toleratedFailures = z.object({
  countedSince: z.coerce.date().nullable(),
  days: z.number(),
  gates: z.array(z.object({ gate: z.string(), count: z.number() })),
});

/** Says of each gate that allows when it fails how often that happened. The policy is published whether or not that is known. */
async function printToleratedFailures(policyId: string): Promise<void> {
  const found = await ask("rules.toleratedFailures", { policyId }, toleratedFailures).catch((error: unknown) => {
    if (error instanceof Refused) return null;
    throw error;
  });
  const since = found?.countedSince;
  const during = since ? `since ${since.toISOString().slice(0, 10)}` : `in ${found?.days} days`;
  for (const { gate, count } of found?.gates ?? [])
    printError(`${gate} failed and allowed ${count === 1 ? "1 call" : `${count} calls`} ${during}\n`);
}

export interface ExportOptions {
  readonly agent?: string;
  readonly bundle?: boolean;
  /** A version of docker-agent. */
  readonly release?: string;
}

/** Prints the text in force byte for byte, its bundle, or what a release of docker-agent runs of a policy or an agent's policies. */
export async function exportAs(name: string | undefined, of: ExportOptions): Promise<void> {
  const { agent, release } = of;
  if (of.bundle && release !== undefined)
    throw new Refusal("A bundle is for Quarterdeck, so it takes no --release.", 2);
  if (agent !== undefined && name === undefined && !of.bundle) await printNative({ agent }, release);
  else if (name === undefined || agent !== undefined)
    throw new Refusal("Say what to export: a policy's name, or --agent with an agent's.", 2);
  else if (of.bundle) printExact(await ask("policies.exportBundle", { policy: { name } }, z.string()));
  else if (release !== undefined) await printNative({ policy: name }, release);
  else printExact(await ask("policies.exportByName", { name }, z.string()));
}

/** Prints the YAML, and on the error stream each part that is left out and each difference. */
async function printNative(of: ExportNative["of"], release: string | undefined): Promise<void> {
  const input: ExportNative = { of, ...(release !== undefined && { release }) };
  const found = await ask("policies.exportNative", input, nativeExportView);
  const title = found.releases.find((one) => one.name === found.release)?.title ?? found.release;
  for (const { hook, event, reason, remedy } of found.lost) printError(`"${hook}" on ${event}: ${reason} ${remedy}\n`);
  if (found.yaml === null) {
    const count = found.lost.length === 1 ? "a gate" : `${found.lost.length} gates`;
    throw new Refusal(`Nothing was exported for docker-agent ${title}, because the policy would lose ${count} there.`);
  }
  for (const { hook, event, reason } of found.leftOut) printError(`"${hook}" on ${event}: ${reason}\n`);
  for (const note of found.notes) printError(`${note}\n`);
  printExact(found.yaml);
}

const HOOK_OPTION = /^hook[A-Z]/;

/** Creates a draft from `file`, and prints the parts that were imported and those that were not. */
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
