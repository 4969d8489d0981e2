/**
 * Matches parsed commands against the taxonomy, whatever the order of their flags: `rm -f -r x`, `rm -fr x` and `rm --recursive
 * --force x` are one row. Carried commands are matched too.
 */
import { listCarriedCommands } from "./carried-commands.ts";
import type { SimpleCommand } from "./parse.ts";
import { byRadius, pickWorse } from "./severity.ts";
import { DESTRUCTIVE } from "./taxonomy/all.ts";
import type { DestructiveRow } from "./taxonomy/row.ts";
import type { Taxonomy } from "./taxonomy/versions.ts";
import { textMatch } from "./text-match.ts";

interface Shape {
  readonly row: DestructiveRow;
  /** The required words in this order, with anything between; null is any word. */
  readonly operands: readonly (string | null)[];
  readonly flags: readonly string[];
}

/** Rows of whole words, by command name, worst first. */
const SHAPES = new Map<string, Shape[]>();
for (const row of byRadius(DESTRUCTIVE)) {
  const words = row.pattern.toLowerCase().split(" ");
  const [name = ""] = words;
  if (words.some((word) => !/^(<[^<>]+>|[^<>$.;={}]+|\.)$/.test(word))) continue;
  const operands = words.filter((word) => !isFlag(word)).map((word) => (word.startsWith("<") ? null : word));
  SHAPES.set(name, [...(SHAPES.get(name) ?? []), { row, operands, flags: words.filter(isFlag) }]);
}

const OVERWRITE = DESTRUCTIVE.find(({ pattern }) => pattern === "> <file>") ?? null;
/** A separator that ends a command and is not an argument. */
const APART = ") ";
const TEXT_MAX = 65_536;

/** The worst known effect of any of `commands`, or of a command that one of them runs. */
export function commandMatch(commands: readonly SimpleCommand[], taxonomy: Taxonomy): DestructiveRow | null {
  let worst: DestructiveRow | null = null;
  let text = "";
  for (const { words, overwrites } of commands) {
    if (overwrites && words.length === 0) worst = known(worst, OVERWRITE);
    for (const candidate of listCarriedCommands(words)) {
      worst = known(worst, shapeOf(candidate));
      if (text.length < TEXT_MAX) text += `${candidate.join(" ")}${APART}`;
    }
  }
  return known(worst, textMatch(text, taxonomy).worst);
}

/** The worse finding. Unlike in `pickWorse`, any finding is worse than null. */
function known(found: DestructiveRow | null, other: DestructiveRow | null): DestructiveRow | null {
  return found === null ? other : pickWorse(found, other);
}

function shapeOf(words: readonly string[]): DestructiveRow | null {
  const lower = words.map((word) => word.toLowerCase());
  const shapes = SHAPES.get(lower[0] ?? "");
  if (!shapes) return null;
  const flags = flagsIn(lower);
  const fits = (shape: Shape) => shape.flags.every((flag) => flags.has(flag)) && follow(shape.operands, lower);
  return shapes.find(fits)?.row ?? null;
}

function isFlag(word: string): boolean {
  return word.length > 1 && word.startsWith("-");
}

const LONG: Readonly<Record<string, string>> = { "--recursive": "r", "--force": "f", "--all": "a", "--volumes": "v" };

/** Flags by name and by letter: `-rf` counts as `-rf`, `-r` and `-f`, in any order. */
function flagsIn(words: readonly string[]): { has(flag: string): boolean } {
  const names = new Set<string>();
  const letters = new Set<string>();
  for (const word of words) {
    if (!isFlag(word)) continue;
    const [name = ""] = word.split("=", 1);
    names.add(name);
    const long = LONG[name];
    if (long) letters.add(long);
    else if (/^-[a-z0-9]+$/.test(word)) for (const letter of word.slice(1)) letters.add(letter);
  }
  return {
    has: (flag) =>
      names.has(flag) || (/^-[a-z]{1,4}$/.test(flag) && [...flag.slice(1)].every((one) => letters.has(one))),
  };
}

/**
 * True if `words` begin with the first of `wanted` and contain the others in that order. Between the parts of a name, only flags
 * and their values may occur (`git -C dir reset`). After the first argument, anything may.
 */
function follow([name, ...wanted]: readonly (string | null)[], [first, ...words]: readonly string[]): boolean {
  if (first !== name) return false;
  let next = 0;
  let isValue = false;
  for (const word of words) {
    if (isFlag(word)) isValue = true;
    else if (next < wanted.length) {
      if (wanted[next] === null || wanted[next] === word) next += 1;
      else if (!isValue && !wanted.slice(0, next).includes(null)) return false;
      isValue = false;
    }
  }
  return next === wanted.length;
}
