/** Finds misspelled names in rules that no call can have: programs, subcommands and flags. */
import { flagProblem, knownFlags, programProblem, subcommandProblem } from "./program-names.ts";
import type { RuleProblem } from "./rule-problems.ts";
import type { CommandCondition, Condition, Rule } from "./schema.ts";

type Path = readonly (string | number)[];

/** The problems of names in parsed rules, in document order. */
export function nameProblems(rules: readonly Rule[]): RuleProblem[] {
  return rules.flatMap((rule, index) => [...inCondition(rule, ["rules", index])]);
}

function* inCondition({ command, all = [], any = [], not }: Condition, at: Path): Iterable<RuleProblem> {
  if (command) yield* inCommand(command, [...at, "command"]);
  for (const [index, one] of all.entries()) yield* inCondition(one, [...at, "all", index]);
  for (const [index, one] of any.entries()) yield* inCondition(one, [...at, "any", index]);
  if (not) yield* inCondition(not, [...at, "not"]);
}

function* inCommand(condition: CommandCondition, at: Path): Iterable<RuleProblem> {
  const programs = placed(condition.program, [...at, "program"]);
  const subcommands = placed(condition.subcommand, [...at, "subcommand"]);
  for (const { value, at: place } of programs) yield* said(place, programProblem(value));
  const [only] = programs;
  if (only && programs.length === 1)
    for (const { value, at: place } of subcommands) yield* said(place, subcommandProblem(only.value, value));
  const known = knownFlags(
    programs.map(({ value }) => value),
    subcommands.map(({ value }) => value),
  );
  for (const key of ["flags", "without_flags"] as const)
    for (const [index, flag] of (condition[key] ?? []).entries())
      yield* said([...at, key, index], flagProblem(flag, known));
}

function* said(at: Path, message: string | null): Iterable<RuleProblem> {
  if (message !== null) yield { at, message };
}

/** The entries of a list, or the one text. */
function placed(value: string | readonly string[] | undefined, at: Path): { value: string; at: Path }[] {
  if (value === undefined) return [];
  return typeof value === "string" ? [{ value, at }] : value.map((one, index) => ({ value: one, at: [...at, index] }));
}
