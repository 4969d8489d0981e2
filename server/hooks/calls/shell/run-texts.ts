/** Commands that let a shell read a text: shells, files, standard input, other languages, PowerShell and cmd. */
import { canonicalProgram } from "../programs.ts";
import { withInput } from "./added-arguments.ts";
import { codeIn, commandsIn, STRINGS_MAX } from "./code-strings.ts";
import { interpreterOf, SHELL_VALUE_OPTIONS } from "./launchers.ts";
import type { OpaqueKind } from "./shell-reading.ts";
import {
  bare,
  type CommandPosition,
  copyOf,
  fileKey,
  type Run,
  type Shell,
  sourceOf,
  withArguments,
} from "./shell-state.ts";
import { cmdletText, cmdText, powerShellText } from "./windows.ts";
import { type Content, constantWord, type ShellWord } from "./word.ts";

/** The part of the script reader that such commands need. */
export interface ScriptReader {
  hide(kind: OpaqueKind, source: string): void;
  readText(text: string, shell: Shell, place: CommandPosition): void;
  run(run: Run, shell: Shell): Content;
}

/** PowerShell, cmd, and cmdlets that run their arguments. */
export function readWindows(
  reader: ScriptReader,
  program: string,
  args: readonly ShellWord[],
  run: Run,
  shell: Shell,
  place: CommandPosition,
): void {
  const { stdin, words } = run;
  if (program === "powershell" || program === "pwsh") {
    const script = powerShellText(args);
    if (script === "encoded") reader.hide("encoded", sourceOf(words));
    else if (script !== null) reader.readText(script.text, copyOf(shell), place);
    else readInput(reader, stdin, words, shell, place);
    return;
  }
  const input = stdin.kind === "text" ? stdin.text : null;
  const text = program === "cmd" ? cmdText(args) : cmdletText(program, args, input);
  if (text !== null) reader.readText(text, copyOf(shell), place);
  if (stdin.kind === "none" || canonicalProgram(program) !== "remove-item") return;
  // The pipe supplies the paths to remove.
  const removed = withInput(args, "behind", stdin);
  if (input === null) reader.hide("unknown", sourceOf(words));
  else reader.run({ ...bare([], place), words: [constantWord("remove-item"), ...removed] }, shell);
}

export function readShellArguments(
  reader: ScriptReader,
  args: readonly ShellWord[],
  run: Run,
  shell: Shell,
  place: CommandPosition,
): void {
  let at = 0;
  for (; at < args.length; at += 1) {
    const text = args[at]?.values[0] ?? "";
    if (SHELL_VALUE_OPTIONS.test(text)) at += 1;
    else if (/^-[A-Za-z]*c[A-Za-z]*$/.test(text)) {
      const start = args.findIndex(({ values: [value] }, index) => index > at && !/^[-+]/.test(value));
      const script = args[start];
      if (start !== -1 && script) reader.readText(script.script, withArguments(shell, args.slice(start + 2)), place);
      return;
    } else if (!/^[-+]./.test(text) || /^-?-s$/.test(text)) break;
  }
  const operand = args[at];
  if (operand && !/^-/.test(operand.values[0])) readFile(reader, operand, run, shell, place);
  else readInput(reader, run.stdin, run.words, shell, place);
}

/** A file that a shell reads. */
export function readFile(
  reader: ScriptReader,
  operand: ShellWord | undefined,
  run: Run,
  shell: Shell,
  place: CommandPosition,
): void {
  if (!operand) return;
  const [path] = operand.values;
  const isInput = path === "-" || path === "/dev/stdin" || path === "/dev/fd/0";
  const content = isInput ? run.stdin : (operand.content ?? shell.files.get(fileKey(shell, path)));
  if (content) readContent(reader, content, run.words, shell, place);
}

export function readInput(
  reader: ScriptReader,
  stdin: Content,
  words: readonly ShellWord[],
  shell: Shell,
  place: CommandPosition,
): void {
  if (stdin.kind !== "none") readContent(reader, stdin, words, shell, place);
}

export function readContent(
  reader: ScriptReader,
  content: Content,
  words: readonly ShellWord[],
  shell: Shell,
  place: CommandPosition,
): void {
  if (content.kind === "text") reader.readText(content.text, copyOf(shell), place);
  else if (content.kind !== "none") reader.hide(content.kind, sourceOf(words));
}

export function readInterpreter(
  reader: ScriptReader,
  program: string,
  args: readonly ShellWord[],
  run: Run,
  shell: Shell,
  place: CommandPosition,
): void {
  const isAwk = interpreterOf(program).endsWith("awk");
  const code = codeIn(program, args);
  const { stdin } = run;
  if (code.length === 0 && args.every(({ values: [value] }) => value.startsWith("-"))) {
    if (stdin.kind === "text") code.push(stdin.text);
    else if (stdin.kind !== "none") reader.hide(stdin.kind, sourceOf(run.words));
  }
  for (const text of code) {
    if (!isAwk) reader.hide("language", text);
    const commands = commandsIn(text);
    if (commands.length >= STRINGS_MAX) reader.hide("too_long", text);
    for (const command of commands) reader.readText(command, copyOf(shell), place);
  }
}
