/** Parses templates. Also runs in the browser, so that a form can show errors. */
import { bytesOf } from "./bytes.ts";
import type { Template } from "./nodes.ts";
import { Parser } from "./parser.ts";
import { TemplateSyntaxError } from "./syntax-error.ts";

export { TemplateSyntaxError } from "./syntax-error.ts";

export interface ParseOptions {
  /** The functions that the text may use; by default, all. */
  readonly functions?: ReadonlySet<string>;
}

/**
 * Parses a template.
 *
 * Errors: throws a TemplateSyntaxError with line and column for a text that Go's text/template does not parse, and for a
 * text that exceeds the nesting limit.
 */
export function parseTemplate(text: string, { functions }: ParseOptions = {}): Template {
  return new Parser(bytesOf(text), functions).parse();
}

/** The problem of a template with its position; undefined if it parses. */
export function templateProblem(text: string): string | undefined {
  try {
    parseTemplate(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    return `line ${error.line}, column ${error.column}: ${error.message}`;
  }
}
