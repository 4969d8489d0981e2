import { characterClass, runAfter } from "./character-class.ts";

const NAME_REST = characterClass("[\\w .\\t-]");
const BEFORE_SIGN = characterClass("[\\s'\"\\\\]");
const BEFORE_VALUE = characterClass("[\\s'\"`=\\\\]");
const NAME_REST_MAX = 24;
const BEFORE_SIGN_MAX = 4;
const BEFORE_VALUE_MAX = 6;

/**
 * The start of the value in an assignment whose name has a keyword up to `from`. Skips the rest of the name, a sign (`=`, `:`,
 * `=>`, `:=`, `?=`, `||:`), blanks and quotes. -1 without an assignment.
 */
export function valueAfter(text: string, from: number): number {
  let at = from + runAfter(text, from, NAME_REST, NAME_REST_MAX);
  at += runAfter(text, at, BEFORE_SIGN, BEFORE_SIGN_MAX);
  const sign = signLength(text, at);
  if (sign === 0) return -1;
  at += sign;
  return at + runAfter(text, at, BEFORE_VALUE, BEFORE_VALUE_MAX);
}

function signLength(text: string, at: number): number {
  switch (text[at]) {
    case "=":
      return text[at + 1] === ">" ? 2 : 1;
    case ":": {
      let length = 1;
      while (length < 3 && text[at + length] === ":") length += 1;
      return text[at + length] === "=" ? length + 1 : length;
    }
    case "?":
      return text[at + 1] === "=" ? 2 : 0;
    case "|":
      return text.startsWith("||:", at) ? 3 : 0;
    default:
      return 0;
  }
}
