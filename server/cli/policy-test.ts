/**
 * `policy test`: runs a policy's cases, on a server or with files only. Exit code 1 if a case fails, 2 for invalid
 * input.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  builtinKind,
  commandKind,
  evaluatorKind,
  systemClock as hookClock,
  maskText,
  modelKind,
  redactText,
  rulesKind,
  serverBuiltins,
  startSpawner,
} from "@quarterdeck/hooks";
import { inheritedEnvironment } from "../platform/env.ts";
import { type PlaygroundWorld, readCaseFile, runCasesOffline } from "../playground/index.ts";
import { caseRunView } from "../playground/schema.ts";
import { permitOwnFile, readPolicy } from "../policies/index.ts";
import { junitOf, type TestedCase, writeReport } from "./junit.ts";
import { problemLine } from "./lint.ts";
import { readPolicyFile } from "./policy-file.ts";
import { print, printError } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { mutate } from "./server.ts";

export interface TestOptions {
  readonly policy?: string;
  readonly live?: boolean;
  readonly cases?: string;
  readonly junit?: string;
  readonly json?: boolean;
}

/** Runs the cases and prints each result. */
export async function test(file: string | undefined, options: TestOptions): Promise<void> {
  const { policy, cases: casesFile } = options;
  if ((file === undefined) === (policy === undefined))
    throw new Refusal(
      "Say what to test: a policy's file with --cases, or --policy with the name of one on the server.",
      2,
    );
  const cases =
    file === undefined
      ? await onServer(policy ?? "", options.live === true)
      : await onFiles(file, casesFile ?? missing("--cases FILE: the cases to hold the policy to."));
  const name = policy ?? file ?? "";
  if (options.junit !== undefined) await writeReport(options.junit, junitOf(name, cases));
  print(options.json ? `${JSON.stringify({ policy: name, cases }, null, 2)}\n` : linesOf(name, cases));
  if (cases.some(({ passed }) => !passed)) throw new Refusal("", 1);
}

function missing(what: string): never {
  throw new Refusal(`Say ${what}`, 2);
}

async function onServer(name: string, live: boolean): Promise<TestedCase[]> {
  const ran = await mutate("playground.runCasesByName", { name, on: live ? "live" : "draft" }, caseRunView);
  if (ran.cases.length === 0)
    throw new Refusal(`${name} has no cases. Save one in the playground, or import a file.`, 2);
  return ran.cases;
}

async function onFiles(file: string, casesFile: string): Promise<TestedCase[]> {
  const unreadable = (refusal: unknown) => {
    throw refusal instanceof Refusal ? new Refusal(refusal.message, 2) : refusal;
  };
  const source = await readPolicyFile(file).catch(unreadable);
  const { hooks, profile, problems } = readPolicy(source);
  for (const problem of problems) printError(problemLine(file, problem));
  if (!hooks) throw new Refusal("The policy has errors.", 2);
  const { cases, problems: wrong } = readCaseFile(await readPolicyFile(casesFile).catch(unreadable));
  for (const problem of wrong) printError(problemLine(casesFile, problem));
  if (wrong.length > 0) throw new Refusal("The cases have errors.", 2);
  const outcomes = await inOwnWorld((world) =>
    runCasesOffline(world, permitOwnFile({ sources: [{ origin: { policy: file }, hooks }], profile }), cases),
  );
  return cases.flatMap(({ name }, at) => {
    const outcome = outcomes[at];
    return outcome ? [{ name, ...outcome }] : [];
  });
}

/** Runs hooks as a server would: the same sandbox where this machine has one, the same limits, the same builtins. */
async function inOwnWorld<T>(work: (world: PlaygroundWorld) => Promise<T>): Promise<T> {
  const scratchDir = await mkdtemp(join(tmpdir(), "quarterdeck-test-"));
  const spawner = await startSpawner({ sandbox: "auto_or_none", scratchDir, hiddenDirs: [] });
  const commands = commandKind(spawner, { place: "isolated" });
  const builtins = builtinKind(serverBuiltins());
  const env = Object.fromEntries(
    Object.entries(inheritedEnvironment()).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  try {
    return await work({
      kindsAsking: ({ models, evaluators }) => [
        commands,
        builtins,
        rulesKind(),
        modelKind(models, { redact: redactText }),
        evaluatorKind(evaluators, { redact: maskText }),
      ],
      clock: hookClock,
      env,
      workingDir: "/",
    });
  } finally {
    await spawner.close();
    await rm(scratchDir, { recursive: true, force: true });
  }
}

function linesOf(name: string, cases: readonly TestedCase[]): string {
  const lines = cases.flatMap((one) => [
    `${one.passed ? "pass" : "FAIL"}  ${one.name} (${Math.round(one.durationMs)} ms)`,
    ...one.differs.map((difference) => `      ${difference}`),
  ]);
  const failed = cases.filter(({ passed }) => !passed).length;
  return `${[...lines, `${name}: ${cases.length - failed} passed, ${failed} failed`].join("\n")}\n`;
}
