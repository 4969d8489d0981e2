/** A text read as a template. Runs in the browser too, so that a form can say where it is wrong. */
import { bytesOf } from "./bytes.ts";
import type { Template } from "./nodes.ts";
import { Parser } from "./parser.ts";
import { TemplateSyntaxError } from "./syntax-error.ts";

export { TemplateSyntaxError } from "./syntax-error.ts";

export interface ParseOptions {
  /** The functions that the text may name; all that there are unless given. */
  readonly functions?: ReadonlySet<string>;
}

/**
 * The template in a text.
 *
 * Errors: throws a TemplateSyntaxError with line and column for whatever Go's text/template would not parse, and for a
 * text nested deeper than anybody writes.
 */
export function parseTemplate(text: string, { functions }: ParseOptions = {}): Template {
  return new Parser(bytesOf(text), functions).parse();
}

/** The problem of a template, with its place inside it; nothing when it parses. */
export function templateProblem(text: string): string | undefined {
  try {
    parseTemplate(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    return `line ${error.line}, column ${error.column}: ${error.message}`;
  }
}
