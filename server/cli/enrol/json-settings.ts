/** Settings in JSON: edits that leave every other character as it is, comments and indentation included. */
import { applyEdits, getNodeValue, modify, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { type Edit, isObject, type JsonObject, plain } from "./json-values.ts";
import { type SettingsText, UnreadableSettings } from "./settings-text.ts";

export function jsonSettings(hasComments: boolean): SettingsText {
  const apply = (text: string, edits: readonly Edit[]) => edits.reduce(applyOne, text);
  return { parse: (text) => parse(text, hasComments), apply, undo: apply };
}

function parse(text: string, hasComments: boolean): JsonObject {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: !hasComments, allowTrailingComma: hasComments });
  const [error] = errors;
  if (error !== undefined || tree === undefined) {
    const { line, column } = positionOf(text, error?.offset ?? 0);
    throw new UnreadableSettings(
      error === undefined ? "it is empty" : `${printParseErrorCode(error.error)} at line ${line}, column ${column}`,
    );
  }
  const value = plain(getNodeValue(tree));
  if (!isObject(value)) throw new UnreadableSettings("it holds no JSON object");
  return value;
}

function applyOne(text: string, { path, value, isInsertion = false }: Edit): string {
  const formattingOptions = formattingOf(text);
  return applyEdits(text, modify(text, [...path], value, { isArrayInsertion: isInsertion, formattingOptions }));
}

/** The indentation and the ends of lines that the file has already. */
function formattingOf(text: string) {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return { insertSpaces: !indent.startsWith("\t"), tabSize: indent.length, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

function positionOf(text: string, offset: number) {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
