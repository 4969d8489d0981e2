/** A hook's shell text in the form that rules examine: commands, exit codes, output, and the tree. */
import { type Command, forEachChild, type ParsedScript, parse, type SyntaxNode } from "unbash";

export interface Script {
  readonly text: string;
  readonly tree: ParsedScript;
  /** Every node in source order, including those of nested substitutions. */
  readonly nodes: readonly SyntaxNode[];
  readonly commands: readonly ShellCommand[];
  /** The first syntax error; null if the script parses. */
  readonly error: string | null;
  /** Every status in an `exit`. */
  readonly exits: ReadonlySet<number>;
  /** True if the script has a branch: an if, a case, a loop, `&&` or `||`. */
  readonly branches: boolean;
  /** Scripts for another shell with `-c`, with that shell's name. */
  readonly inner: readonly { readonly shell: string; readonly script: Script }[];
}

export interface ShellCommand {
  /** The name without its directory: `grep` for `/usr/bin/grep`; "" if it is not literal. */
  readonly name: string;
  /** Without quotes if possible. */
  readonly words: readonly string[];
  readonly node: Command;
}

/** The size of the parse cache, in characters of text. An edit to a policy usually changes one script and leaves the others. */
const KEPT_CHARS_MAX = 1_048_576;
const INNER_MAX = 4;
const kept = new Map<string, Script | null>();
let keptChars = 0;

/** The script of a command text; null if it is nested too deep. The latest scripts are cached. */
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
