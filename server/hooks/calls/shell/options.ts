/** Options and operands in the words of a command. Pure. */
import type { ShellWord } from "./word.ts";

export interface OptionValues {
  /** Short options that take a value, as letters. */
  readonly short?: string | undefined;
  /** Long options that take a value, without hyphens, separated by blanks. */
  readonly long?: string | undefined;
  /** Flags by meaning; a name of several letters may have one hyphen. */
  readonly flags?: Readonly<Record<string, string>> | undefined;
}

export interface ReadOption {
  /** `-r` or `--recursive`, without a value. */
  readonly name: string;
  readonly value: ShellWord | null;
}

export interface ReadWords {
  readonly options: readonly ReadOption[];
  readonly operands: readonly ShellWord[];
}

const LISTS_MAX = 1_000;
const lists = new Map<string, ReadonlySet<string>>();

/** The words of a list in a table, split once. */
export function wordsOf(list: string): ReadonlySet<string> {
  let words = lists.get(list);
  if (words) return words;
  words = new Set(list.split(" "));
  if (lists.size < LISTS_MAX) lists.set(list, words);
  return words;
}

const part = (word: ShellWord, from: number): ShellWord => ({
  ...word,
  values: word.values.map((value) => value.slice(from)) as [string, ...string[]], // holds: as many as before
  prefix: word.prefix.slice(from),
  script: word.script.slice(from),
});

interface Step {
  readonly options: readonly ReadOption[];
  /** The number of words that the option uses; 0 for an operand. */
  readonly taken: number;
}
const NONE: Step = { options: [], taken: 0 };

/** The option at a position. Long options may have one hyphen if no short cluster looks the same. */
function readOption(words: readonly ShellWord[], position: number, values: OptionValues): Step {
  const word = words[position];
  const text = word?.values[0] ?? "";
  // The first character is compared before the expression runs: most words are operands.
  if (!word || text[0] !== "-" || text === "--" || !/^-[^\s]/.test(text)) return NONE;
  const next = words[position + 1] ?? null;
  if (text.startsWith("--") || (text.length > 2 && isNamed(text, values))) {
    const equals = text.indexOf("=");
    if (equals !== -1) return { options: [{ name: text.slice(0, equals), value: part(word, equals + 1) }], taken: 1 };
    const takesNext = wordsOf(values.long ?? "").has(text.replace(/^-+/, ""));
    return { options: [{ name: text, value: takesNext ? next : null }], taken: takesNext && next ? 2 : 1 };
  }
  const { short = "" } = values;
  const options: ReadOption[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const name = `-${text[at]}`;
    if (!short.includes(text[at] ?? "")) {
      options.push({ name, value: null });
      continue;
    }
    const isLast = at + 1 === text.length;
    options.push({ name, value: isLast ? next : part(word, at + 1) });
    return { options, taken: isLast && next ? 2 : 1 };
  }
  return { options, taken: 1 };
}

/** True if the table knows an option of several letters with one hyphen by this name. */
function isNamed(text: string, { long = "", flags = {} }: OptionValues): boolean {
  const name = text.split("=")[0] ?? "";
  if (wordsOf(long).has(name.slice(1))) return true;
  for (const meaning in flags) if (wordsOf(flags[meaning] ?? "").has(name)) return true;
  return false;
}

/** The options before the first operand, and the operand's position. */
export function readLeading(
  words: readonly ShellWord[],
  values: OptionValues,
): { readonly options: readonly ReadOption[]; readonly end: number } {
  const options: ReadOption[] = [];
  let end = 0;
  while (end < words.length) {
    if (words[end]?.values[0] === "--") return { options, end: end + 1 };
    const step = readOption(words, end, values);
    if (step.taken === 0) break;
    options.push(...step.options);
    end += step.taken;
  }
  return { options, end };
}

/** All options and operands in any order, as GNU programs accept them. */
export function readWords(words: readonly ShellWord[], values: OptionValues): ReadWords {
  const options: ReadOption[] = [];
  const operands: ShellWord[] = [];
  for (let at = 0; at < words.length; ) {
    const word = words[at];
    if (!word) break;
    if (word.values[0] === "--" && word.isKnown) {
      operands.push(...words.slice(at + 1));
      break;
    }
    const step = readOption(words, at, values);
    if (step.taken === 0) operands.push(word);
    else options.push(...step.options);
    at += Math.max(1, step.taken);
  }
  return { options, operands };
}
