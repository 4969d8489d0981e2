/**
 * Converts PowerShell and cmd texts to texts that the shell reader accepts: forward slashes, resolved escapes, variables by
 * meaning. Pure.
 */
import type { ShellWord } from "./word.ts";

const HOMES = /\$\{?env:(?:USERPROFILE|HOMEPATH|HOME)\}?|%(?:USERPROFILE|HOMEPATH)%/gi;
const SYSTEM_ROOTS = /\$\{?env:(?:SystemRoot|windir)\}?|%(?:SystemRoot|windir)%/gi;
const SYSTEM_DRIVES = /\$\{?env:(?:SystemDrive|HOMEDRIVE)\}?|%(?:SystemDrive|HOMEDRIVE)%/gi;
const TEMPORARY = /\$\{?env:(?:TEMP|TMP)\}?|%(?:TEMP|TMP)%/gi;

function posixText(text: string): string {
  return text
    .replace(HOMES, "~")
    .replace(SYSTEM_ROOTS, "C:/Windows")
    .replace(SYSTEM_DRIVES, "C:")
    .replace(TEMPORARY, "/tmp")
    .replaceAll("\\", "/")
    .replace(/\$env:(\w+)/gi, "$$$1")
    .replace(/%(\w+)%/g, "$$$1");
}

/** A backtick escapes, and continues a line. */
export const fromPowerShell = (text: string): string =>
  posixText(text.replace(/`(\r?\n)?/g, (_, line) => (line ? " " : "")));

/** A caret escapes. */
export const fromCmd = (text: string): string => posixText(text.replace(/\^(\r?\n)?/g, ""));

const unquoted = (source: string): string => source.replace(/^(["'])([\s\S]*)\1$/, "$2");

/** The words as written. Where a backslash is not an escape, the shell's reading is wrong. */
export const writtenText = (words: readonly ShellWord[]): string =>
  words.map(({ source }) => unquoted(source)).join(" ");

/** The text of `-EncodedCommand`; null if it cannot be decoded. */
function decodedCommand(text: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    return new TextDecoder("utf-16le", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The script in the arguments of `powershell`; `encoded` if it cannot be decoded, null if there is no script. */
export function powerShellText(args: readonly ShellWord[]): { readonly text: string } | "encoded" | null {
  for (const [index, { values }] of args.entries()) {
    const option = values[0].toLowerCase();
    const rest = args.slice(index + 1);
    if (/^[-/](?:c|co|com|comm|comma|comman|command)$/.test(option)) return { text: fromPowerShell(writtenText(rest)) };
    if (/^[-/]e(?:c|n|nc|nco|ncod|ncode|ncoded\w*)?$/.test(option)) {
      const text = decodedCommand(rest[0]?.values[0] ?? "");
      return text === null ? "encoded" : { text: fromPowerShell(text) };
    }
    if (/^[-/]f(?:i|il|ile)?$/.test(option)) return null;
    if (
      /^[-/](?:ex|ep|executionpolicy|w|windowstyle|v|version|of|outputformat|if|inputformat|workingdirectory|wd|psconsolefile|configurationname)/.test(
        option,
      )
    )
      continue;
    const before = args[index - 1]?.values[0].toLowerCase() ?? "";
    const isValue = /^[-/](?:ex|ep|w|v|of|outputformat|if|inputformat|psc|conf)/.test(before);
    if (!/^[-/]/.test(option) && !isValue) return { text: fromPowerShell(writtenText(args.slice(index))) };
  }
  return null;
}

/** The command text that `cmd` runs; null without `/c`, `/k` or `/r`. */
export function cmdText(args: readonly ShellWord[]): string | null {
  const at = args.findIndex(({ values: [value] }) => /^\/[ckr]$/i.test(value));
  return at === -1 ? null : fromCmd(writtenText(args.slice(at + 1)).replace(/^"|"$/g, ""));
}

/** The text that a cmdlet runs, with `$_` as the input, for cmdlets that run a block or a program. */
export function cmdletText(program: string, args: readonly ShellWord[], input: string | null): string | null {
  if (BLOCKS.has(program)) {
    const text = writtenText(args);
    const [, block] = /\{([\s\S]*?)\}?$/.exec(text) ?? [];
    if (block === undefined) return null;
    return fromPowerShell(
      input === null ? block : block.replace(/\$_(?:\.\w+)?/g, () => `'${input.replaceAll("'", "")}'`),
    );
  }
  if (!STARTERS.has(program)) return null;
  return fromPowerShell(
    writtenText(args)
      .replace(/(?:^|\s)-\w+/g, " ")
      .replace(/[,"']/g, " "),
  );
}

const BLOCKS: ReadonlySet<string> = new Set(["foreach-object", "foreach", "%", "invoke-command", "icm", "start-job"]);
const STARTERS: ReadonlySet<string> = new Set(["start-process", "saps", "start"]);

/** A word of a Windows program: as written, with forward slashes, options in lower case. */
export function windowsWord(word: ShellWord): ShellWord {
  if (!word.isKnown) return word;
  // The known value of a variable takes precedence.
  const text = posixText(word.source.includes("$") ? word.values[0] : unquoted(word.source));
  const value = /^[-/][a-z]/i.test(text) && !/^\/.*\//.test(text) ? text.toLowerCase() : text;
  return { ...word, values: [value], prefix: value, script: value };
}
