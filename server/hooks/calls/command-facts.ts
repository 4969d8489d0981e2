/** The facts about a shell command that rules match: program, subcommand, flags by meaning, paths and hosts. Pure. */
import { type Host, hostOf, remoteHostOf } from "./hosts.ts";
import { FILES_MAX, filesAtMost, patchPaths } from "./patch.ts";
import type { PathAccess, PathClass } from "./path-class-names.ts";
import { absolutePath, classesOf, type PathPlace } from "./path-classes.ts";
import { canonicalProgram, isWindowsProgram, type Program, programFacts } from "./programs.ts";
import { resolvePath } from "./shell/directory.ts";
import { type ReadOption, readLeading, readWords, wordsOf } from "./shell/options.ts";
import type { ShellCommand } from "./shell/shell-reading.ts";
import { windowsWord } from "./shell/windows.ts";
import { constantWord, type ShellWord } from "./shell/word.ts";

export interface CallPath {
  /** As it is written. */
  readonly source: string;
  /** Absolute if possible; null if unknown. */
  readonly path: string | null;
  readonly access: PathAccess;
  readonly classes: ReadonlySet<PathClass>;
}

export interface CommandFacts {
  readonly program: string;
  /** The leading operands that are words: "push", "remote add". */
  readonly subcommands: readonly string[];
  readonly operands: readonly ShellWord[];
  /** Flags by meaning, and as written without hyphens. Computed on first use, as are the members below. */
  readonly flags: ReadonlySet<string>;
  readonly paths: readonly CallPath[];
  readonly hosts: readonly Host[];
  /** Names of changed git settings, in lower case. */
  readonly settings: readonly string[];
  readonly command: ShellCommand;
  /** True if it has more paths than are read. */
  readonly isCut: boolean;
}

const SUBCOMMANDS_MAX = 3;

export function commandFacts(command: ShellCommand, place: PathPlace): CommandFacts {
  // `git-reset` means `git reset`.
  const split = command.program.startsWith("git-") ? command.program.slice("git-".length) : undefined;
  const program = split === undefined ? canonicalProgram(command.program) : "git";
  const facts = programFacts(program);
  const given = argumentsOf(command, program, split);
  const args = facts.hasBareOptions ? withHyphen(given) : given;
  return new Facts(command, place, { program, isNetwork: facts.isNetwork === true, ...readBy(facts, args) });
}

interface ReadWords extends ReturnType<typeof readBy> {
  readonly program: string;
  readonly isNetwork: boolean;
}

/** Few rules need all facts of a command, and a call may have a thousand commands. */
class Facts implements CommandFacts {
  readonly command: ShellCommand;
  readonly program: string;
  readonly subcommands: readonly string[];
  readonly operands: readonly ShellWord[];
  readonly #place: PathPlace;
  readonly #read: ReadWords;
  #flags: ReadonlySet<string> | undefined;
  #paths: readonly CallPath[] | undefined;
  #hosts: readonly Host[] | undefined;

  constructor(command: ShellCommand, place: PathPlace, read: ReadWords) {
    this.command = command;
    this.program = read.program;
    this.subcommands = read.subcommands;
    this.operands = read.operands;
    this.#place = place;
    this.#read = read;
  }

  get flags(): ReadonlySet<string> {
    const { used, options } = this.#read;
    this.#flags ??= flagsOf(this.program, this.subcommands, used, options, this.operands);
    return this.#flags;
  }

  get paths(): readonly CallPath[] {
    const { used, options } = this.#read;
    this.#paths ??= pathsOf(used, options, this.operands, this.command, this.#place);
    return this.#paths;
  }

  get hosts(): readonly Host[] {
    const { used, options, isNetwork } = this.#read;
    this.#hosts ??= hostsOf(isNetwork || used.isNetwork === true, options, this.operands);
    return this.#hosts;
  }

  get settings(): readonly string[] {
    return this.program === "git" ? settingsOf(this.#read.options, this.subcommands) : NO_NAMES;
  }

  get isCut(): boolean {
    const words = this.#read.options.length + this.operands.length + this.command.redirects.length + 1;
    const inPatches = patchTexts(this.command).reduce((sum, text) => sum + filesAtMost(text), 0);
    return words + inPatches >= FILES_MAX && this.paths.length >= FILES_MAX;
  }
}

function argumentsOf({ args }: ShellCommand, program: string, split: string | undefined): readonly ShellWord[] {
  if (split !== undefined) return [constantWord(split), ...args];
  if (!isWindowsProgram(program) || (program === "rmdir" && !args.some(({ source }) => /[\\:]|^\/[sq]$/i.test(source))))
    return args;
  return args.map(windowsWord);
}

/** `tar xf x` means `tar -xf x`. */
function withHyphen([first, ...rest]: readonly ShellWord[]): readonly ShellWord[] {
  if (!first) return [];
  const [text] = first.values;
  return [
    /^[A-Za-z]+$/.test(text) ? { ...constantWord(`-${text}`, first.source), isKnown: first.isKnown } : first,
    ...rest,
  ];
}

const NO_NAMES: readonly string[] = [];

function readBy(facts: Program, args: readonly ShellWord[]) {
  if (!facts.subcommands) {
    const { options, operands } = readWords(args, facts);
    return { used: facts, options, operands, subcommands: namesIn(facts, operands) };
  }
  const { options: leading, end } = readLeading(args, facts);
  const subcommand = args[end]?.values[0] ?? "";
  const used = facts.subcommands[subcommand] ?? { operands: "none" };
  const { options, operands } = readWords(args.slice(end + 1), used);
  const subcommands = subcommand === "" ? [] : [subcommand, ...namesIn(used, operands)];
  return { used, options: [...leading, ...options], operands, subcommands };
}

function namesIn({ aliases = {} }: Program, operands: readonly ShellWord[]): string[] {
  return operands
    .slice(0, SUBCOMMANDS_MAX)
    .map(({ values: [value] }, index) => (index === 0 ? (aliases[value] ?? value) : value));
}

function flagsOf(
  program: string,
  subcommands: readonly string[],
  { flags = {} }: Program,
  options: readonly ReadOption[],
  operands: readonly ShellWord[],
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { name } of options) {
    found.add(name.replace(/^-+/, ""));
    for (const meaning in flags) if (isNamed(name, wordsOf(flags[meaning] ?? ""))) found.add(meaning);
  }
  // Options of Windows programs: `del /s`.
  for (const {
    values: [value],
  } of operands)
    if (value.startsWith("/"))
      for (const meaning in flags) if (wordsOf(flags[meaning] ?? "").has(value.toLowerCase())) found.add(meaning);
  if (program === "git" && subcommands[0] === "push") {
    if (operands.some(({ values: [value] }) => value.startsWith("+"))) found.add("force");
    if (operands.some(({ values: [value] }) => value.startsWith(":") && value.length > 1)) found.add("delete");
  }
  return found;
}

function settingsOf(options: readonly ReadOption[], subcommands: readonly string[]): string[] {
  const given = options.flatMap(({ name, value }) =>
    name === "-c" && value ? [value.values[0].split("=")[0] ?? ""] : [],
  );
  return [...given, ...(subcommands[0] === "config" ? subcommands.slice(1) : [])].map((one) => one.toLowerCase());
}

/** GNU programs accept a prefix of a long option. PowerShell's names have one hyphen and ignore case. */
function isNamed(name: string, names: ReadonlySet<string>): boolean {
  if (names.has(name) || names.has(name.toLowerCase())) return true;
  return name.startsWith("--") && name.length > 4 && [...names].some((one) => one.startsWith(name));
}

function pathsOf(
  facts: Program,
  options: readonly ReadOption[],
  operands: readonly ShellWord[],
  command: ShellCommand,
  place: PathPlace,
): CallPath[] {
  const paths = command.redirects.map(({ access, target }) => asPath(target, access, command, place));
  for (const { name, value } of options) {
    const access = facts.files?.[name];
    if (access !== undefined && value) paths.push(asPath(value, access, command, place));
    // `curl -d @file` reads a file; `@-` is the standard input.
    else if (value?.values[0].startsWith("@") && value.values[0] !== "@-" && facts.isNetwork)
      paths.push(asPath(withoutFirst(value), "read", command, place));
  }
  const writes = facts.writesWith === undefined ? null : [...wordsOf(facts.writesWith)];
  const isWriting =
    writes !== null && options.some(({ name }) => writes.some((one) => name === one || name.startsWith(`${one}=`)));
  for (const [word, access] of operandUses(facts, operands, options, isWriting))
    paths.push(asPath(word, access, command, place));
  for (const text of patchTexts(command))
    for (const { path, access } of patchPaths(text)) paths.push(asPath(constantWord(path), access, command, place));
  if (/[\\/]/.test(command.name.values[0])) paths.push(asPath(command.name, "execute", command, place));
  return paths;
}

/** Patches in a command's arguments or input. */
function patchTexts({ program, args, stdin }: ShellCommand): string[] {
  if (program !== "apply_patch" && program !== "patch" && program !== "git") return [];
  return [...args.map(({ script }) => script), ...(stdin.kind === "text" ? [stdin.text] : [])];
}

function* operandUses(
  { operands: use }: Program,
  words: readonly ShellWord[],
  options: readonly ReadOption[],
  isWriting: boolean,
): Generator<readonly [ShellWord, PathAccess]> {
  switch (use) {
    case "none":
      return;
    case "remote":
      return;
    case "assignments":
      for (const word of words) {
        const [, name, value] = /^(if|of)=(.*)$/.exec(word.values[0]) ?? [];
        if (name !== undefined && value !== undefined)
          yield [{ ...constantWord(value, word.source), isKnown: word.isKnown }, name === "of" ? "write" : "read"];
      }
      return;
    case "pattern": {
      // The first operand is the pattern, unless an option gives it.
      const hasPattern = options.some(({ name }) => /^(?:-e|-f|--regexp|--expression|--file)$/.test(name));
      for (const word of hasPattern ? words : words.slice(1)) yield [word, isWriting ? "write" : "read"];
      return;
    }
    case "copy":
    case "move":
    case "link": {
      const isInto = options.some(({ name }) => name === "-t" || name === "--target-directory");
      const last = isInto ? -1 : words.length - 1;
      for (const [index, word] of words.entries()) {
        if (/^[\w.@-]+:(?!\\)/.test(word.values[0]) && !/^[A-Za-z]:[\\/]/.test(word.values[0])) continue;
        if (index === last && words.length > 1) yield [word, "write"];
        else if (use !== "link") yield [word, use === "move" ? "delete" : "read"];
      }
      return;
    }
    case undefined:
      // For an unknown program, each word that looks like a file is a read.
      for (const word of words)
        if (/[./~\\]/.test(word.values[0]) && hostOf(word.values[0]) === null)
          yield [word, isWriting ? "write" : "read"];
      return;
    default:
      for (const word of words) yield [word, isWriting ? "write" : use];
  }
}

const withoutFirst = (word: ShellWord): ShellWord => ({
  ...constantWord(word.values[0].slice(1), word.source),
  isKnown: word.isKnown,
});

function asPath(word: ShellWord, access: PathAccess, { directory }: ShellCommand, place: PathPlace): CallPath {
  const [first] = word.values;
  const resolved = word.isKnown ? resolvePath(directory, first) : null;
  if (resolved === null) {
    // The folder before the unknown part is known.
    const folder = word.prefix.slice(0, word.prefix.lastIndexOf("/") + 1);
    const below = folder === "" ? null : resolvePath(directory, folder);
    const classes =
      below === null || below === "/" ? [] : [...classesOf(below, place)].filter((one) => one !== "everything");
    return { source: word.source, path: null, access, classes: new Set(classes) };
  }
  const classes = new Set(
    word.values.flatMap((value) => [...classesOf(resolvePath(directory, value) ?? value, place)]),
  );
  return { source: word.source, path: absolutePath(resolved, place), access, classes };
}

function hostsOf(isNetwork: boolean, options: readonly ReadOption[], operands: readonly ShellWord[]): Host[] {
  const hosts: Host[] = [];
  const add = (host: Host | null) => {
    if (host && !hosts.some(({ name }) => name === host.name)) hosts.push(host);
  };
  for (const word of [...operands, ...options.flatMap(({ value }) => (value ? [value] : []))]) {
    for (const text of word.values) add(hostOf(word.isKnown ? text : word.prefix));
    if (!isNetwork || !operands.includes(word)) continue;
    for (const text of word.values) add(bareHostOf(word.isKnown ? text : word.prefix));
    // An unknown address matches no list.
    if (!word.isKnown && hostOf(word.prefix) === null) add({ name: "", source: word.source });
  }
  return hosts;
}

/** `example.org/path`, `0x7f000001`, `user@host`, `host:path`. */
function bareHostOf(text: string): Host | null {
  const isName = /^[\w-]+(?:\.[\w-]+)+(?:[:/].*)?$/.test(text) || /^(?:0x[\da-f]+|\d{8,10})(?:[:/].*)?$/i.test(text);
  return remoteHostOf(text) ?? (isName || text === "localhost" ? hostOf(text, true) : null);
}
