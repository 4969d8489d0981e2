/** The tokens of a template with a small lookahead. Errors are located at the last token read. */
import type { Bytes } from "./bytes.ts";
import { Lexer } from "./lexer.ts";
import { positionOf, TemplateSyntaxError } from "./syntax-error.ts";
import { type Token, type TokenKind, tokenName } from "./tokens.ts";

export class TokenStream {
  readonly #text: Bytes;
  readonly #lexer: Lexer;
  /** Tokens to read again; the next one is last. */
  readonly #ahead: Token[] = [];
  #last: Token = { kind: "EOF", at: 0, text: "", line: 1 };

  constructor(text: Bytes) {
    this.#text = text;
    this.#lexer = new Lexer(text);
  }

  next(): Token {
    const ahead = this.#ahead.pop();
    if (ahead) return ahead;
    this.#last = this.#lexer.next();
    return this.#last;
  }

  /** Puts tokens back, given in reading order. */
  back(...tokens: readonly Token[]): void {
    this.#ahead.push(...tokens.toReversed());
  }

  peek(): Token {
    const token = this.next();
    this.back(token);
    return token;
  }

  nextWord(): Token {
    let token = this.next();
    while (token.kind === "space") token = this.next();
    return token;
  }

  peekWord(): Token {
    const token = this.nextWord();
    this.back(token);
    return token;
  }

  expect(context: string, ...kinds: readonly TokenKind[]): Token {
    const token = this.nextWord();
    return kinds.includes(token.kind) ? token : this.unexpected(token, context);
  }

  unexpected(token: Token, context: string): never {
    return this.failAt(token, token.kind === "error" ? token.text : `unexpected ${tokenName(token)} in ${context}`);
  }

  /** An error about a token. Its line is Go's: the line of the last token read. Within that line it is exact. */
  failAt(token: Token, message: string): never {
    const sameLine = !this.#text.slice(token.at, this.here()).includes("\n");
    return this.fail(message, sameLine ? token.at : this.here());
  }

  /** The last read position, in bytes. */
  here(): number {
    return this.#last.at;
  }

  /** An error, by default at the last read position. */
  fail(message: string, at = this.here()): never {
    throw new TemplateSyntaxError(message, positionOf(this.#text, at));
  }
}
