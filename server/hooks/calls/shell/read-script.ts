/** Reads a shell script as the commands that it may run. Follows every branch and executes nothing. Pure. */
import {
  type Assignment,
  type Command,
  type CommandNode,
  type Function as FunctionNode,
  forEachChild,
  type ParsedScript,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
} from "unbash";
import { canonicalProgram } from "../programs.ts";
import { ARGUMENTS_MAX, withInput } from "./added-arguments.ts";
import { contentOf, downloadedFiles } from "./content.ts";
import { changedDirectory } from "./directory.ts";
import { callsItself } from "./fork-bomb.ts";
import { COMMAND_VARIABLES, INTERPRETERS, interpreterOf, SHELLS } from "./launchers.ts";
import { readWords } from "./options.ts";
import { readWord } from "./read-word.ts";
import {
  readContent,
  readFile,
  readInput,
  readInterpreter,
  readShellArguments,
  readWindows,
  type ScriptReader,
} from "./run-texts.ts";
import {
  FORK_BOMB,
  type Opaque,
  type OpaqueKind,
  type ShellCommand,
  type ShellReading,
  type ShellRedirect,
} from "./shell-reading.ts";
import {
  bare,
  type CommandPosition,
  copyOf,
  fileKey,
  kindOf,
  NOTHING,
  newShell,
  programOf,
  type Run,
  type Shell,
  SOURCE_MAX,
  sourceOf,
  UNKNOWN,
  withArguments,
} from "./shell-state.ts";
import { launchedBy } from "./unwrap.ts";
import { VALUES_MAX } from "./variables.ts";
import { type Content, constantWord, FIELDS_MAX, type ShellWord } from "./word.ts";

/** Bytes of UTF-16 text in one call. */
const LENGTH_MAX = 262_144;
const DEPTH_MAX = 12;
const COMMANDS_MAX = 2_000;
const OPAQUE_MAX = 64;
export function readScript(text: string): ShellReading {
  const reader = new Reader();
  reader.readText(text, newShell(), { parent: null, depth: 0 });
  return { commands: reader.commands, opaque: reader.opaque };
}

/** The commands of a call with separate program and arguments. */
export function readProgram(words: readonly string[]): ShellReading {
  const reader = new Reader();
  const shell = newShell();
  const given = words.map((word) => constantWord(word));
  reader.run({ words: given, assignments: [], redirects: [], stdin: NOTHING, parent: null, depth: 0 }, shell);
  return { commands: reader.commands, opaque: reader.opaque };
}

const REASONS: Readonly<Record<OpaqueKind, string>> = {
  unknown: "The command that runs is known at run time only.",
  download: "It runs what it downloads.",
  encoded: "It runs what it decodes.",
  language: "It runs code in another language.",
  unreadable: "The shell's syntax cannot be read.",
  too_long: "It is longer or deeper than what is read.",
  misleading: "A name has characters that look like others or cannot be seen.",
};

class Reader implements ScriptReader {
  readonly commands: ShellCommand[] = [];
  readonly opaque: Opaque[] = [];
  /** The output of substituted scripts. */
  readonly #outputs = new Map<ParsedScript, Content>();
  /** Functions and aliases in progress, to stop recursion. */
  readonly #active = new Set<string>();
  #length = 0;

  hide(kind: OpaqueKind, source: string): void {
    // Each kind of reason is kept, even above the limit.
    if (this.opaque.length < OPAQUE_MAX || !this.opaque.some((one) => one.kind === kind))
      this.opaque.push({ kind, reason: REASONS[kind], source: source.slice(0, SOURCE_MAX) });
  }

  /** A text that a shell reads. */
  readText(text: string, shell: Shell, place: CommandPosition): void {
    this.#length += text.length;
    if (text.includes("\0")) this.hide("unreadable", text);
    const script = this.#length > LENGTH_MAX || place.depth > DEPTH_MAX ? null : parsed(text);
    if (script) this.#script(script, shell, place);
    else this.hide("too_long", text);
  }

  /** Returns the output of a script with one statement. */
  #script(script: ParsedScript, shell: Shell, place: CommandPosition): Content {
    if (place.depth > DEPTH_MAX) {
      this.hide("too_long", "");
      return UNKNOWN;
    }
    const { errors = [], source = "" } = script;
    if (errors.length > 0) this.hide(errors.some(isBound) ? "too_long" : "unreadable", source);
    let output: Content = NOTHING;
    for (const statement of script.commands) output = this.#node(statement, shell, place, NOTHING);
    return script.commands.length === 1 ? output : UNKNOWN;
  }

  /** Returns the node's standard output. */
  #node(node: SyntaxNode, shell: Shell, place: CommandPosition, stdin: Content): Content {
    switch (node.type) {
      case "Command":
        return this.#command(node, shell, place, stdin);
      case "Statement":
        return this.#node(node.command, shell, place, stdin);
      case "Pipeline":
        return this.#pipeline(node.commands, shell, place, stdin);
      case "Redirected": {
        const { redirects, input } = this.#redirects(node.redirects, shell, place, stdin);
        const output = this.#node(node.command, shell, place, input);
        this.#write(redirects, output, shell);
        if (redirects.length > 0) this.run(bare(redirects, place), shell);
        return output;
      }
      case "Function":
        return this.#function(node, shell, place);
      case "For":
      case "Select": {
        const values = (node.wordlist ?? []).flatMap((word) => this.#words(word, shell, place));
        const texts = values.flatMap((word) => word.values);
        const isKnown = node.wordlist !== undefined && values.every((word) => word.isKnown && !word.isPattern);
        if (texts.length > FIELDS_MAX) this.hide("too_long", node.name.text);
        // A variable holds at most VALUES_MAX values, so a longer list is read in parts.
        for (let at = 0; at + VALUES_MAX < Math.min(texts.length, FIELDS_MAX); at += VALUES_MAX) {
          const turn = copyOf(shell);
          turn.variables.replace(node.name.value, { texts: texts.slice(at, at + VALUES_MAX), isKnown });
          this.#node(node.body, turn, place, stdin);
        }
        const last = texts.slice(-(texts.length % VALUES_MAX || VALUES_MAX));
        shell.variables.set(node.name.value, { texts: last.length > 0 ? last : [""], isKnown });
        return this.#node(node.body, shell, place, stdin);
      }
      case "Subshell":
        return this.#node(node.body, copyOf(shell), place, stdin);
      case "Word":
        this.#words(node, shell, place);
        return UNKNOWN;
      case "CommandExpansion":
      case "ProcessSubstitution":
      case "ArithmeticCommandExpansion":
        if (node.script) {
          const output = this.#script(node.script, copyOf(shell), { ...place, depth: place.depth + 1 });
          this.#outputs.set(node.script, output);
        }
        return UNKNOWN;
      default:
        return this.#children(node, shell, place, stdin);
    }
  }

  #children(node: SyntaxNode, shell: Shell, place: CommandPosition, stdin: Content): Content {
    const outputs: Content[] = [];
    forEachChild(node, (child) => void outputs.push(this.#node(child, shell, place, stdin)));
    const written = outputs.filter(({ kind }) => kind !== "none");
    return written.length === 1 ? (written[0] ?? UNKNOWN) : UNKNOWN;
  }

  #pipeline(nodes: readonly CommandNode[], shell: Shell, place: CommandPosition, stdin: Content): Content {
    let input = stdin;
    for (const node of nodes) input = this.#node(node, copyOf(shell), place, input);
    return input;
  }

  #function(node: FunctionNode, shell: Shell, place: CommandPosition): Content {
    const name = node.name.value;
    if (callsItself(node, name))
      this.run({ ...bare([], place), words: [constantWord(FORK_BOMB, node.name.text)] }, shell);
    this.#node(node.body, copyOf(shell), place, UNKNOWN);
    shell.functions.set(name.toLowerCase(), { body: node.body });
    return NOTHING;
  }

  #words(word: Word, shell: Shell, place: CommandPosition): ShellWord[] {
    for (const part of word.parts ?? []) this.#substitutions(part, shell, place);
    return readWord(word, {
      variables: shell.variables,
      outputOf: (script) => this.#outputOf(script, shell),
      contentOf: (script) => (script && this.#outputs.get(script)) ?? UNKNOWN,
      onCut: () => this.hide("too_long", word.text),
    });
  }

  #substitutions(node: SyntaxNode, shell: Shell, place: CommandPosition): void {
    if (node.type === "Literal" || node.type === "SingleQuoted") return;
    if ("script" in node) this.#node(node, shell, place, NOTHING);
    else forEachChild(node, (child) => this.#substitutions(child, shell, place));
  }

  #outputOf(script: ParsedScript | undefined, shell: Shell): string | null {
    const only = script?.commands.length === 1 ? script.commands[0]?.command : undefined;
    if (only?.type === "Command" && only.name) {
      const [name, first] = [only.name.value, only.args.find(({ text }) => !text.startsWith("-"))];
      if (name === "pwd" && shell.directory !== null) return shell.directory;
      if (/^(?:which|type|whereis)$/.test(name) || (name === "command" && only.args[0]?.text === "-v"))
        return first?.type === "Word" ? first.value : null;
      if (name === "git" && only.args.some(({ text }) => text === "--show-toplevel")) return ".";
      if (name === "mktemp") return "/tmp/mktemp";
    }
    const content = (script && this.#outputs.get(script)) ?? UNKNOWN;
    return content.kind === "text" ? content.text : null;
  }

  #redirects(nodes: readonly Redirection[], shell: Shell, place: CommandPosition, stdin: Content) {
    let input = stdin;
    const redirects: ShellRedirect[] = [];
    for (const node of nodes) {
      if (node.type === "HereDoc") {
        for (const part of node.body.parts ?? []) this.#substitutions(part, shell, place);
        input = { kind: "text", text: node.body.text };
        continue;
      }
      const [target] = node.target ? this.#words(node.target, shell, place) : [];
      if (node.type === "HereString") input = target ? { kind: "text", text: target.script } : UNKNOWN;
      else if (target && !/^(?:\d+|-)$/.test(target.values[0])) {
        const isRead = node.operator === "<" || node.operator === "<&";
        redirects.push({ access: isRead ? "read" : "write", target });
        if (isRead) input = target.content ?? shell.files.get(fileKey(shell, target.values[0])) ?? UNKNOWN;
      }
    }
    return { redirects, input };
  }

  #command(node: Command, shell: Shell, place: CommandPosition, stdin: Content): Content {
    const { redirects, input } = this.#redirects(node.redirects, shell, place, stdin);
    const assignments: { name: string; value: ShellWord }[] = [];
    for (const part of node.prefix) {
      if (part.type !== "Assignment") continue;
      const [value = constantWord("")] = part.value.type === "Word" ? this.#words(part.value, shell, place) : [];
      const isPlain = part.value.type === "Word" && part.append !== true && part.index === undefined;
      if (part.value.type === "ArrayValue")
        for (const element of part.value.elements) this.#words(element, shell, place);
      if (!node.name) shell.variables.set(part.name, { texts: value.values, isKnown: value.isKnown && isPlain });
      assignments.push({ name: part.name, value });
    }
    const words: ShellWord[] = node.name ? this.#words(node.name, shell, place) : [];
    for (const word of node.args) {
      if (word.type === "Word") words.push(...this.#words(word, shell, place));
      else words.push(this.#assigned(word, shell, place));
    }
    if (words.length === 0 && redirects.length === 0 && assignments.length === 0) return NOTHING;
    const { parent, depth } = place;
    const output = this.run({ words, assignments, redirects, stdin: input, parent, depth }, shell);
    this.#write(redirects, output, shell);
    return redirects.some(({ access }) => access === "write") ? NOTHING : output;
  }

  /** An argument such as that of `export NAME=value`. */
  #assigned({ name, value: given, text }: Assignment, shell: Shell, place: CommandPosition): ShellWord {
    const [value = constantWord("")] = given.type === "Word" ? this.#words(given, shell, place) : [];
    shell.variables.set(name, { texts: value.values, isKnown: value.isKnown });
    if (value.isKnown) return constantWord(`${name}=${value.values[0]}`, text);
    return { ...value, source: text, script: `${name}=${value.script}` };
  }

  #write(redirects: readonly ShellRedirect[], output: Content, shell: Shell): void {
    for (const { access, target } of redirects)
      if (access === "write") shell.files.set(fileKey(shell, target.values[0]), output);
  }

  /** Reads a command by its words, and everything that it launches. Returns its output. */
  run(run: Run, shell: Shell): Content {
    if (this.commands.length >= COMMANDS_MAX || run.depth > DEPTH_MAX) {
      this.hide("too_long", sourceOf(run.words));
      return UNKNOWN;
    }
    const name = run.words[0];
    const args = run.words.slice(1);
    const names = name ? [...new Set(name.values.map(programOf))] : [""];
    if (name && !name.isKnown && name.values.every((value) => value === ""))
      this.hide(kindOf(name.content), sourceOf(run.words));
    if (name?.isPattern) this.hide("unknown", sourceOf(run.words));
    if (name && /[^\x20-\x7e]/.test(name.values.join(""))) this.hide("misleading", sourceOf(run.words));
    let output: Content = UNKNOWN;
    for (const program of names) output = this.#program(program, name ?? constantWord(""), args, run, shell);
    return output;
  }

  #program(program: string, name: ShellWord, args: readonly ShellWord[], run: Run, shell: Shell): Content {
    const { assignments, redirects, stdin, parent } = run;
    const { directory } = shell;
    const place = { parent: this.commands.length, depth: run.depth + 1 };
    this.commands.push({
      program,
      name,
      args,
      assignments,
      redirects,
      stdin,
      directory,
      parent,
      source: sourceOf(run.words),
    });
    shell.directory = changedDirectory(program, args, directory);
    const file = name.values[0].includes("/") ? shell.files.get(fileKey(shell, name.values[0])) : undefined;
    if (file) readContent(this, file, run.words, shell, place);
    if (program.startsWith("[") && program.length > 2) this.hide("language", sourceOf(run.words));
    readWindows(this, program, args, run, shell, place);
    if (SHELLS.has(program)) readShellArguments(this, args, run, shell, place);
    else if (Object.hasOwn(INTERPRETERS, interpreterOf(program)))
      readInterpreter(this, program, args, run, shell, place);
    else if (canonicalProgram(program) === "eval")
      this.readText(args.map(({ script }) => script).join(" "), shell, place);
    else if (program === "trap" && args[0]) this.readText(args[0].script, copyOf(shell), place);
    else if (program === "alias") this.#alias(args, shell, place);
    else if (program === "set" && args[0]?.values[0] === "--")
      Object.assign(shell, { variables: withArguments(shell, args.slice(1)).variables });
    else if (program === "source" || program === ".") readFile(this, args[0], run, shell, place);
    else if (program === "at" || program === "batch" || program === "crontab")
      readInput(this, stdin, run.words, shell, place);
    else if (program === "ssh" && args.length < 2) readInput(this, stdin, run.words, shell, place);
    if (shell.functions.size > 0 && args.length > 0) this.#called(program, args, shell, place);
    for (const { name: variable, value } of assignments)
      if (COMMAND_VARIABLES.has(variable)) this.readText(value.script, copyOf(shell), place);
    this.#launched(program, args, run, shell, place);
    for (const file of downloadedFiles(program, args)) shell.files.set(fileKey(shell, file), { kind: "download" });
    if (program === "tee")
      for (const {
        values: [file = ""],
      } of readWords(args, {}).operands)
        shell.files.set(fileKey(shell, file), stdin);
    return contentOf({ program, args, stdin, contentOfFile: (path) => shell.files.get(fileKey(shell, path)) });
  }

  #alias(args: readonly ShellWord[], shell: Shell, place: CommandPosition): void {
    for (const { script } of args) {
      const equals = script.indexOf("=");
      const text = script.slice(equals + 1);
      this.readText(text, copyOf(shell), place);
      if (equals > 0) shell.functions.set(script.slice(0, equals).toLowerCase(), { text });
    }
  }

  /** Reads a function or alias of this script with the arguments of this call. Recursive calls are not followed. */
  #called(name: string, args: readonly ShellWord[], shell: Shell, place: CommandPosition): void {
    const called = shell.functions.get(name);
    if (!called || this.#active.has(name)) return;
    this.#active.add(name);
    if ("body" in called) this.#node(called.body, withArguments(shell, args), place, UNKNOWN);
    else this.readText([called.text, ...args.map(({ source }) => source)].join(" "), copyOf(shell), place);
    this.#active.delete(name);
  }

  #launched(program: string, args: readonly ShellWord[], { stdin }: Run, shell: Shell, place: CommandPosition): void {
    for (const launched of launchedBy(program, args)) {
      if ("script" in launched) this.readText(launched.script, copyOf(shell), place);
      else {
        if (
          launched.input &&
          stdin.kind === "text" &&
          stdin.text.split(/[\s\0]+/, ARGUMENTS_MAX + 2).length > ARGUMENTS_MAX
        )
          this.hide("too_long", sourceOf(launched.words));
        const words = launched.input ? withInput(launched.words, launched.input, stdin) : launched.words;
        this.run({ words, assignments: [], redirects: [], stdin: launched.input ? NOTHING : stdin, ...place }, shell);
      }
    }
  }
}

/** True for the parser's own limits, such as that of nested subshells. */
const isBound = ({ message }: { readonly message: string }): boolean => /^maximum .* exceeded$/.test(message);

/** Null if the nesting is too deep for the parser. */
function parsed(text: string): ParsedScript | null {
  try {
    return parse(text);
  } catch {
    return null;
  }
}
