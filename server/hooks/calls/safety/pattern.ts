/**
 * Finds taxonomy patterns in a normalised command, by hand and without backtracking. A command is a model's text and may be long,
 * and a regular expression with `.*` between word boundaries takes quadratic time on it.
 */
import { normaliseCommand } from "./normalise.ts";

/** `<word>` in a pattern. */
const WORD = Symbol("one or more characters without a blank");
type Piece = string | typeof WORD;

/** The pieces between two `...`. */
type Stretch = readonly Piece[];
export type Pattern = readonly Stretch[];

/** Parses a pattern. Errors: throws for a pattern that would need backtracking. */
export function patternOf(written: string): Pattern {
  return normaliseCommand(written)
    .split("...")
    .map((stretch, index) => {
      const pieces = stretch.split(/(<[^<>]+>)/).filter(Boolean);
      return pieces.map((piece, at): Piece => {
        if (!/^<[^<>]+>$/.test(piece)) return piece;
        const next = pieces[at + 1];
        const starts = at === 0 && index === 0;
        if (starts || (next !== undefined && !next.startsWith(" ")))
          throw new Error(`pattern cannot be used: ${written}`);
        return WORD;
      });
    });
}

/**
 * The kind of match. `exact`: from word boundary to word boundary, including the ends of the text. `near`: only a word of
 * punctuation, or a separator after the last character, prevents an exact match.
 */
export type Occurrence = "exact" | "near" | "none";

/** The best occurrence of `pattern` in the normalised `text`. A redirection may be required to follow a blank. */
export function occurs(pattern: Pattern, text: string, redirectsAfterBlank: boolean): Occurrence {
  const [first = [], ...rest] = pattern;
  const [start = ""] = first;
  const begins = redirectsAfterBlank && typeof start === "string" && /^[><|&;]/.test(start) ? isAfterBlank : isBoundary;
  let best: Occurrence = "none";
  for (let at = begin(first, text, 0); at !== -1; at = begin(first, text, at + 1)) {
    if (!begins(text, at)) continue;
    const found = rest.length === 0 ? endOf(first, text, at) : following(first, rest, text, at);
    if (found === "exact") return found;
    if (found === "near") best = found;
    // The text after `...` was searched to the end, so a later start cannot find it either.
    if (rest.length > 0 && through(first, text, at) !== -1) break;
  }
  return best;
}

/** The next position of the first piece of a stretch. */
function begin([first = ""]: Stretch, text: string, from: number): number {
  return typeof first === "string" ? text.indexOf(first, from) : from < text.length ? from : -1;
}

/** The occurrence of the stretches after `...` that follow `first`, which begins at `at`. */
function following(first: Stretch, rest: readonly Stretch[], text: string, at: number): Occurrence {
  let from = through(first, text, at);
  for (const [index, stretch] of rest.entries()) {
    if (from === -1) return "none";
    if (index === rest.length - 1) return stretch.length === 0 ? "exact" : lastOccurrence(stretch, text, from);
    let next = -1;
    for (let start = begin(stretch, text, from); start !== -1 && next === -1; start = begin(stretch, text, start + 1)) {
      next = through(stretch, text, start);
    }
    from = next;
  }
  return "none";
}

function lastOccurrence(stretch: Stretch, text: string, from: number): Occurrence {
  let best: Occurrence = "none";
  for (let start = begin(stretch, text, from); start !== -1; start = begin(stretch, text, start + 1)) {
    const found = endOf(stretch, text, start);
    if (found === "exact") return found;
    if (found === "near") best = found;
  }
  return best;
}

/** The earliest end of a stretch that begins at `at`; -1 if it does not match there. */
function through(stretch: Stretch, text: string, at: number): number {
  let end = at;
  for (const [index, piece] of stretch.entries()) {
    if (piece === WORD) {
      if (isBlankAt(text, end)) return -1;
      end = index === stretch.length - 1 ? end + 1 : endOfWord(text, end);
    } else {
      if (!text.startsWith(piece, end)) return -1;
      end += piece.length;
    }
  }
  return end;
}

/** The occurrence of a stretch that begins at `at`. Tries every possible end. */
function endOf(stretch: Stretch, text: string, at: number): Occurrence {
  const end = through(stretch, text, at);
  if (end === -1) return "none";
  if (stretch.at(-1) !== WORD) {
    if (end === text.length || isBoundary(text, end)) return "exact";
    return SEPARATORS.includes(text.charAt(end)) ? "near" : "none";
  }
  for (let last = end; !isBlankAt(text, last - 1); last += 1) {
    if (last === text.length || isBoundary(text, last)) return "exact";
  }
  return "near";
}

const SEPARATORS = " ;&|)<>'\"`";

function isBlankAt(text: string, at: number): boolean {
  return at >= text.length || text.charCodeAt(at) === 0x20;
}

function endOfWord(text: string, from: number): number {
  const blank = text.indexOf(" ", from);
  return blank === -1 ? text.length : blank;
}

function isAfterBlank(text: string, at: number): boolean {
  return at === 0 || text.charCodeAt(at - 1) === 0x20;
}

/** True if a word begins or ends at `at`. The beginning of the text counts. */
function isBoundary(text: string, at: number): boolean {
  return at === 0 || isLetter(text, at - 1) !== isLetter(text, at);
}

/** An ASCII letter in lower case, a digit or an underscore. */
function isLetter(text: string, at: number): boolean {
  const code = at < text.length ? text.charCodeAt(at) : 0;
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f;
}
