/** Runs a file of cases against a target, in each profile that a case names. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { PROFILES, type Profile } from "../contract/events.ts";
import type { HooksConfig } from "../contract/hook.ts";
import { everyHook } from "../contract/placement.ts";
import {
  type CaseFile,
  caseFile,
  type DispatchCase,
  type MatcherCase,
  type MergeCase,
  SUITES,
  type ValidateCase,
  type ValidateConfigCase,
} from "./cases.ts";
import { listDifferences } from "./compare.ts";
import type { Target } from "./target.ts";
import { templateDifferences } from "./template-differences.ts";

/** One case in one profile. */
export interface CaseRun {
  readonly id: string;
  readonly about: string;
  readonly profile: Profile;
  readonly verdict: "passed" | "failed" | "skipped";
  /** The reasons for a failed or skipped case. */
  readonly why: readonly string[];
}

export interface RunOptions {
  /** Runs only this profile; by default, each profile that a case names. */
  readonly profile?: Profile;
  /** The profiles for a case that names no profile; all profiles when absent. */
  readonly unnamed?: readonly Profile[];
  /** The number of cases that run at once. */
  readonly atOnce?: number;
}

const MATCHER_MS_MAX = 1_000;

/** The cases of a file. Throws with a message if this runner does not know the format. */
export function readCases(value: unknown, name: string): CaseFile {
  const suite = typeof value === "object" && value !== null && "suite" in value ? value.suite : undefined;
  if (!(SUITES as readonly unknown[]).includes(suite)) {
    const said = suite === undefined ? "names no suite" : `holds the suite "${String(suite)}"`;
    throw new Error(`${name} ${said}; this runner knows ${SUITES.join(", ")}.`);
  }
  const parsed = caseFile.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Error(`${name} is not in the case format: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
}

/** Runs every case of a file; results are in the order of the file. */
export function runCases(file: CaseFile, target: Target, options: RunOptions = {}): Promise<CaseRun[]> {
  const cases: readonly CaseFile["cases"][number][] = file.cases;
  return inEachProfile(cases, options, (one, profile) => runCase(one, profile, target));
}

/** Runs each case in every profile that it names, several at once. Results are in the order of the cases. */
export async function inEachProfile<Case extends { readonly profiles?: readonly Profile[] | undefined }>(
  cases: readonly Case[],
  options: RunOptions,
  runOne: (one: Case, profile: Profile) => Promise<CaseRun>,
): Promise<CaseRun[]> {
  const jobs = cases.flatMap((one) => {
    const profiles = (one.profiles ?? options.unnamed ?? PROFILES).filter(
      (profile) => !options.profile || profile === options.profile,
    );
    return profiles.map((profile) => () => runOne(one, profile));
  });
  const runs: CaseRun[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < jobs.length; at = next++) {
      const run = await jobs[at]?.();
      if (run) runs[at] = run;
    }
  };
  await Promise.all(Array.from({ length: options.atOnce ?? 6 }, worker));
  return runs;
}

async function runCase(one: CaseFile["cases"][number], profile: Profile, target: Target): Promise<CaseRun> {
  const { id, about } = one;
  if ("template" in one) return verdict(id, about, profile, templateDifferences(one, profile, target));
  if ("pattern" in one) return verdict(id, about, profile, matcherDifferences(one, target));
  if (one.kind === "validate" || one.kind === "validate_config")
    return verdict(id, about, profile, validateDifferences(one, profile, target));
  if (one.kind === "merge") return verdict(id, about, profile, mergeDifferences(one, profile, target));
  if (one.kind === "defaults") {
    const hooks = target.withFlags(one.config, one.flags, profile);
    return verdict(id, about, profile, orderDifferences(one.expect.hooks, hooks));
  }
  const skipped = target.skips(one);
  if (skipped !== undefined) return { id, about, profile, verdict: "skipped", why: [skipped] };
  return verdict(id, about, profile, await dispatchDifferences(one, profile, target));
}

function verdict(id: string, about: string, profile: Profile, why: readonly string[]): CaseRun {
  return { id, about, profile, verdict: why.length === 0 ? "passed" : "failed", why };
}

async function dispatchDifferences(one: DispatchCase, profile: Profile, target: Target): Promise<string[]> {
  const workingDir = await mkdtemp(join(await realpath(tmpdir()), "conformance-"));
  try {
    for (const dir of one.dirs ?? []) await mkdir(join(workingDir, dir), { recursive: true });
    for (const [path, content] of Object.entries(one.files ?? {})) {
      await mkdir(dirname(join(workingDir, path)), { recursive: true });
      await writeFile(join(workingDir, path), content);
    }
    return await listDifferences(one.expect, await target.dispatch(one, profile, workingDir), workingDir);
  } finally {
    await rm(workingDir, { recursive: true, force: true });
  }
}

function mergeDifferences({ sources, expect }: MergeCase, profile: Profile, target: Target): string[] {
  const { hooks, skipped } = target.merge(sources, profile);
  const expected = expect.skipped ?? [];
  const names = skipped.map(({ file }) => file).sort();
  const wrong = isDeepStrictEqual(names, [...expected].sort())
    ? []
    : [`skipped: expected ${expected.join(", ")}, got ${names.join(", ")}`];
  return [...wrong, ...orderDifferences(expect.hooks, hooks)];
}

/** The hooks of each event in run order, each as its command and arguments. */
function orderDifferences(expected: Readonly<Record<string, readonly string[]>>, hooks: HooksConfig): string[] {
  const got: Record<string, string[]> = {};
  for (const { event, hook } of everyHook(hooks))
    got[event] = [...(got[event] ?? []), [hook.command ?? "", ...(hook.args ?? [])].join(" ")];
  return isDeepStrictEqual(got, expected)
    ? []
    : [`hooks: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`];
}

function validateDifferences(one: ValidateCase | ValidateConfigCase, profile: Profile, target: Target): string[] {
  const problem =
    one.kind === "validate" ? target.validate(one.config, profile) : target.validateConfig(one.config, profile);
  if ((problem === undefined) !== one.expect.valid) {
    return [`valid: expected ${one.expect.valid}, got ${problem === undefined ? "true" : `false (${problem})`}`];
  }
  const missing = (one.expect.error_contains ?? []).filter((part) => !problem?.includes(part));
  return missing.map((part) => `error containing: expected ${JSON.stringify(part)}, got ${JSON.stringify(problem)}`);
}

function matcherDifferences(one: MatcherCase, target: Target): string[] {
  const beganMs = performance.now();
  const matches = target.matcher(one.pattern);
  if ((matches !== undefined) !== one.compiles)
    return [`compiles: expected ${one.compiles}, got ${matches !== undefined}`];
  const wrong = Object.entries(one.names ?? {})
    .map(([name, expected]) => ({ name, expected, got: matches?.(name) }))
    .filter(({ expected, got }) => expected !== got)
    .map(({ name, expected, got }) => `${JSON.stringify(name)}: expected ${expected}, got ${got}`);
  const tookMs = performance.now() - beganMs;
  return tookMs > MATCHER_MS_MAX ? [...wrong, `took ${Math.round(tookMs)} ms, more than a second`] : wrong;
}
