/** Runs builtin cases against a target, each in its own folders. */
import type { Profile } from "../contract/events.ts";
import { type BuiltinCase, type BuiltinCaseFile, type BuiltinStep, builtinCaseFile } from "./builtin-cases.ts";
import { type BuiltinCame, builtinDifferences } from "./builtin-expect.ts";
import { type CaseFolders, createCaseFolders } from "./builtin-fixture.ts";
import { type CaseRun, inEachProfile, type RunOptions } from "./runner.ts";

/** The target of the cases: builtins, created once for each case. */
export interface BuiltinTarget {
  offers(builtin: string): boolean;
  create(around: CaseFolders, profile: Profile): BuiltinInstance;
}

export interface BuiltinInstance {
  /** Returns the output as JSON; null without output. Errors: those of the builtin. */
  call(builtin: string, event: string, input: Record<string, unknown>, args: readonly string[]): Promise<unknown>;
  operate(op: string, sessionId: string, keep: number): Promise<unknown>;
}

/** True if a document declares builtin cases. */
export function holdsBuiltinCases(value: unknown): boolean {
  return typeof value === "object" && value !== null && "format" in value && value.format === "builtin-cases/1";
}

/** The cases of a file. Throws with a message if the format is invalid. */
export function readBuiltinCases(value: unknown, name: string): BuiltinCaseFile {
  const read = builtinCaseFile.safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new Error(`${name} is not in the case format: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
}

/** Runs every case in each profile. `path` is the PATH with git. */
export function runBuiltinCases(
  file: BuiltinCaseFile,
  target: BuiltinTarget,
  path: string,
  options: RunOptions = {},
): Promise<CaseRun[]> {
  return inEachProfile(file.cases, options, async (one, profile) => {
    const { id, about, builtin, optional } = one;
    if (optional && !target.offers(builtin)) {
      return { id, about, profile, verdict: "skipped", why: [`${builtin} is optional and not offered`] };
    }
    const around = await createCaseFolders(one, path);
    try {
      const why = await stepsDifferences(one, target.create(around, profile), around);
      return { id, about, profile, verdict: why.length === 0 ? "passed" : "failed", why };
    } finally {
      await around.remove();
    }
  });
}

async function stepsDifferences(one: BuiltinCase, instance: BuiltinInstance, around: CaseFolders): Promise<string[]> {
  const only = { event: one.event ?? "", input: one.input ?? {}, expect: one.expect ?? {} };
  const steps: readonly BuiltinStep[] = one.steps ?? [only];
  const spilled = {};
  const found: string[] = [];
  for (const [index, step] of steps.entries()) {
    await around.edit(step.edit);
    const expected = around.value(step.expect ?? {}) as Record<string, unknown>; // holds: an expectation is an object
    const came = await take(step, one, instance, around);
    const why = await builtinDifferences(expected, { ...came, spilled }, around);
    found.push(...why.map((sentence) => (one.steps ? `step ${index + 1}: ${sentence}` : sentence)));
  }
  return found;
}

async function take(
  step: BuiltinStep,
  one: BuiltinCase,
  instance: BuiltinInstance,
  around: CaseFolders,
): Promise<Omit<BuiltinCame, "spilled">> {
  // Costs three git processes, so it runs only for a step that checks the repository.
  const repository = async () => ("repo_unchanged" in (step.expect ?? {}) ? around.repository() : "");
  const before = await repository();
  const came = { output: null, input: {} };
  const finish = async (rest: Partial<BuiltinCame>) => {
    return { ...came, ...rest, repository: [before, await repository()] as const };
  };
  try {
    if ("op" in step) {
      return await finish({ opResult: await instance.operate(step.op, step.session_id, step.keep ?? 0) });
    }
    const input = around.value(step.input) as Record<string, unknown>; // holds: an input is an object
    const args = around.value(one.args) as string[]; // holds: what is described is a text
    const output = jsonOf(await instance.call(one.builtin, step.event, input, args));
    return await finish({ input, output });
  } catch (error) {
    return finish({ error: error instanceof Error ? error.message : String(error) });
  }
}

function jsonOf(output: unknown): BuiltinCame["output"] {
  return output === null || output === undefined ? null : JSON.parse(JSON.stringify(output));
}
