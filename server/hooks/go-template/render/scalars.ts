/** Formats a text, a number or a boolean with a verb; undefined if the verb does not apply to that kind. */
import type { Bytes } from "../syntax/bytes.ts";
import type { Value } from "./values.ts";
import type { Verb } from "./verb.ts";

export type Scalar = Extract<Value, { kind: "bool" | "int" | "uint" | "float" | "complex" }>;

const FLOAT_LETTERS: ReadonlySet<string> = new Set(["v", "b", "g", "G", "x", "X", "f", "F", "e", "E"]);

export function scalarText(value: Scalar, letter: string, verb: Verb): Bytes | undefined {
  switch (value.kind) {
    case "bool":
      return letter === "t" || letter === "v" ? verb.pad(String(value.value)) : undefined;
    case "int":
    case "uint":
      return integerText(value.value, letter, verb, value.kind === "uint");
    case "float":
      return FLOAT_LETTERS.has(letter) ? verb.float(value.value, letter) : undefined;
    case "complex": {
      if (!FLOAT_LETTERS.has(letter)) return undefined;
      const { plus } = verb.flags;
      const re = verb.float(value.re, letter);
      verb.flags.plus = true;
      const im = verb.float(value.im, letter);
      verb.flags.plus = plus ?? false;
      return `(${re}${im}i)`;
    }
  }
}

export function integerText(value: bigint, letter: string, verb: Verb, unsigned: boolean): Bytes | undefined {
  switch (letter) {
    case "v":
      return verb.flags.sharpV && unsigned ? hexText(value, verb) : verb.integer(value, 10);
    case "d":
      return verb.integer(value, 10);
    case "b":
      return verb.integer(value, 2);
    case "o":
    case "O":
      return verb.integer(value, 8, letter);
    case "x":
    case "X":
      return verb.integer(value, 16, letter);
    case "c":
      return verb.character(value);
    case "q":
      return verb.quotedCharacter(value);
    case "U":
      return verb.codePoint(value);
    default:
      return undefined;
  }
}

/** A hexadecimal literal as in Go source: `0x41`. */
export function hexText(value: bigint, verb: Verb, prefix = true): Bytes {
  const { sharp } = verb.flags;
  verb.flags.sharp = prefix;
  const text = verb.integer(value, 16);
  verb.flags.sharp = sharp ?? false;
  return text;
}

export function stringText(text: Bytes, letter: string, verb: Verb): Bytes | undefined {
  if (letter === "v") return verb.flags.sharpV ? verb.quoted(text) : verb.string(text);
  return letter === "s" || letter === "x" || letter === "X" || letter === "q"
    ? bytesAsString(text, letter, verb)
    : undefined;
}

function bytesAsString(text: Bytes, letter: "s" | "x" | "X" | "q", verb: Verb): Bytes {
  if (letter === "s") return verb.string(text);
  return letter === "q" ? verb.quoted(text) : verb.hexBytes(text, letter === "X");
}

/** A list of bytes: as text for a text verb, else as numbers. */
export function bytesText(text: Bytes, letter: string, verb: Verb, type: string): Bytes | undefined {
  if (letter !== "v" && letter !== "d") return stringText(text, letter, verb);
  const go = verb.flags.sharpV;
  const numbers = Array.from(text, (byte) => {
    const value = BigInt(byte.charCodeAt(0));
    return go ? hexText(value, verb) : verb.integer(value, 10);
  });
  return go ? `${type}{${numbers.join(", ")}}` : `[${numbers.join(" ")}]`;
}
