/** Carriers: commands that run the command in their arguments. The carried command is examined separately. */
import { parseCommandLine } from "./parse.ts";

const CARRIERS: ReadonlySet<string> = new Set([
  ...["sudo", "doas", "su", "env", "command", "builtin", "exec", "eval", "nice", "ionice", "nohup", "time", "timeout"],
  ...[
    "setsid",
    "stdbuf",
    "unbuffer",
    "chroot",
    "unshare",
    "nsenter",
    "watch",
    "xargs",
    "parallel",
    "busybox",
    "toybox",
  ],
  ...[
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "ash",
    "fish",
    "ssh",
    "trap",
    "docker",
    "podman",
    "kubectl",
    "strace",
    "script",
  ],
]);
/** Carriers that add arguments. */
const ADDS_ARGUMENTS: ReadonlySet<string> = new Set(["xargs", "parallel"]);
const EXECS: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

/** The number of words of a carrier that are searched for a command. */
const WORDS_MAX = 24;
const DEPTH_MAX = 4;
const CANDIDATES_MAX = 64;

/** `words`, with the program name without a path, and every command that it may run. */
export function listCarriedCommands(words: readonly string[], depth = 0): string[][] {
  const [first, ...rest] = words;
  if (first === undefined) return [];
  const name = first.slice(first.lastIndexOf("/") + 1);
  const kind = name.toLowerCase();
  if (kind === "find") return found([name, ".", ...rest], depth);
  const self = [name, ...rest];
  if (depth === DEPTH_MAX || !CARRIERS.has(kind)) return [self];
  const all = [self];
  const more = ADDS_ARGUMENTS.has(kind) ? ["argument"] : [];
  for (const [index, word] of rest.slice(0, WORDS_MAX).entries()) {
    if (all.length > CANDIDATES_MAX) break;
    const inner = /[\s;&|]/.test(word) ? linesIn(word) : [[...rest.slice(index), ...more]];
    // A carrier's later words are reached from the carrier itself. Inside, only the carried commands are followed.
    for (const command of inner)
      all.push(...(isCarrier(command[0]) ? listCarriedCommands(command, depth + 1) : [plain(command)]));
  }
  return all.slice(0, CANDIDATES_MAX);
}

function found(find: string[], depth: number): string[][] {
  const at = find.findIndex((word) => EXECS.has(word.toLowerCase()));
  if (at === -1) return [find];
  const inner = listCarriedCommands(find.slice(at + 1), depth + 1);
  // A search runs it for whole trees, like the row in the taxonomy.
  const deletes = inner.some(([name]) => name?.toLowerCase() === "rm");
  return [find, ...inner, ...(deletes ? [["find", ".", "-exec", "rm", "{}", "\\;"]] : [])];
}

function isCarrier(word: string | undefined): boolean {
  const name = word?.slice(word.lastIndexOf("/") + 1).toLowerCase() ?? "";
  return CARRIERS.has(name) || name === "find";
}

function plain([first = "", ...rest]: readonly string[]): string[] {
  return [first.slice(first.lastIndexOf("/") + 1), ...rest];
}

function linesIn(script: string): string[][] {
  return (parseCommandLine(script)?.commands ?? []).map(({ words }) => [...words]);
}
