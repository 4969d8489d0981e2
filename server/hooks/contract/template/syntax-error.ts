/** What is wrong with the text of a template, and where. */
import { type Bytes, textOf } from "./bytes.ts";

export interface TextPlace {
  /** From 1. */
  readonly line: number;
  /** In UTF-16 units, from 1. */
  readonly column: number;
}

export class TemplateSyntaxError extends Error implements TextPlace {
  readonly line: number;
  readonly column: number;

  constructor(message: string, place: TextPlace) {
    super(message);
    this.name = "TemplateSyntaxError";
    this.line = place.line;
    this.column = place.column;
  }
}

/** The place of a byte in a text. */
export function placeOf(text: Bytes, at: number): TextPlace {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: textOf(before.slice(lineStart)).length + 1 };
}
