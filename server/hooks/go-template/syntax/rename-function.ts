/** Replaces a function of a template by another one, and nothing else of its text. */
import { bytesOf, textOf } from "./bytes.ts";
import { Lexer } from "./lexer.ts";

/** The text with each call of `from` as a call of `to`. A text that is no template stays as it is from the fault on. */
export function renameFunction(template: string, from: string, to: string): string {
  if (!template.includes(from)) return template;
  const bytes = bytesOf(template);
  const lexer = new Lexer(bytes);
  let written = "";
  let done = 0;
  for (let token = lexer.next(); token.kind !== "EOF" && token.kind !== "error"; token = lexer.next()) {
    if (token.kind !== "identifier" || token.text !== from) continue;
    written += bytes.slice(done, token.at) + to;
    done = token.at + from.length;
  }
  return textOf(written + bytes.slice(done));
}
