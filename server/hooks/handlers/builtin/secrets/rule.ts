/**
 * A rule of the secret detector, and the two ways most of them are written. A rule is tried only where one of its key
 * words stands, on a window of the text, so that text without key words costs one pass and nothing else.
 */
import { RE2JS } from "re2js";
import { type CharacterClass, characterClass, countedClass, runAfter, runBefore } from "./character-class.ts";
import { valueAfter } from "./value-after.ts";

/** A part of a text: from `start` up to, without, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Rule {
  readonly name: string;
  /** ASCII. The rule is tried wherever one stands, in whatever letter case. */
  readonly keywords: readonly string[];
  /** The part to be replaced when the key word at `at`, `length` characters long, belongs to such a secret. */
  find(text: string, at: number, length: number, looks: Looks): Span | null;
}

/**
 * The number of places of one text that may still be looked at closely, an expression costing microseconds. When none
 * is left, whatever gets that far counts as a secret up to the next blank or quote: a text made of beginnings of
 * secrets is worth no more time.
 */
export interface Looks {
  left: number;
  /** Up to here everything has been taken for a secret unseen; nothing in front of it needs to be found again. */
  unseenTo: number;
}

interface TokenOptions {
  /** The key words count in any letter case, and so does the body. */
  readonly anyCase?: boolean;
  /** Characters in front that belong to the token: a class with its least and greatest count. */
  readonly before?: readonly [characters: string, least: number, most: number];
  /** These go on behind the body, however many there are. */
  readonly goesOn?: string;
}

/**
 * A token known by how it begins: one of `prefixes`, then the RE2 expression `body`. With a group in the body only the
 * group is replaced, else the whole token.
 */
export function prefixedTokenRule(
  name: string,
  prefixes: readonly string[],
  body: string,
  options: TokenOptions = {},
): Rule {
  const { anyCase = false, before, goesOn } = options;
  const inFront = before && { characters: characterClass(before[0]), least: before[1], most: before[2] };
  const behind = goesOn === undefined ? undefined : characterClass(goesOn);
  const match = matcherOf(body, anyCase);
  return {
    name,
    keywords: prefixes,
    find(text, at, length, looks) {
      if (!anyCase && !prefixes.some((prefix) => prefix.length === length && text.startsWith(prefix, at))) return null;
      const start = inFront ? at - runBefore(text, at, inFront.characters, inFront.most) : at;
      if (inFront && at - start < inFront.least) return null;
      const found = match(text, at + length, looks);
      if (!found) return null;
      const end = behind ? found.end + runAfter(text, found.end, behind) : found.end;
      return found.group ? { start: found.group.start, end: behind ? end : found.group.end } : { start, end };
    },
  };
}

/** Ends a value: a quote, a blank, what closes or separates. */
const VALUE_END = "(?:['\"`\\s;\\\\,)}\\]&<|]|$)";
/** A short value without a digit is more often a word than a secret. */
const WORD_LENGTH_MAX = 26;

/** A value known by the word in front of its assignment: `<word>_token = "…"`. Only the value is replaced. */
export function assignedValueRule(name: string, words: readonly string[], value: string): Rule {
  const match = matcherOf(`(${value})${VALUE_END}`, true);
  return {
    name,
    keywords: words,
    find(text, at, length, looks) {
      const from = valueAfter(text, at + length);
      const found = from === -1 ? null : match(text, from, looks);
      if (!found) return null;
      const span = found.group ?? { start: from, end: found.end };
      return span.end - span.start <= WORD_LENGTH_MAX && isWord(text, span) ? null : span;
    },
  };
}

function isWord(text: string, { start, end }: Span): boolean {
  return runAfter(text, start, NO_DIGITS, end - start) === end - start;
}
const NO_DIGITS: CharacterClass = characterClass("[^0-9]");

/** Longer than any bounded expression reaches, the character behind its end included. */
const WINDOW = 2_048;
/** The characters that are taken for a secret unseen. They stay within quotes. */
const UNSEEN = characterClass("[^\\s\"'`\\\\]");

interface Found {
  readonly end: number;
  readonly group: Span | null;
}

/**
 * Matches `expression` from a place on. One counted class is simply counted; of anything else the class it begins with
 * is counted first, and it is compiled at its first use, since most rules are never asked.
 */
function matcherOf(expression: string, anyCase: boolean) {
  const counted = countedClass(expression, anyCase);
  let compiled: RE2JS | undefined;
  return (text: string, from: number, looks: Looks): Found | null => {
    if (counted) {
      const { characters, least, most, isAll } = counted;
      const run = runAfter(text, from, characters, isAll ? most : least);
      if (run < least) return null;
      if (isAll) return { end: from + run, group: null };
    }
    if (looks.left === 0) {
      looks.unseenTo = from + runAfter(text, from, UNSEEN);
      return { end: looks.unseenTo, group: null };
    }
    looks.left -= 1;
    compiled ??= RE2JS.compile(anyCase ? `(?i)${expression}` : expression);
    const matcher = compiled.matcher(text.slice(from, from + WINDOW));
    if (!matcher.lookingAt()) return null;
    const isGrouped = matcher.groupCount() > 0 && matcher.start(1) !== -1;
    const group = isGrouped ? { start: from + matcher.start(1), end: from + matcher.end(1) } : null;
    return { end: from + matcher.end(), group };
  };
}
