/**
 * Commands in code of other languages. Such code is opaque, but a string that is a command line, or a call that removes a folder,
 * is read as that command. Pure.
 */
import { INTERPRETERS, interpreterOf } from "./launchers.ts";
import type { ShellWord } from "./word.ts";

const STRING =
  /"""([\s\S]*?)"""|'''([\s\S]*?)'''|"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)'|`((?:[^`\\]|\\[\s\S])*)`/g;
/** The limit of strings. More are not read, and the call reports this. */
export const STRINGS_MAX = 1_000;
/** `["rm", "-rf", "/"]` */
const LIST = /[[(]\s*((?:(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')\s*,?\s*){2,32})[\])]/g;
/** Calls that remove a folder recursively: Python, Node, Ruby, PHP, Perl. */
const REMOVALS =
  /\b(?:rmtree|rmSync|rmdirSync|rm_rf|rm_r|remove_dir_all|remove_tree|removeSync|rimraf|fs\.rm|fs\.rmdir|promises\.rm|RemoveAll)\s*\(?\s*["'`]([^"'`]*)["'`]/g;
const PATH = String.raw`["'\x60](?<path>[^"'\x60\n]+)["'\x60]`;
const use = (before: string, after = ""): RegExp => new RegExp(before + PATH + after, "g");
/** Calls that write a file: Python, Node, Ruby, PHP, Perl. */
const WRITES: readonly RegExp[] = [
  use(String.raw`\bopen\s*\(\s*`, String.raw`\s*,\s*(?:mode\s*=\s*)?["'\x60][rb]*[wax+]`),
  use(
    String.raw`\b(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|outputFile|outputFileSync|file_put_contents|(?:File|IO)\.(?:bin)?write)\s*\(\s*`,
  ),
  use(String.raw`\bPath\(\s*`, String.raw`\s*\)\.(?:write_\w+|touch|open\(\s*["'][wax])`),
  /\bopen\s*\(?\s*[^,()]+,\s*["']\s*>{1,2}\s*(?:["']\s*,\s*["'])?(?<path>[^"'>]+)["']/g,
];
/** Calls that read a file. */
const READS: readonly RegExp[] = [
  use(String.raw`\bopen\s*\(\s*`, String.raw`\s*(?:,\s*(?:mode\s*=\s*)?["']r[bt]?["']\s*)?[,)]`),
  use(
    String.raw`\b(?:readFile|readFileSync|createReadStream|file_get_contents|(?:File|IO)\.(?:bin)?read|readlines)\s*\(\s*`,
  ),
  use(String.raw`\bPath\(\s*`, String.raw`\s*\)\.(?:read_\w+|open\(\s*\))`),
];
/** Calls that remove a file. */
const UNLINKS: readonly RegExp[] = [
  use(
    String.raw`\b(?:os\.(?:remove|unlink)|unlinkSync|fs\.unlink|promises\.unlink|File\.(?:delete|unlink)|unlink)\s*\(?\s*`,
  ),
  use(String.raw`\bPath\(\s*`, String.raw`\s*\)\.unlink`),
];
/** Files that awk writes: `print > "file"`. */
const AWK_WRITES = /\bprintf?\b[^;}\n]*>{1,2}\s*"(?<path>[^"\n]+)"/g;
/** A text with the characters of a command line and without a sentence's end. */
const COMMAND = /^[\w~./\\$"'-]+(?:\s|$)/;

const unescaped = (text: string): string =>
  text.replace(/\\(?:x([0-9A-Fa-f]{2})|([\s\S]))/g, (_, hex?: string, char?: string) =>
    hex === undefined ? (char === "n" ? "\n" : (char ?? "")) : String.fromCharCode(Number.parseInt(hex, 16)),
  );

function* stringsIn(code: string): Generator<string> {
  for (const [, ...groups] of code.matchAll(STRING)) {
    const text = groups.find((group) => group !== undefined);
    if (text !== undefined) yield unescaped(text);
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function* pathsIn(code: string, calls: readonly RegExp[]): Generator<string> {
  for (const call of calls)
    for (const { groups } of code.matchAll(call)) yield quoted(unescaped(groups?.path ?? "")).replace(/^'~\//, "~/'");
}

/** The code's file accesses, as commands with the same access. */
const fileCommandsIn = (code: string): string[] => [
  ...[...pathsIn(code, [...WRITES, AWK_WRITES])].map((path) => `: > ${path}`),
  ...[...pathsIn(code, READS)].map((path) => `cat ${path}`),
  ...[...pathsIn(code, UNLINKS)].map((path) => `rm ${path}`),
];

/** Command lines that the code may run. Each one is a guess. */
export function commandsIn(code: string): string[] {
  const found = new Set<string>(fileCommandsIn(code));
  for (const [, path = ""] of code.matchAll(REMOVALS))
    found.add(`rm -rf ${quoted(unescaped(path)).replace(/^'~/, "~'")}`);
  for (const [, list = ""] of code.matchAll(LIST)) {
    const words = [...stringsIn(list)];
    if (words.length > 1) found.add(words.map(quoted).join(" "));
  }
  for (const text of stringsIn(code)) {
    if (found.size >= STRINGS_MAX) break;
    if (text.length > 2 && /\s/.test(text.trim()) && COMMAND.test(text.trim())) found.add(text);
  }
  return [...found].slice(0, STRINGS_MAX);
}

/** The code in an interpreter's arguments, such as after `-c`. */
export function codeIn(program: string, args: readonly ShellWord[]): string[] {
  const language = interpreterOf(program);
  const flags = INTERPRETERS[language] ?? [];
  return args.flatMap((word, index) => {
    const [text] = word.values;
    const flag = flags.find(
      (one) => text === one || (/^-\w$/.test(one) && text.startsWith(one)) || text.startsWith(`${one}=`),
    );
    if (flag !== undefined)
      return [text === flag ? (args[index + 1]?.script ?? "") : word.script.slice(flag.length).replace(/^=/, "")];
    return language.endsWith("awk") && !text.startsWith("-") && text.includes("{") ? [word.script] : [];
  });
}
