/** The grammar of Go's text/template: texts and actions, branches, definitions. pipeline-parser.ts parses pipelines. */
import { type Bytes, textOf } from "./bytes.ts";
import type { Node, Pipe, Template } from "./nodes.ts";
import { PipelineParser, Scope } from "./pipeline-parser.ts";
import { TokenStream } from "./token-stream.ts";
import type { Token } from "./tokens.ts";
import { unquote } from "./unquote.ts";

/** The keyword that ends a list of nodes. `if` and `with` may follow the else. */
type Ending = "end" | "else";
type Parsed = Node | Ending;

/** The context of a node: the visible variables, and the number of enclosing ranges. */
interface Place {
  readonly scope: Scope;
  readonly ranges: number;
}

/** Go's name for the template of a hook. A definition with that name replaces an empty text. */
const MAIN = "hook-prompt";

export class Parser {
  readonly #text: Bytes;
  readonly #tokens: TokenStream;
  readonly #pipes: PipelineParser;
  readonly #named = new Map<Bytes, readonly Node[]>();

  constructor(text: Bytes, functions?: ReadonlySet<string>) {
    this.#text = text;
    this.#tokens = new TokenStream(text);
    this.#pipes = new PipelineParser(this.#tokens, functions);
  }

  /** The whole text. Throws a TemplateSyntaxError. */
  parse(): Template {
    const place = { scope: new Scope(), ranges: 0 };
    const nodes: Node[] = [];
    while (this.#tokens.peek().kind !== "EOF") {
      if (this.#definition()) continue;
      const node = this.#node(place);
      if (isEnding(node)) this.#tokens.fail(`unexpected {{${node}}}`);
      nodes.push(node);
    }
    this.#define(MAIN, nodes);
    return { text: this.#text, main: this.#named.get(MAIN) ?? nodes, named: this.#named };
  }

  /** Templates can be defined only at the top level. */
  #definition(): boolean {
    if (this.#tokens.peek().kind !== "{{") return false;
    const left = this.#tokens.next();
    const word = this.#tokens.nextWord();
    if (word.kind !== "define") {
      this.#tokens.back(left, word);
      return false;
    }
    const context = "define clause";
    const name = this.#name(this.#tokens.expect(context, "string", "raw string"));
    this.#tokens.expect(context, "}}");
    this.#body(name, context);
    return true;
  }

  /** Parses the nodes of a named template, up to its end. It sees no outer variables. */
  #body(name: Bytes, context: string, blamed?: number): void {
    const { nodes, ending } = this.#nodes({ scope: new Scope(), ranges: 0 });
    if (ending !== "end") this.#tokens.fail(`unexpected {{${ending}}} in ${context}`, blamed);
    this.#define(name, nodes);
  }

  #define(name: Bytes, nodes: readonly Node[]): void {
    const known = this.#named.get(name);
    if (!known || isEmpty(known)) this.#named.set(name, nodes);
    else if (!isEmpty(nodes)) this.#tokens.fail(`multiple definition of template "${textOf(name)}"`);
  }

  #name(token: Token): Bytes {
    return unquote(token.text) ?? this.#tokens.failAt(token, "invalid syntax");
  }

  #nodes(place: Place): { nodes: Node[]; ending: Ending } {
    const nodes: Node[] = [];
    while (this.#tokens.peekWord().kind !== "EOF") {
      const node = this.#node(place);
      if (isEnding(node)) return { nodes, ending: node };
      nodes.push(node);
    }
    return this.#tokens.fail("unexpected EOF");
  }

  #node(place: Place): Parsed {
    const token = this.#tokens.nextWord();
    if (token.kind === "text") return { kind: "text", at: token.at, text: token.text };
    if (token.kind !== "{{") return this.#tokens.unexpected(token, "input");
    return this.#action(place);
  }

  #action(place: Place): Parsed {
    const token = this.#tokens.nextWord();
    switch (token.kind) {
      case "block":
        return this.#block(place);
      case "break":
      case "continue":
        return this.#leaveRange(token.kind, token.at, place);
      case "else":
        return this.#else();
      case "end":
        this.#tokens.expect("end", "}}");
        return "end";
      case "if":
      case "range":
      case "with":
        return this.#branch(token.kind, place);
      case "template":
        return this.#template(place);
      default:
        this.#tokens.back(token);
        return { kind: "action", at: token.at, pipe: this.#pipes.pipe("command", "}}", place.scope) };
    }
  }

  #leaveRange(kind: "break" | "continue", at: number, place: Place): Node {
    const token = this.#tokens.nextWord();
    if (token.kind !== "}}") this.#tokens.unexpected(token, `{{${kind}}}`);
    if (place.ranges === 0) this.#tokens.fail(`{{${kind}}} outside {{range}}`);
    return { kind, at };
  }

  /** `else if` and `else with` leave their second word for the next read. */
  #else(): "else" {
    const next = this.#tokens.peekWord().kind;
    if (next !== "if" && next !== "with") this.#tokens.expect("else", "}}");
    return "else";
  }

  #branch(kind: "if" | "range" | "with", place: Place): Node {
    const leave = this.#pipes.enter();
    const scope = new Scope(place.scope);
    const pipe = this.#pipes.pipe(kind, "}}", scope);
    const inside = { scope, ranges: place.ranges + (kind === "range" ? 1 : 0) };
    const { nodes: then, ending } = this.#nodes(inside);
    const otherwise = ending === "else" ? this.#otherwise(kind, { ...place, scope }) : undefined;
    leave();
    return { kind, at: pipe.at, pipe, then, otherwise };
  }

  #otherwise(kind: "if" | "range" | "with", place: Place): readonly Node[] {
    const next = this.#tokens.peek().kind;
    if (kind !== "range" && next === kind) {
      // One end closes the whole chain.
      this.#tokens.next();
      return [this.#branch(kind, place)];
    }
    const { nodes, ending } = this.#nodes(place);
    if (ending !== "end") this.#tokens.fail(`expected end; found {{${ending}}}`);
    return nodes;
  }

  #template(place: Place): Node {
    const context = "template clause";
    const token = this.#tokens.nextWord();
    const name = this.#templateName(token, context);
    const after = this.#tokens.nextWord();
    if (after.kind === "}}") return { kind: "template", at: token.at, name, pipe: undefined };
    this.#tokens.back(after);
    return { kind: "template", at: token.at, name, pipe: this.#pipes.pipe(context, "}}", place.scope) };
  }

  #block(place: Place): Node {
    const context = "block clause";
    const token = this.#tokens.nextWord();
    const name = this.#templateName(token, context);
    const pipe: Pipe = this.#pipes.pipe(context, "}}", place.scope);
    const leave = this.#pipes.enter();
    this.#body(name, context, this.#tokens.here());
    leave();
    return { kind: "template", at: token.at, name, pipe };
  }

  #templateName(token: Token, context: string): Bytes {
    if (token.kind === "string" || token.kind === "raw string") return this.#name(token);
    return this.#tokens.unexpected(token, context);
  }
}

function isEnding(parsed: Parsed): parsed is Ending {
  return typeof parsed === "string";
}

/** Only white space by Go's definition, which includes U+0085 and excludes U+FEFF. JavaScript does the opposite. */
const BLANK = /^(?:(?!\ufeff)\s|\x85)*$/;

function isEmpty(nodes: readonly Node[]): boolean {
  return nodes.every((node) => node.kind === "text" && BLANK.test(textOf(node.text)));
}
