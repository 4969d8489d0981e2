/** Patterns of known reads. The whole command must match, both as written and as the shell parses it. */
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

/** Word forms more specific than "any word that is not a flag". */
const FORMS: Readonly<Record<string, WordForm>> = {
  "<flags>": { written: "\\S+", read: "[\\s\\S]+" },
  "<number>": { written: "[0-9]+", read: "[0-9]+" },
  // `$` (the last line) is not a variable only in single quotes.
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

/** True if the parsed words match the pattern. */
export function readsAs({ words, isOpen }: ReadPattern, read: readonly string[]): boolean {
  if (isOpen ? read.length <= words.length : read.length !== words.length) return false;
  return words.every((word, at) => word.test(read[at] ?? "")) && (!isOpen || read[words.length] !== "");
}
