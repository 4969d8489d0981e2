/** A hook's shell text as rules look at it: its commands, what it exits with, what it prints, and the tree. */
import { type Command, forEachChild, type ParsedScript, parse, type SyntaxNode } from "unbash";

export interface Script {
  readonly text: string;
  readonly tree: ParsedScript;
  /** Every node, those of nested substitutions included, in the order they are written. */
  readonly nodes: readonly SyntaxNode[];
  readonly commands: readonly ShellCommand[];
  /** The first thing that is no shell at all; null when there is none. */
  readonly error: string | null;
  /** Every status it names in an `exit`. */
  readonly exits: ReadonlySet<number>;
  /** Something depends on something: an if, a case, a loop, `&&` or `||`. */
  readonly branches: boolean;
  /** Scripts given to another shell with `-c`, with that shell's name. */
  readonly inner: readonly { readonly shell: string; readonly script: Script }[];
}

export interface ShellCommand {
  /** Without its directory: `grep` of `/usr/bin/grep`; "" when it is not written out. */
  readonly name: string;
  /** Without quotes, where that is possible. */
  readonly words: readonly string[];
  readonly node: Command;
}

/** Of a policy that is edited, all scripts but one are the ones of a moment ago. Counted in characters of text. */
const KEPT_CHARS_MAX = 1_048_576;
const INNER_MAX = 4;
const kept = new Map<string, Script | null>();
let keptChars = 0;

/** The script of a command text; null when it is nested beyond reading. The last ones are kept. */
export function scriptOf(text: string): Script | null {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const script = read(text, 0);
  kept.set(text, script);
  keptChars += text.length;
  for (const oldest of kept.keys()) {
    if (keptChars <= KEPT_CHARS_MAX) break;
    kept.delete(oldest);
    keptChars -= oldest.length;
  }
  return script;
}

function read(text: string, depth: number): Script | null {
  try {
    const tree = parse(text);
    const nodes = flattened(tree);
    const commands = nodes.flatMap((node) => (node.type === "Command" ? [shellCommand(node)] : []));
    const inner = depth < INNER_MAX ? commands.flatMap((command) => innerScript(command, depth)) : [];
    const exits = new Set(commands.flatMap(exitStatus));
    for (const { script } of inner) for (const status of script.exits) exits.add(status);
    return {
      text,
      tree,
      nodes,
      commands,
      inner,
      exits,
      error: tree.errors?.[0]?.message ?? null,
      branches: nodes.some(({ type }) => BRANCHES.has(type)) || inner.some(({ script }) => script.branches),
    };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const BRANCHES = new Set<SyntaxNode["type"]>(["If", "Case", "While", "For", "AndOr", "Select", "ArithmeticFor"]);

function flattened(tree: ParsedScript): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  const open: SyntaxNode[] = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    nodes.push(node);
    const children: SyntaxNode[] = [];
    forEachChild(node, (child) => void children.push(child));
    open.push(...children.reverse());
  }
  return nodes;
}

function shellCommand(node: Command): ShellCommand {
  const words = node.args.map((word) => (word.type === "Word" ? word.value : word.text));
  return { name: (node.name?.value ?? "").replace(/^.*\//, ""), words, node };
}

function exitStatus({ name, words }: ShellCommand): number[] {
  return name === "exit" && /^\d{1,3}$/.test(words[0] ?? "") ? [Number(words[0])] : [];
}

const SHELLS = new Set(["sh", "dash", "bash", "zsh", "ksh"]);

function innerScript({ name, words }: ShellCommand, depth: number): { shell: string; script: Script }[] {
  const flag = words.findIndex((word) => /^-\w*c$/.test(word));
  const text = SHELLS.has(name) && flag >= 0 ? words[flag + 1] : undefined;
  const script = text === undefined ? null : read(text, depth + 1);
  return script ? [{ shell: name, script }] : [];
}
