/** Commands that are known to read and nothing else: those, and no others, may run unasked. */
import { normaliseCommand } from "./normalise.ts";
import type { Parsed } from "./parse.ts";
import { READS } from "./taxonomy/reads.ts";

/** Characters that join, substitute or redirect, quoted or not. */
const META = /[;&|<>`\n\r]|\$\(/;
/** Characters that one reader of a text sees and another does not: control and format characters, strange blanks. */
const UNSEEN = /[\p{C}\p{Z}]/u;

/** Flags that make a read write or run something. Git takes beginnings of a flag for the flag. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  rg: ["--pre", "--pre-glob", "--hostname-bin"],
  git: ["--output", "--ext-diff", "--textconv"],
  kubectl: ["--kubeconfig"],
};
/** Readers with a flag or an argument that writes or runs: what a variable or a pattern would put there is not known. */
const LITERAL_ONLY: ReadonlySet<string> = new Set(["sort", "uniq", "file", "tree", "rg", "git", "kubectl"]);

const READ_WORDS = READS.map((pattern) => pattern.split(" "));

/** True if `command`, read by the shell as `reading`, is on the list of reads, both as written and as read. */
export function isKnownRead(command: string, reading: Parsed): boolean {
  const line = command.endsWith("\n") ? command.slice(0, -1) : command;
  if (META.test(line) || UNSEEN.test(line.replace(/[ \t]+/g, ""))) return false;
  const { only } = reading;
  if (!only) return false;
  const written = normaliseCommand(line).split(" ");
  const read = only.words.map((word) => word.toLowerCase());
  const [name = ""] = read;
  if (LITERAL_ONLY.has(name) && !only.isLiteral) return false;
  if ([...written, ...read].some((word) => isRefused(word, REFUSED[name] ?? []))) return false;
  return READ_WORDS.some((pattern) => matches(pattern, written) && matches(pattern, read));
}

function isRefused(word: string, flags: readonly string[]): boolean {
  const [flag = ""] = word.split("=", 1);
  return flag.length > 3 && flag.startsWith("--") && flags.some((refused) => refused.startsWith(flag));
}

/** Word by word: `...` is all the rest, `-<flags>` any flag, any other `<word>` anything but a flag. */
function matches(pattern: readonly string[], words: readonly string[]): boolean {
  if (pattern.at(-1) !== "..." && pattern.length !== words.length) return false;
  return pattern.every((wanted, index) => {
    const word = words[index] ?? "";
    if (word === "") return false;
    if (wanted === "...") return true;
    if (wanted === "-<flags>") return word.startsWith("-") && word.length > 1;
    return wanted.startsWith("<") ? !word.startsWith("-") : word === wanted;
  });
}
