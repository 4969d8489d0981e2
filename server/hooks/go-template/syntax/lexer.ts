/** Splits a template into tokens by the lexical rules of Go's text/template, one at a time. */
import { type Bytes, runeAt, textOf } from "./bytes.ts";
import { isKeyword, type Token, type TokenKind } from "./tokens.ts";

const SPACE = " \t\r\n";
const LEFT = "{{";
const RIGHT = "}}";
/** The length of a minus and the blank on its inner side. */
const TRIM_LENGTH = 2;
const END = -1;
const ALPHANUMERIC = /^[\p{L}\p{Nd}_]$/u;
const AFTER_WORD = ".,|:)(";

const code = (char: string) => char.charCodeAt(0);
const isSpace = (rune: number) => rune !== END && rune < 0x80 && SPACE.includes(String.fromCharCode(rune));

function isAlphanumeric(rune: number): boolean {
  return rune !== END && ALPHANUMERIC.test(String.fromCodePoint(rune));
}

function trimsLeft(text: Bytes, at: number): boolean {
  return text[at] === "-" && isSpace(text.charCodeAt(at + 1) || END);
}

function trimsRight(text: Bytes, at: number): boolean {
  return isSpace(text.charCodeAt(at) || END) && text[at + 1] === "-" && text.startsWith(RIGHT, at + TRIM_LENGTH);
}

export class Lexer {
  readonly #text: Bytes;
  #at = 0;
  #start = 0;
  #line = 1;
  #counted = 0;
  #inAction = false;
  #openParens = 0;
  #failed: Token | undefined;

  constructor(text: Bytes) {
    this.#text = text;
  }

  /** The next token. After an error it returns only errors, after the end only ends. */
  next(): Token {
    return this.#failed ?? (this.#inAction ? this.#action() : this.#outside());
  }

  #token(kind: TokenKind): Token {
    const line = this.#lineAt(this.#start);
    const token = { kind, at: this.#start, text: this.#text.slice(this.#start, this.#at), line };
    this.#start = this.#at;
    return token;
  }

  #error(message: string): Token {
    this.#failed = { kind: "error", at: this.#start, text: message, line: this.#lineAt(this.#start) };
    return this.#failed;
  }

  /** Lines are requested in order, so each byte is scanned once. */
  #lineAt(at: number): number {
    for (; this.#counted < at; this.#counted++) if (this.#text[this.#counted] === "\n") this.#line++;
    return this.#line;
  }

  #peek(): number {
    return runeAt(this.#text, this.#at).rune;
  }

  #read(): number {
    const { rune, size } = runeAt(this.#text, this.#at);
    this.#at += size;
    return rune;
  }

  #skipTo(at: number): void {
    this.#at = at;
    this.#start = at;
  }

  #spacesAt(at: number): number {
    let end = at;
    while (end < this.#text.length && SPACE.includes(this.#text[end] ?? "")) end++;
    return end - at;
  }

  #outside(): Token {
    for (;;) {
      const open = this.#text.indexOf(LEFT, this.#at);
      if (open < 0) {
        this.#at = this.#text.length;
        return this.#token(this.#at > this.#start ? "text" : "EOF");
      }
      const trim = trimsLeft(this.#text, open + LEFT.length);
      if (open > this.#at) {
        let end = open;
        if (trim) while (end > this.#start && SPACE.includes(this.#text[end - 1] ?? "")) end--;
        this.#at = end;
        const text = this.#token("text");
        this.#skipTo(open);
        if (text.text !== "") return text;
      }
      const inner = open + LEFT.length + (trim ? TRIM_LENGTH : 0);
      if (!this.#text.startsWith("/*", inner)) {
        this.#at = open + LEFT.length;
        const left = this.#token("{{");
        this.#skipTo(inner);
        this.#inAction = true;
        this.#openParens = 0;
        return left;
      }
      const wrong = this.#comment(inner);
      if (wrong) return wrong;
    }
  }

  #comment(at: number): Token | undefined {
    this.#skipTo(at);
    const close = this.#text.indexOf("*/", at + 2);
    if (close < 0) return this.#error("unclosed comment");
    const after = close + 2;
    const trim = trimsRight(this.#text, after);
    if (!trim && !this.#text.startsWith(RIGHT, after)) return this.#error("comment ends before closing delimiter");
    const outside = after + (trim ? TRIM_LENGTH : 0) + RIGHT.length;
    this.#skipTo(outside + (trim ? this.#spacesAt(outside) : 0));
    return undefined;
  }

  #rightDelimiter(): Token {
    const trim = trimsRight(this.#text, this.#at);
    if (trim) this.#skipTo(this.#at + TRIM_LENGTH);
    this.#at += RIGHT.length;
    const token = this.#token("}}");
    if (trim) this.#skipTo(this.#at + this.#spacesAt(this.#at));
    this.#inAction = false;
    return token;
  }

  #action(): Token {
    if (trimsRight(this.#text, this.#at) || this.#text.startsWith(RIGHT, this.#at)) {
      return this.#openParens === 0 ? this.#rightDelimiter() : this.#error("unclosed left paren");
    }
    const rune = this.#read();
    if (rune === END) return this.#error("unclosed action");
    if (isSpace(rune)) return this.#space();
    switch (rune) {
      case code("="):
        return this.#token("=");
      case code(":"):
        return this.#read() === code("=") ? this.#token(":=") : this.#error("expected :=");
      case code("|"):
        return this.#token("|");
      case code('"'):
        return this.#quoted(code('"'), "string", "unterminated quoted string");
      case code("'"):
        return this.#quoted(code("'"), "char constant", "unterminated character constant");
      case code("`"):
        return this.#rawString();
      case code("$"):
        return this.#fieldOrVariable("variable", "variable");
      case code("("):
        this.#openParens++;
        return this.#token("(");
      case code(")"):
        this.#openParens--;
        return this.#openParens < 0 ? this.#error("unexpected right paren") : this.#token(")");
    }
    const next = this.#text.charCodeAt(this.#at);
    if (rune === code(".") && this.#at < this.#text.length && !(next >= code("0") && next <= code("9"))) {
      return this.#fieldOrVariable("field", ".");
    }
    if (rune === code(".") || rune === code("+") || rune === code("-") || (rune >= code("0") && rune <= code("9"))) {
      this.#at = this.#start;
      return this.#number();
    }
    if (isAlphanumeric(rune)) return this.#identifier();
    if (rune > 0x20 && rune < 0x7f) return this.#token("char");
    return this.#error(`unrecognized character in action: ${runeName(rune)}`);
  }

  /** Scans blanks. The last one may belong to a trimming delimiter. */
  #space(): Token {
    while (isSpace(this.#peek())) this.#at++;
    if (trimsRight(this.#text, this.#at - 1)) this.#at--;
    return this.#token("space");
  }

  #quoted(quote: number, kind: TokenKind, unterminated: string): Token {
    for (;;) {
      let rune = this.#read();
      if (rune === 0x5c) {
        rune = this.#read();
        if (rune !== END && rune !== 0x0a) continue;
      }
      if (rune === END || rune === 0x0a) return this.#error(unterminated);
      if (rune === quote) return this.#token(kind);
    }
  }

  #rawString(): Token {
    const close = this.#text.indexOf("`", this.#at);
    if (close < 0) return this.#error("unterminated raw quoted string");
    this.#at = close + 1;
    return this.#token("raw string");
  }

  #atTerminator(): boolean {
    const rune = this.#peek();
    if (rune === END || isSpace(rune)) return true;
    return (rune < 0x80 && AFTER_WORD.includes(String.fromCharCode(rune))) || this.#text.startsWith(RIGHT, this.#at);
  }

  #fieldOrVariable(kind: TokenKind, alone: TokenKind): Token {
    if (this.#atTerminator()) return this.#token(alone);
    return this.#word() ?? this.#token(kind);
  }

  #identifier(): Token {
    const wrong = this.#word();
    if (wrong) return wrong;
    const word = this.#text.slice(this.#start, this.#at);
    if (isKeyword(word)) return this.#token(word);
    return this.#token(word === "true" || word === "false" ? "bool" : "identifier");
  }

  /** Scans letters, digits and underscores. An error if another character follows directly. */
  #word(): Token | undefined {
    for (let rune = this.#peek(); isAlphanumeric(rune); rune = this.#peek()) this.#read();
    return this.#atTerminator() ? undefined : this.#error(`bad character ${runeName(this.#peek())}`);
  }

  #number(): Token {
    const wrong = () => this.#error(`bad number syntax: "${textOf(this.#text.slice(this.#start, this.#at))}"`);
    if (!this.#scanNumber()) return wrong();
    const sign = this.#peek();
    if (sign !== code("+") && sign !== code("-")) return this.#token("number");
    return this.#scanNumber() && this.#text[this.#at - 1] === "i" ? this.#token("complex") : wrong();
  }

  /** Scans a possible number. `readNumber` validates it later. */
  #scanNumber(): boolean {
    NUMBER.lastIndex = this.#at;
    this.#at += NUMBER.exec(this.#text)?.[0].length ?? 0;
    if (!isAlphanumeric(this.#peek())) return true;
    this.#read();
    return false;
  }
}

const NUMBER = new RegExp(
  "[+-]?(?:" +
    "0[xX][0-9a-fA-F_]*\\.?[0-9a-fA-F_]*(?:[pP][+-]?[0-9_]*)?" +
    "|0[oO][0-7_]*\\.?[0-7_]*|0[bB][01_]*\\.?[01_]*" +
    "|[0-9_]*\\.?[0-9_]*(?:[eE][+-]?[0-9_]*)?" +
    ")i?",
  "y",
);

function runeName(rune: number): string {
  const hex = rune < 0 ? "FFFFFFFFFFFFFFFF" : rune.toString(16).toUpperCase().padStart(4, "0");
  return /[\p{C}\p{Z}]/u.test(rune < 0 ? "\0" : String.fromCodePoint(rune))
    ? `U+${hex}`
    : `U+${hex} '${String.fromCodePoint(rune)}'`;
}
