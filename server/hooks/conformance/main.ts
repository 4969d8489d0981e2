/** `main.ts FILE... [--profile PROFILE]`: runs conformance cases against this executor and prints the results. */
import { readFile } from "node:fs/promises";
import { PROFILES, type Profile } from "../contract/events.ts";
import { startSpawner } from "../index.ts";
import { holdsBuiltinCases, readBuiltinCases, runBuiltinCases } from "./builtin-runner.ts";
import { ourBuiltins } from "./our-builtins.ts";
import { ourTarget } from "./our-target.ts";
import { type CaseRun, type RunOptions, readCases, runCases } from "./runner.ts";
import type { Target } from "./target.ts";

const USAGE = `usage: conformance FILE... [--profile ${PROFILES.join("|")}]`;

/** The profiles for a file whose cases name no profile. Such files are older than the third profile. */
const FIRST_PROFILES = ["2026-07", "2026-08"] as const satisfies readonly Profile[];

interface Arguments {
  readonly files: readonly string[];
  readonly profile?: Profile;
}

function readArguments(args: readonly string[]): Arguments {
  const files: string[] = [];
  let profile: Profile | undefined;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    const [option, inline] = arg.split("=", 2);
    if (option !== "--profile") {
      if (arg.startsWith("-")) throw new Error(`unknown option ${arg}; ${USAGE}`);
      files.push(arg);
      continue;
    }
    const asked = inline ?? args[++at];
    profile = PROFILES.find((known) => known === asked);
    if (!profile) throw new Error(`--profile must be one of ${PROFILES.join(", ")}; ${USAGE}`);
  }
  if (files.length === 0) throw new Error(USAGE);
  return { files, ...(profile && { profile }) };
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new Error(`${file} cannot be read.`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file} is not JSON.`);
  }
}

/** The function that runs the cases of a file. Throws with a message for a file of an unknown suite. */
function suiteIn(value: unknown, file: string) {
  if (holdsBuiltinCases(value)) {
    const cases = readBuiltinCases(value, file);
    return (_target: Target, path: string, options: RunOptions) => runBuiltinCases(cases, ourBuiltins, path, options);
  }
  const cases = readCases(value, file);
  return (target: Target, _path: string, options: RunOptions) => runCases(cases, target, options);
}

async function main(args: readonly string[]): Promise<number> {
  const { files, profile } = readArguments(args);
  const suites = [];
  for (const file of files) suites.push({ file, run: suiteIn(await readJson(file), file) });

  const { env } = process; // the case format hands the runner's own environment to the executor
  const own = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const spawner = await startSpawner({ sandbox: "none" });
  const runs: CaseRun[] = [];
  try {
    const target = ourTarget(spawner, own);
    for (const { file, run } of suites) {
      const ran = await run(target, own.PATH ?? "", { unnamed: FIRST_PROFILES, ...(profile && { profile }) });
      for (const { id, profile: in_, about, why } of ran.filter((run) => run.verdict === "failed")) {
        console.log(`FAILED ${id} (${in_}) ${about}\n  ${file}`);
        for (const reason of why) console.log(`  ${reason}`);
      }
      runs.push(...ran);
    }
  } finally {
    await spawner.close();
  }
  const count = (verdict: CaseRun["verdict"]) => runs.filter((run) => run.verdict === verdict).length;
  console.log(`conformance: ${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`);
  return count("failed") === 0 ? 0 : 1;
}

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  },
);
