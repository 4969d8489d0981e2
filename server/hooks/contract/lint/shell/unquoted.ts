/** Finds hook input that the shell splits, expands or runs, because it is not quoted. */
import type { SyntaxNode, Word, WordPart } from "unbash";
import type { Script, ShellCommand } from "./script.ts";

export interface Unquoted {
  /** The source text: `$cmd`. */
  readonly written: string;
  readonly pos: number;
  readonly end: number;
  /** True if a shell gets it as a program, quoted or not. */
  readonly isRun: boolean;
}

/** Commands that copy their stdin to stdout. */
const READERS = new Set(
  "jq cat sed grep egrep awk cut tr head tail sort python python3 node perl ruby yq gron tee xargs".split(" "),
);

/** Uses of input in a script, in source order. */
export function unquotedInput(script: Script): readonly Unquoted[] {
  const known = found.get(script);
  if (known) return known;
  const uses = usesOf(script);
  found.set(script, uses);
  return uses;
}

/** Results of cached scripts. */
const found = new WeakMap<Script, readonly Unquoted[]>();

function usesOf(script: Script): Unquoted[] {
  const tainted = taintedNames(script);
  const isTainted = (part: SyntaxNode): boolean =>
    part.type === "CommandExpansion" ? readsInput(part.script) : tainted.has(nameOf(part) ?? "");
  return script.commands.flatMap((command) => usesIn(command, isTainted));
}

function usesIn(command: ShellCommand, isTainted: (part: SyntaxNode) => boolean): Unquoted[] {
  const { name, node } = command;
  const runs =
    name === "eval" || (/^(?:ba|da|z|k)?sh$/.test(name) && command.words.some((word) => /^-\w*c$/.test(word)));
  const words = [node.name, ...node.args, ...targets(node.redirects)].flatMap((word) =>
    word?.type === "Word" ? [word] : [],
  );
  return words.flatMap((word) => {
    const isName = word === node.name;
    // The arguments after the program of `sh -c` are quoted like any others.
    const isProgram = runs && (name === "eval" || word === programOf(command));
    const parts = isProgram || isName ? everyPart(word.parts ?? []) : (word.parts ?? []);
    return parts.filter(isTainted).map((part) => {
      const isRun = isProgram || isName;
      return { written: part.text, pos: part.pos, end: part.end, isRun };
    });
  });
}

const targets = (redirects: ShellCommand["node"]["redirects"]): (Word | undefined)[] =>
  redirects.map((one) => (one.type === "Redirect" ? one.target : undefined));

function programOf({ node }: ShellCommand): Word | undefined {
  const words = node.args.flatMap((word) => (word.type === "Word" ? [word] : []));
  return words[words.findIndex(({ value }) => /^-\w*c$/.test(value)) + 1];
}

const everyPart = (parts: readonly WordPart[]): WordPart[] =>
  parts.flatMap((part) => (part.type === "DoubleQuoted" ? [...part.parts] : [part]));

/** Variables with input: read from stdin, or derived from such a variable. */
function taintedNames(script: Script): Set<string> {
  const names = new Set<string>();
  for (const { name, words } of script.commands)
    if (name === "read") for (const word of words) if (/^[A-Za-z_]\w*$/.test(word)) names.add(word);
  // Two rounds: in a loop, a variable may depend on one that is assigned later.
  for (const _round of [1, 2])
    for (const node of script.nodes) {
      if (node.type !== "Assignment" || node.value.type !== "Word") continue;
      const parts = everyPart(node.value.parts ?? []);
      const holds = parts.some((part) =>
        part.type === "CommandExpansion"
          ? readsInput(part.script) || mentions(part.text, names)
          : names.has(nameOf(part) ?? ""),
      );
      if (holds) names.add(node.name);
    }
  return names;
}

function mentions(text: string, names: ReadonlySet<string>): boolean {
  for (const [, name] of text.matchAll(/\$\{?(\w+)/g)) if (names.has(name ?? "")) return true;
  return false;
}

/** True if a substitution's first command reads the hook's stdin: a filter without a file and without a pipe before it. */
function readsInput(tree: { readonly commands: readonly SyntaxNode[] } | undefined): boolean {
  const [first] = tree?.commands ?? [];
  if (first?.type !== "Statement") return false;
  const { command } = first;
  const start = command.type === "Pipeline" || command.type === "AndOr" ? command.commands[0] : command;
  return (
    start?.type === "Command" && READERS.has(start.name?.value ?? "") && !/^\s*cat\s+[^|<]/.test(nameAndArgs(start))
  );
}

const nameAndArgs = ({ name, args }: ShellCommand["node"]): string =>
  [name?.text ?? "", ...args.map(({ text }) => text)].join(" ");

function nameOf(part: SyntaxNode): string | undefined {
  if (part.type === "SimpleExpansion") return part.text.slice(1);
  // A length is always a number.
  return part.type === "ParameterExpansion" && part.prefix !== "#" ? part.parameter : undefined;
}
