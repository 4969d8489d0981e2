/** Implements a template's functions and their parameters. */

import type { Bytes } from "../syntax/bytes.ts";
import type { TemplateFunction } from "../syntax/functions.ts";
import type { Budget } from "./budget.ts";
import { indexed, lengthOf, sliced } from "./collections.ts";
import { equals, less } from "./compare.ts";
import { escapeHtml, escapeJs, escapeQuery } from "./escape.ts";
import { toJson } from "./json.ts";
import { sprint, sprintf, sprintln } from "./printf.ts";
import { RenderError } from "./render-error.ts";
import { boolValue, held, indirect, stringValue, truth, typeName, type Value } from "./values.ts";

/** A parameter accepts any value, only a text, or only an int. */
export type Parameter = "any" | "string" | "int";
export type Given = Value | undefined;

export interface FunctionKind {
  readonly takes: readonly Parameter[];
  /** True if more arguments of any type may follow. */
  readonly variadic?: true;
  call(args: readonly Given[], budget: Budget, boundary: () => Bytes): Given;
}

/** `and` and `or` evaluate only some of their arguments, so they are not called like the others. */
export const FUNCTIONS: Readonly<Record<Exclude<TemplateFunction, "and" | "or">, FunctionKind>> = {
  call: {
    takes: ["any"],
    variadic: true,
    call: ([given]) => {
      const value = held(given);
      throw new RenderError(value ? `non-function of type ${typeName(value)}` : "call of nil");
    },
  },
  eq: { takes: ["any"], variadic: true, call: ([one, ...rest], budget) => boolValue(equals(one, rest, budget)) },
  fenced: {
    takes: ["any"],
    call: ([value], budget, boundary) =>
      made(`<data ${boundary()}>\n${toJson(value, budget)}\n</data ${boundary()}>`, budget),
  },
  ne: { takes: ["any", "any"], call: ([one, other], budget) => boolValue(!equals(one, [other], budget)) },
  lt: { takes: ["any", "any"], call: ([one, other], budget) => boolValue(less(one, other, budget)) },
  le: {
    takes: ["any", "any"],
    call: ([one, other], budget) => boolValue(less(one, other, budget) || equals(one, [other], budget)),
  },
  gt: {
    takes: ["any", "any"],
    call: ([one, other], budget) => boolValue(!less(one, other, budget) && !equals(one, [other], budget)),
  },
  ge: { takes: ["any", "any"], call: ([one, other], budget) => boolValue(!less(one, other, budget)) },
  html: { takes: [], variadic: true, call: (args, budget) => made(escapeHtml(plain(args, budget)), budget) },
  js: { takes: [], variadic: true, call: (args, budget) => made(escapeJs(plain(args, budget)), budget) },
  urlquery: { takes: [], variadic: true, call: (args, budget) => made(escapeQuery(plain(args, budget)), budget) },
  index: { takes: ["any"], variadic: true, call: ([item, ...indexes]) => indexed(item, indexes) },
  slice: { takes: ["any"], variadic: true, call: ([item, ...indexes]) => sliced(item, indexes) },
  len: { takes: ["any"], call: ([item]) => lengthOf(item) },
  not: { takes: ["any"], call: ([value]) => boolValue(!truth(value)) },
  print: { takes: [], variadic: true, call: (args, budget) => stringValue(sprint(args, budget)) },
  println: { takes: [], variadic: true, call: (args, budget) => stringValue(sprintln(args, budget)) },
  printf: {
    takes: ["string"],
    variadic: true,
    call: ([format, ...args], budget) => stringValue(sprintf(textOf(format), args, budget)),
  },
  toJSON: { takes: ["any"], call: ([value], budget) => stringValue(toJson(value, budget)) },
  truncate: { takes: ["int", "string"], call: ([count, text], budget) => truncated(count, textOf(text), budget) },
};

/** U+2026 */
const ELLIPSIS = "\xe2\x80\xa6";

function truncated(count: Given, text: Bytes, budget: Budget): Value {
  const bytes = count?.kind === "int" ? count.value : 0n;
  if (bytes <= 0n || BigInt(text.length) <= bytes) return stringValue(text);
  return made(text.slice(0, Number(bytes)) + ELLIPSIS, budget);
}

function textOf(value: Given): Bytes {
  const text = held(value);
  return text?.kind === "string" ? text.text : "";
}

function made(text: Bytes, budget: Budget): Value {
  budget.bytes(text.length);
  return stringValue(text);
}

/** The arguments as text, each in the form that an action prints. */
function plain(args: readonly Given[], budget: Budget): Bytes {
  const [only] = args;
  const text = args.length === 1 ? held(only) : undefined;
  if (text?.kind === "string" && text.type === "string") return text.text;
  return sprint(args.map(printable), budget);
}

const NO_VALUE = stringValue("<no value>");

/** The printed form of a value: the target of a pointer, or Go's text for nothing. */
export function printable(given: Given): Value {
  const value = held(given);
  const { value: target } = value?.kind === "pointer" ? indirect(value) : { value };
  return target ?? NO_VALUE;
}
