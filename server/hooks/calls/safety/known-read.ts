/** Commands that are known to only read. Only these may run without a question. */
import { normaliseCommand } from "./normalise.ts";
import type { Parsed } from "./parse.ts";
import { compileRead, type ReadPattern, readsAs } from "./read-pattern.ts";
import type { ReadRow } from "./taxonomy/reads.ts";
import type { Taxonomy } from "./taxonomy/versions.ts";
import { hasUnquotedParenthesis } from "./unquoted-parenthesis.ts";

/** Characters that join, substitute or redirect, quoted or not. */
const META = /[;&|<>`\n\r]|\$\(/;
/** Characters that only some readers of a text see: control and format characters, unusual blanks. */
const UNSEEN = /[\p{C}\p{Z}]/u;

/** Flags that make a read command write or run something. Git accepts a prefix of a flag. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  rg: ["--pre", "--pre-glob", "--hostname-bin"],
  git: ["--output", "--ext-diff", "--textconv"],
  kubectl: ["--kubeconfig"],
};

const compiled = new Map<Taxonomy, readonly ReadPattern[]>();

/** The read row that matches `command`, both as written and as parsed by the shell (`reading`); null without a match. */
export function knownRead(command: string, reading: Parsed, taxonomy: Taxonomy): ReadRow | null {
  const line = taxonomy.isLax && command.endsWith("\n") ? command.slice(0, -1) : command;
  if (META.test(line) || UNSEEN.test(line.replace(/[ \t]+/g, ""))) return null;
  if (!taxonomy.isLax && hasUnquotedParenthesis(line)) return null;
  const { only } = reading;
  if (!only) return null;
  const written = normaliseCommand(line);
  const read = only.words.map((word) => word.toLowerCase());
  const [name = ""] = read;
  if (taxonomy.literalOnly.has(name) && !only.isLiteral) return null;
  const words = [...written.split(" "), ...read];
  if (words.some((word) => isRefused(word, REFUSED[name] ?? []))) return null;
  const found = patternsOf(taxonomy).find(
    (one) => one.written.test(written) && readsAs(one, read) && !carries(words, one),
  );
  return found?.row ?? null;
}

function patternsOf(taxonomy: Taxonomy): readonly ReadPattern[] {
  const known = compiled.get(taxonomy);
  if (known) return known;
  const patterns = taxonomy.reads.map(compileRead);
  compiled.set(taxonomy, patterns);
  return patterns;
}

function isRefused(word: string, flags: readonly string[]): boolean {
  const [flag = ""] = word.split("=", 1);
  return flag.length > 3 && flag.startsWith("--") && flags.some((refused) => refused.startsWith(flag));
}

/** True if a word is a flag that the row refuses: alone, with a value, or among other letters. */
function carries(words: readonly string[], { row: { refuses = [] } }: ReadPattern): boolean {
  return refuses.some((flag) =>
    words.some((word) => {
      if (word === flag || word.startsWith(`${flag}=`)) return true;
      return flag.length === 2 && /^-[^-]/.test(word) && word.includes(flag.charAt(1));
    }),
  );
}
