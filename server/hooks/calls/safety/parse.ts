/** Parses a command line like the shell: its simple commands and their unquoted words. */
import { forEachChild, parse, type SyntaxNode, type Word, type WordPart } from "unbash";

export interface SimpleCommand {
  /** Name and arguments, without quotes and escapes. Parts that only a running shell can evaluate stay as written. */
  readonly words: readonly string[];
  /** True if every word is literal: no variable, pattern, brace or substitution. */
  readonly isLiteral: boolean;
  /** True if it empties a file before anything runs. */
  readonly overwrites: boolean;
}

export interface Parsed {
  /** All simple commands, including those in lists, pipes, loops, functions and substitutions. */
  readonly commands: readonly SimpleCommand[];
  /** The simple command, if the line has no other part: no list, assignment, redirection or substitution. */
  readonly only: SimpleCommand | null;
}

/** The parser is quadratic in depth, so longer or deeper texts than real commands are not parsed. */
const LENGTH_MAX = 16_384;
const OPENERS_MAX = 64;
const OPENER = /[$<>]\(|\$\{|\$\[|`|\(\(|@\(/g;
const NODES_MAX = 20_000;

/** The shell's reading of `command`; null if it cannot be determined. */
export function parseCommandLine(command: string): Parsed | null {
  if (command.length > LENGTH_MAX || (command.match(OPENER)?.length ?? 0) > OPENERS_MAX) return null;
  try {
    const script = parse(command);
    if (script.errors && script.errors.length > 0) return null;
    const nodes = nodesOf(script);
    if (!nodes) return null;
    const commands = nodes.flatMap((node) => (node.type === "Command" ? [simple(node)] : []));
    const [statement] = script.commands;
    const isOne = script.commands.length === 1 && statement?.background !== true;
    const bare = isOne && statement?.command.type === "Command" ? statement.command : null;
    const isBare = bare !== null && bare.prefix.length === 0 && bare.redirects.length === 0;
    const isPlain = isBare && nodes.every((node) => HARMLESS.has(node.type));
    return { commands, only: isPlain ? simple(bare) : null };
  } catch {
    // The parser overflows the stack on some nested texts.
    return null;
  }
}

type CommandNode = Extract<SyntaxNode, { type: "Command" }>;

/** The parts that a single command may have. Parameter expansions with operations and arithmetic can run code. */
const HARMLESS: ReadonlySet<string> = new Set<SyntaxNode["type"]>([
  ...(["Script", "Statement", "Command", "Word", "Literal", "SingleQuoted", "DoubleQuoted", "AnsiCQuoted"] as const),
  ...(["SimpleExpansion", "Glob", "BraceExpansion"] as const),
]);

function nodesOf(script: SyntaxNode): SyntaxNode[] | null {
  const nodes = [script];
  for (const node of nodes) {
    if (nodes.length > NODES_MAX) return null;
    forEachChild(node, (child) => void nodes.push(child));
  }
  return nodes;
}

function simple(node: CommandNode): SimpleCommand {
  const written = [...(node.name ? [node.name] : []), ...node.args];
  const words = written.flatMap((word) => (word.type === "Word" ? spread(word) : [word.text]));
  return {
    words,
    isLiteral: written.every((word) => word.type === "Word" && (word.parts ?? []).every(isLiteral)),
    overwrites: node.redirects.some((one) => one.type === "Redirect" && OVERWRITING.has(one.operator)),
  };
}

const OVERWRITING: ReadonlySet<string> = new Set([">", ">|", "&>"]);

/** `{rm,-rf,x}` expands to three words. */
function spread(word: Word): string[] {
  const isBraced = word.parts?.length === 1 && word.parts[0]?.type === "BraceExpansion";
  const items = isBraced ? /^\{([^{}]*)\}$/.exec(word.text)?.[1]?.split(",") : undefined;
  return items ?? [word.value];
}

function isLiteral(part: WordPart): boolean {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return true;
    case "DoubleQuoted":
      // A quoted variable is one word, but its value is unknown.
      return part.parts.every((inner) => inner.type === "Literal");
    default:
      return false;
  }
}
