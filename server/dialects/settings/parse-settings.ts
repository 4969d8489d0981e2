/** The only reader of settings files: enrolments, drills and imports use it for each format. Pure. */
import { parseEnv } from "node:util";
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { parse as parseToml, TomlError } from "smol-toml";
import type { SettingsFormat } from "../client-files.ts";
import { isObject, type JsonObject, plain } from "./values.ts";

/** The message completes "The file cannot be read: ...". */
export class UnreadableSettings extends Error {
  override readonly name = "UnreadableSettings";
  constructor(
    message: string,
    /** The parser's own message. */
    readonly problem = message,
    readonly line = 1,
  ) {
    super(message);
  }
}

const PARSERS: Readonly<Record<SettingsFormat, (text: string) => unknown>> = {
  json: (text) => getNodeValue(parseJsonTree(text, false)),
  jsonc: (text) => getNodeValue(parseJsonTree(text, true)),
  toml: tomlValue,
  env: parseEnv,
};

/** Errors: `UnreadableSettings`, and `RangeError` for too deep nesting. */
export function parseSettings(text: string, format: SettingsFormat): JsonObject {
  const value = plain(PARSERS[format](text));
  if (!isObject(value)) throw new UnreadableSettings("it holds no JSON object");
  return value;
}

/** JSON as nodes with positions. With comments, trailing commas are also allowed. */
export function parseJsonTree(text: string, hasComments: boolean): Node {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: !hasComments, allowTrailingComma: hasComments });
  const [error] = errors;
  if (tree !== undefined && error === undefined) return tree;
  const problem = error === undefined ? "ValueExpected" : printParseErrorCode(error.error);
  const lines = text.slice(0, error?.offset).split("\n");
  const column = (lines.at(-1)?.length ?? 0) + 1;
  throw new UnreadableSettings(`${problem} at line ${lines.length}, column ${column}`, problem, lines.length);
}

function tomlValue(text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column, message } = error;
    throw new UnreadableSettings(`no TOML at line ${line}, column ${column}`, message.split("\n")[0], line);
  }
}
