/** The parser of an action's content: declarations, commands, operands. */
import { type Bytes, textOf } from "./bytes.ts";
import { isTemplateFunction } from "./functions.ts";
import type { Command, Operand, Pipe } from "./nodes.ts";
import { readNumber } from "./number.ts";
import type { TokenStream } from "./token-stream.ts";
import type { Token, TokenKind } from "./tokens.ts";
import { unquote } from "./unquote.ts";

/** The variables of one scope, and through its parents those of the enclosing ones. */
export class Scope {
  readonly #names = new Set<Bytes>();
  readonly #outer: Scope | undefined;

  constructor(outer?: Scope) {
    this.#outer = outer;
    if (!outer) this.#names.add("$");
  }

  declare(name: Bytes): void {
    this.#names.add(name);
  }

  has(name: Bytes): boolean {
    return this.#names.has(name) || (this.#outer?.has(name) ?? false);
  }
}

/** The nesting limit for branches and parentheses. */
export const DEPTH_MAX = 400;

const OPERANDS: ReadonlySet<TokenKind> = new Set<TokenKind>([
  "bool",
  "char constant",
  "complex",
  ".",
  "field",
  "identifier",
  "number",
  "nil",
  "raw string",
  "string",
  "variable",
  "(",
]);
/** The operands that cannot accept the value of the previous command. */
const NOT_EXECUTABLE: ReadonlySet<Operand["kind"]> = new Set<Operand["kind"]>([
  "bool",
  "dot",
  "nil",
  "number",
  "string",
]);

export class PipelineParser {
  readonly #tokens: TokenStream;
  readonly #functions: ReadonlySet<string> | undefined;
  #depth = 0;

  constructor(tokens: TokenStream, functions?: ReadonlySet<string>) {
    this.#tokens = tokens;
    this.#functions = functions;
  }

  /** Counts one level of nesting until the returned function is called. */
  enter(): () => void {
    this.#depth++;
    if (this.#depth > DEPTH_MAX) this.#tokens.fail(`nested more than ${DEPTH_MAX} levels deep`);
    return () => {
      this.#depth--;
    };
  }

  pipe(context: string, end: "}}" | ")", scope: Scope): Pipe {
    const { at } = this.#tokens.peekWord();
    const { variables, assigns } = this.#declarations(context, scope);
    const commands: Command[] = [];
    for (;;) {
      const token = this.#tokens.nextWord();
      if (token.kind === end) break;
      if (!OPERANDS.has(token.kind)) this.#tokens.unexpected(token, context);
      this.#tokens.back(token);
      commands.push(this.#command(scope));
    }
    if (commands.length === 0) this.#tokens.fail(`missing value for ${context}`);
    const idle = commands.findIndex(({ args }, stage) => stage > 0 && NOT_EXECUTABLE.has(args[0].kind));
    if (idle > 0) this.#tokens.fail(`non executable command in pipeline stage ${idle + 1}`);
    return { kind: "pipe", at, variables, assigns, commands };
  }

  /** Reads `$x :=`, `$x =`, and in a range `$i, $x :=`. Otherwise leaves the tokens unread. */
  #declarations(context: string, scope: Scope): { variables: Bytes[]; assigns: boolean } {
    const variables: Bytes[] = [];
    while (this.#tokens.peekWord().kind === "variable") {
      const variable = this.#tokens.nextWord();
      const after = this.#tokens.next();
      const word = after.kind === "space" ? this.#tokens.nextWord() : after;
      if (word.kind === ":=" || word.kind === "=") {
        variables.push(variable.text);
        scope.declare(variable.text);
        return { variables, assigns: word.kind === "=" };
      }
      if (word.kind !== "char" || word.text !== ",") {
        this.#tokens.back(variable, ...(after === word ? [] : [after]), word);
        return { variables, assigns: false };
      }
      variables.push(variable.text);
      scope.declare(variable.text);
      if (context !== "range" || variables.length > 1) this.#tokens.fail(`too many declarations in ${context}`);
      const next = this.#tokens.peekWord().kind;
      if (next !== "variable" && next !== "}}" && next !== ")") {
        this.#tokens.fail("range can only initialize variables");
      }
    }
    return { variables, assigns: false };
  }

  #command(scope: Scope): Command {
    const { at } = this.#tokens.peekWord();
    const args: Operand[] = [];
    for (;;) {
      this.#tokens.back(this.#tokens.nextWord());
      const operand = this.#operand(scope);
      if (operand) args.push(operand);
      const token = this.#tokens.next();
      if (token.kind === "space") continue;
      if (token.kind === "}}" || token.kind === ")") this.#tokens.back(token);
      else if (token.kind !== "|") this.#tokens.unexpected(token, "operand");
      break;
    }
    const [first, ...rest] = args;
    return first ? { at, args: [first, ...rest] } : this.#tokens.fail("empty command");
  }

  #operand(scope: Scope): Operand | undefined {
    const term = this.#term(scope);
    if (!term || this.#tokens.peek().kind !== "field") return term;
    const { at } = this.#tokens.peek();
    const fields: Bytes[] = [];
    while (this.#tokens.peek().kind === "field") fields.push(this.#tokens.next().text.slice(1));
    switch (term.kind) {
      case "field":
        return { kind: "field", at, names: [...term.names, ...fields] };
      case "variable":
        return { ...term, at, fields };
      case "identifier":
      case "pipe":
        return { kind: "chain", at, of: term, fields };
      default:
        return this.#tokens.fail("unexpected . after a constant or a dot");
    }
  }

  #term(scope: Scope): Operand | undefined {
    const token = this.#tokens.nextWord();
    const { at, text } = token;
    switch (token.kind) {
      case "identifier":
        if (!isTemplateFunction(text) || this.#functions?.has(text) === false)
          this.#tokens.failAt(token, `function "${textOf(text)}" not defined`);
        return { kind: "identifier", at, name: text };
      case ".":
        return { kind: "dot", at };
      case "nil":
        return { kind: "nil", at };
      case "variable":
        if (!scope.has(text)) this.#tokens.failAt(token, `undefined variable "${textOf(text)}"`);
        return { kind: "variable", at, name: text, fields: [] };
      case "field":
        return { kind: "field", at, names: [text.slice(1)] };
      case "bool":
        return { kind: "bool", at, value: text === "true" };
      case "char constant":
      case "complex":
      case "number":
        return this.#number(token, token.kind);
      case "(":
        return this.#parenthesized(scope);
      case "string":
      case "raw string":
        return {
          kind: "string",
          at,
          literal: text,
          value: unquote(text) ?? this.#tokens.failAt(token, "invalid syntax"),
        };
      default:
        this.#tokens.back(token);
        return undefined;
    }
  }

  #number(token: Token, kind: "char constant" | "complex" | "number"): Operand {
    const { at, text } = token;
    const value = readNumber(text, kind);
    return typeof value === "string" ? this.#tokens.failAt(token, value) : { kind: "number", at, value };
  }

  #parenthesized(scope: Scope): Pipe {
    const leave = this.enter();
    const pipe = this.pipe("parenthesized pipeline", ")", scope);
    leave();
    return pipe;
  }
}
