/**
 * A rule of the secret detector, and builders for the two common kinds. A rule is tried only at its keywords, on a window of the
 * text, so a text without keywords costs only one pass.
 */
import { RE2JS } from "re2js";
import { type CharacterClass, characterClass, countedClass, runAfter, runBefore } from "./character-class.ts";
import { valueAfter } from "./value-after.ts";

/** A part of a text, from `start` (inclusive) to `end` (exclusive). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Rule {
  readonly name: string;
  /** ASCII. The rule is tried at each keyword, in any letter case. */
  readonly keywords: readonly string[];
  /** The span to replace if the keyword at `at` with this `length` belongs to such a secret. */
  find(text: string, at: number, length: number, looks: Looks): Span | null;
}

/**
 * The remaining number of positions that may be examined with a regular expression, which costs microseconds. At 0, every
 * candidate counts as a secret up to the next blank or quote: a text full of secret prefixes is not worth more time.
 */
export interface Looks {
  left: number;
  /** Everything up to this position counts as secret without examination, so no earlier text needs another match. */
  unseenTo: number;
}

interface TokenOptions {
  /** True if keywords and body ignore letter case. */
  readonly anyCase?: boolean;
  /** Preceding characters that belong to the token: a class with its minimum and maximum count. */
  readonly before?: readonly [characters: string, least: number, most: number];
  /** Any number of these characters after the body also belong to the token. */
  readonly goesOn?: string;
}

/**
 * A token with a known prefix: one of `prefixes`, then the RE2 expression `body`. If the body has a group, only the group is
 * replaced, else the whole token.
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

/** The end of a value: a quote, a blank, a closing character or a separator. */
const VALUE_END = "(?:['\"`\\s;\\\\,)}\\]&<|]|$)";
/** A short value without a digit is more often a word than a secret. */
const WORD_LENGTH_MAX = 26;

/** A value that is identified by the word before its assignment: `<word>_token = "…"`. Only the value is replaced. */
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

/** Longer than the match of any bounded expression, including the character after it. */
const WINDOW = 2_048;
/** The characters that count as secret without examination. They stay within quotes. */
const UNSEEN = characterClass("[^\\s\"'`\\\\]");

interface Found {
  readonly end: number;
  readonly group: Span | null;
}

/**
 * Matches `expression` at a position. A single counted class is only counted. For any other expression, its first class is counted
 * first. It is compiled on first use, because most rules are never tried.
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
