/**
 * Limits on the structure of YAML text, checked on the parser's own tokens before it builds values. Scanning tokens is linear and
 * stops at the first exceeded limit. The parser itself is not always linear.
 */
import { CST, Lexer } from "yaml";

export const YAML_LIMITS = {
  /** As in JSON from agents. */
  depth: 64,
  /** The limit for one mapping, as in JSON from agents. */
  keys: 5_000,
  /** The limit for one list. */
  items: 20_000,
  /** The limit of keys, items, brackets, anchors, aliases, tags and comments in the whole text. */
  parts: 60_000,
  /** The limit of lines outside of values: a long script is one value. */
  lines: 60_000,
  /** The limit of anchors and aliases together. */
  names: 200,
} as const;

export interface ShapeProblem {
  /** Index into the text. */
  readonly at: number;
  readonly says: string;
}

/** The first position where the text exceeds a limit; null if it does not. */
export function yamlShapeProblem(source: string): ShapeProblem | null {
  const shape = new Shape();
  for (const token of new Lexer().lex(source)) {
    const says = shape.take(token);
    if (says) return { at: shape.at, says };
    shape.pass(token);
  }
  return null;
}

interface Level {
  readonly kind: "map" | "list";
  /** Its start column; -1 inside brackets, where columns have no meaning. */
  readonly column: number;
  count: number;
}

/** The lexer's marks: the next token is a value, a document starts, brackets were left open. */
const VALUE = "\u001f";
const NO_WIDTH = new Set([VALUE, "\u0002", "\u0018"]);

class Shape {
  at = 0;
  private lineStart = 0;
  private lines = 0;
  private parts = 0;
  private names = 0;
  private isValueNext = false;
  /** The column of the first token of the line, or of the first one after a dash or colon: the position of a possible key. */
  private keyColumn: number | null = null;
  private readonly levels: Level[] = [];

  pass(token: string): void {
    if (NO_WIDTH.has(token)) return;
    this.at += token.length;
  }

  /** A complaint if `token`, which begins at `at`, exceeds a limit; else null. */
  take(token: string): string | null {
    if (this.isValueNext) {
      this.isValueNext = false;
      const newline = token.lastIndexOf("\n");
      if (newline >= 0) this.lineStart = this.at + newline + 1;
      return null;
    }
    if (token === VALUE) {
      this.isValueNext = true;
      this.begin();
      return null;
    }
    const column = this.at - this.lineStart;
    switch (CST.tokenType(token)) {
      case "newline":
        return this.newline(token);
      case "seq-item-ind":
        this.keyColumn = null;
        return this.block("list", column);
      case "explicit-key-ind":
      case "map-value-ind":
        return this.key(token, column);
      case "flow-map-start":
        return this.open("map");
      case "flow-seq-start":
        return this.open("list");
      case "flow-map-end":
      case "flow-seq-end":
        if (this.levels.at(-1)?.column !== -1) return this.part();
        this.levels.pop();
        return null;
      case "comma":
        return this.count();
      case "anchor":
      case "alias":
        this.begin();
        this.names += 1;
        if (this.names > YAML_LIMITS.names)
          return `More than ${YAML_LIMITS.names} anchors and aliases. Write the values out.`;
        return this.part();
      case "tag":
        this.begin();
        return this.part();
      case "single-quoted-scalar":
      case "double-quoted-scalar": {
        this.begin();
        const newline = token.lastIndexOf("\n");
        if (newline >= 0) this.lineStart = this.at + newline + 1;
        return null;
      }
      case "space":
      case "doc-mode":
      case "byte-order-mark":
        return null;
      default:
        return this.part();
    }
  }

  private begin(): void {
    this.keyColumn ??= this.at - this.lineStart;
  }

  private newline(token: string): string | null {
    this.lineStart = this.at + token.length;
    this.keyColumn = null;
    this.lines += 1;
    return this.lines > YAML_LIMITS.lines ? `More than ${thousands(YAML_LIMITS.lines)} lines.` : null;
  }

  private key(token: string, column: number): string | null {
    const start = token === "?" ? column : (this.keyColumn ?? column);
    this.keyColumn = null;
    if (this.levels.at(-1)?.column === -1) return this.part();
    return this.block("map", start);
  }

  /** Counts a key or an item of the block that starts at `column`. Blocks that started further right are closed. */
  private block(kind: Level["kind"], column: number): string | null {
    let top = this.levels.at(-1);
    if (top?.column === -1) return this.part();
    while (top && (top.column > column || (top.column === column && top.kind !== kind && kind === "map"))) {
      this.levels.pop();
      top = this.levels.at(-1);
    }
    // List items may start at the same column as their key.
    if (!top || top.column < column || top.kind !== kind) this.levels.push({ kind, column, count: 0 });
    return this.count() ?? this.tooDeep();
  }

  private open(kind: Level["kind"]): string | null {
    this.begin();
    this.levels.push({ kind, column: -1, count: 1 });
    return this.part() ?? this.tooDeep();
  }

  private tooDeep(): string | null {
    return this.levels.length > YAML_LIMITS.depth ? `Nested deeper than ${YAML_LIMITS.depth} levels.` : null;
  }

  private count(): string | null {
    const level = this.levels.at(-1);
    if (level) {
      level.count += 1;
      if (level.kind === "map" && level.count > YAML_LIMITS.keys)
        return `A mapping has more than ${thousands(YAML_LIMITS.keys)} keys. Split the text.`;
      if (level.count > YAML_LIMITS.items)
        return `A list has more than ${thousands(YAML_LIMITS.items)} items. Split the text.`;
    }
    return this.part();
  }

  private part(): string | null {
    this.parts += 1;
    if (this.parts <= YAML_LIMITS.parts) return null;
    return `More than ${thousands(YAML_LIMITS.parts)} keys, items and comments. Split the text.`;
  }
}

const thousands = (count: number): string => count.toLocaleString("en-US");
