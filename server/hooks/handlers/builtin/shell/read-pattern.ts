/** Patterns of known reads: a command matches as a whole, in the way it is written and in the way the shell reads it. */
import type { ReadRow } from "./taxonomy/reads.ts";

export interface ReadPattern {
  readonly row: ReadRow;
  /** Matches the normalised text. */
  readonly written: RegExp;
  /** Match the words without quotes, one each. */
  readonly words: readonly RegExp[];
  /** More words may follow; at least one does. */
  readonly isOpen: boolean;
}

interface WordForm {
  readonly written: string;
  readonly read: string;
}

const ANY: WordForm = { written: "[^\\s-]\\S*", read: "[^-][\\s\\S]*" };
const LINES = "[0-9]+(?:,[0-9]+)?p";

/** Words that say more than "any word that is no flag". */
const FORMS: Readonly<Record<string, WordForm>> = {
  "<flags>": { written: "\\S+", read: "[\\s\\S]+" },
  "<number>": { written: "[0-9]+", read: "[0-9]+" },
  // The last line, `$`, is only in single quotes no variable.
  "<sed-print>": {
    written: `(?:${LINES}|'[0-9]+(?:,(?:[0-9]+|\\$))?p'|"${LINES}")`,
    read: "[0-9]+(?:,(?:[0-9]+|\\$))?p",
  },
  "<read-path>": { written: "(?:[a-z0-9_./][a-z0-9_./-]*|'[^-'][^']*'|\"[^-\"$\\\\][^\"$\\\\]*\")", read: ANY.read },
};

export function compileRead(row: ReadRow): ReadPattern {
  const words = row.pattern.split(" ");
  const isOpen = words.at(-1) === "...";
  const closed = isOpen ? words.slice(0, -1) : words;
  const written = closed.map((word) => formOf(word, "written")).join(" ");
  return {
    row,
    written: new RegExp(`^${written}${isOpen ? " [\\s\\S]+" : ""}$`),
    words: closed.map((word) => new RegExp(`^${formOf(word, "read")}$`)),
    isOpen,
  };
}

function formOf(word: string, how: keyof WordForm): string {
  return word.replace(/<[^<>]+>|[^<>]+/g, (part) =>
    part.startsWith("<") ? (FORMS[part] ?? ANY)[how] : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
  );
}

/** True if the words that the shell reads are those of the pattern. */
export function readsAs({ words, isOpen }: ReadPattern, read: readonly string[]): boolean {
  if (isOpen ? read.length <= words.length : read.length !== words.length) return false;
  return words.every((word, at) => word.test(read[at] ?? "")) && (!isOpen || read[words.length] !== "");
}
