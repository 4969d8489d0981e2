/** A command line as the shell reads it: the simple commands in it, their words without quotes. */
import { forEachChild, parse, type SyntaxNode, type Word, type WordPart } from "unbash";

export interface SimpleCommand {
  /** Name and arguments, quotes and escapes taken away; what only a running shell can know stays as it is written. */
  readonly words: readonly string[];
  /** Every word is what is written there: no variable, pattern, brace or substitution in it. */
  readonly isLiteral: boolean;
  /** It empties a file before anything runs. */
  readonly overwrites: boolean;
}

export interface Parsed {
  /** Wherever they stand: in lists, pipes, loops, functions, substitutions. */
  readonly commands: readonly SimpleCommand[];
  /** The one simple command that is all there is: no list, no assignment, no redirection, nothing substituted. */
  readonly only: SimpleCommand | null;
}

/** The parser is quadratic in depth: what is longer or deeper than commands are is not parsed. */
const LENGTH_MAX = 16_384;
const OPENERS_MAX = 64;
const OPENER = /[$<>]\(|\$\{|\$\[|`|\(\(|@\(/g;
const NODES_MAX = 20_000;

/** The shell's reading of `command`; null when that cannot be said. */
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
    // It gives up on some nests by overflowing the stack.
    return null;
  }
}

type CommandNode = Extract<SyntaxNode, { type: "Command" }>;

/** The parts that a lone command may have. Parameter expansions with operations can run code; so can arithmetic. */
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

/** `{rm,-rf,x}` is three words. */
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
      // In quotes a variable is still one word, but nobody knows which.
      return part.parts.every((inner) => inner.type === "Literal");
    default:
      return false;
  }
}
