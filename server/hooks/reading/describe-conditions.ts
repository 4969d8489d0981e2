/** The conditions of a rule in words. Reads plain fields, also of a text with errors. Pure. */

import { truncateToLine } from "../contract/truncate-text.ts";
import {
  ACCESS_WORDS,
  CLASS_WORDS,
  EXTENSION_WORDS,
  HOST_CLASS_WORDS,
  KIND_WORDS,
  LABEL_WORDS,
  OPAQUE_WORDS,
} from "./words.ts";

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const LISTED_MAX = 4;
const WORDS_MAX = 220;
const DEPTH_MAX = 8;

/** "git push with force, without force-with-lease"; "every call" for a rule without conditions. */
export function conditionWords(fields: Fields): string {
  const words = partsOf(fields, 0);
  return words.length === 0 ? "every call" : truncateToLine(words.join(", "), WORDS_MAX);
}

type Say = (value: unknown, depth: number) => string | null;

const SAYS: Readonly<Record<string, Say>> = {
  command: (value) => (isFields(value) ? commandWords(value) : null),
  path: (value) => (isFields(value) ? pathWords(value) : null),
  host: (value) => (isFields(value) ? hostWords(value) : null),
  mcp: (value) => (isFields(value) ? mcpWords(value) : null),
  sql: (value) => (isFields(value) ? sqlWords(value) : null),
  tool: (value) => named("calls of", value),
  kind: (value) => listed(wordsOf(value, KIND_WORDS)),
  opaque: (value) =>
    value === true ? "commands that cannot be read" : named("parts that are", wordsOf(value, OPAQUE_WORDS)),
  label: (value) => named("commands labelled", wordsOf(value, LABEL_WORDS)),
  unaccepted: (value) =>
    value === true ? "extensions that are not accepted" : named("not accepted", wordsOf(value, EXTENSION_WORDS)),
  larger_than: (value) => (typeof value === "number" ? `arguments over ${value.toLocaleString("en")} bytes` : null),
  agent: (value) => named("by agent", value),
  tag: (value) => named("by agents tagged", value),
  after: (value) => named("after the mark", value),
  within: (value) => named("within", value),
  all: (value, depth) => nestedWords(value, depth, " and "),
  any: (value, depth) => nestedWords(value, depth, " or "),
  not: (value, depth) => (isFields(value) ? `unless ${partsOf(value, depth + 1).join(", ")}` : null),
};

function partsOf(fields: Fields, depth: number): string[] {
  if (depth > DEPTH_MAX) return ["…"];
  return Object.entries(fields).flatMap(([key, value]) => {
    const say = Object.hasOwn(SAYS, key) ? SAYS[key] : undefined;
    return say?.(value, depth) ?? [];
  });
}

function nestedWords(value: unknown, depth: number, joint: string): string | null {
  if (!Array.isArray(value)) return null;
  const parts = value.flatMap((one: unknown) => (isFields(one) ? [partsOf(one, depth + 1).join(", ")] : []));
  const rest = parts.length - LISTED_MAX;
  const shown = rest > 0 ? [...parts.slice(0, LISTED_MAX), `${rest} more`] : parts;
  return shown.length === 0 ? null : shown.join(joint);
}

function commandWords(fields: Fields): string {
  const programs = textsOf(fields.program);
  const subcommands = textsOf(fields.subcommand);
  const parts = [
    programs.length === 0 && subcommands.length === 0 ? "commands" : "",
    listed(programs),
    listed(subcommands),
    named("with", fields.flags, " and "),
    named("without", fields.without_flags),
    named("on", fields.argument),
    named("not on", fields.without_argument),
    isFields(fields.target) ? pathWords(fields.target, "on ") : null,
    isFields(fields.host) ? `to ${hostWords(fields.host)}` : null,
    named("that set", fields.setting),
    named("with the variable", fields.assignment),
  ];
  return said(parts);
}

function pathWords(fields: Fields, prefix = ""): string {
  const classes = listed(wordsOf(fields.class, CLASS_WORDS));
  const access = listed(wordsOf(fields.access, ACCESS_WORDS));
  const patterns = listed(textsOf(fields.path));
  const subject = patterns ?? (classes === null ? "paths" : `${classes} paths`);
  return said([
    `${prefix}${subject}`,
    patterns !== null && classes !== null ? `(${classes})` : null,
    fields.outside === undefined ? null : "outside the project",
    named("except", fields.not),
    access === null ? null : `being ${access}`,
  ]);
}

function hostWords(fields: Fields): string {
  const names = listed(textsOf(fields.is));
  const classes = listed(wordsOf(fields.class, HOST_CLASS_WORDS));
  const subject = names ?? (classes === null ? "any host" : `hosts of the ${classes}`);
  return said([subject, named("except", fields.not)]);
}

const mcpWords = (fields: Fields): string =>
  said([
    named("MCP tool", fields.tool) ?? "MCP tools",
    named("of the server", fields.server),
    named("except", fields.not),
  ]);

const sqlWords = (fields: Fields): string =>
  said([
    named("SQL", fields.statement) ?? "SQL statements",
    fields.without_where === undefined ? null : "without WHERE",
  ]);

const said = (parts: readonly (string | null)[]): string => parts.filter(Boolean).join(" ");

function textsOf(value: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one) => typeof one === "string").filter((one) => one !== "");
}

/** The display words of coded values; a value that is not in the table stays as it is written. */
const wordsOf = (value: unknown, words: Readonly<Record<string, string>>): string[] =>
  textsOf(value).map((one) => (Object.hasOwn(words, one) ? (words[one] ?? one) : one));

function listed(names: readonly string[], joint = " or "): string | null {
  if (names.length === 0) return null;
  const rest = names.length - LISTED_MAX;
  const shown = rest > 0 ? [...names.slice(0, LISTED_MAX), `${rest} more`] : [...names];
  const last = shown.pop() ?? "";
  return shown.length === 0 ? last : `${shown.join(", ")}${joint}${last}`;
}

function named(prefix: string, value: unknown, joint?: string): string | null {
  const names = listed(textsOf(value), joint);
  return names === null ? null : `${prefix} ${names}`;
}
