/** A problem in the text of a template, with its position. */
import { type Bytes, textOf } from "./bytes.ts";

export interface TextPosition {
  /** From 1. */
  readonly line: number;
  /** In UTF-16 units, from 1. */
  readonly column: number;
}

export class TemplateSyntaxError extends Error implements TextPosition {
  readonly line: number;
  readonly column: number;

  constructor(message: string, place: TextPosition) {
    super(message);
    this.name = "TemplateSyntaxError";
    this.line = place.line;
    this.column = place.column;
  }
}

/** The position of a byte in a text. */
export function positionOf(text: Bytes, at: number): TextPosition {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: textOf(before.slice(lineStart)).length + 1 };
}
