/**
 * Finds every keyword of a list in one pass over a text, in any letter case (Aho and Corasick, 1975). The cost does not depend on
 * the number of keywords.
 */

export interface Keyword<T> {
  /** ASCII. */
  readonly word: string;
  readonly payload: T;
}

/** A scanner that calls `found` with each keyword in `text` and its start, ordered by end. */
export function keywordScan<T>(keywords: readonly Keyword<T>[]) {
  const { letterOf, width } = alphabetOf(keywords.map(({ word }) => word.toLowerCase()));
  const { next, endsAt } = automatonOf(keywords, letterOf, width);
  const ends = Uint8Array.from(endsAt, (here) => (here.length > 0 ? 1 : 0));
  return (text: string, found: (payload: T, at: number, length: number) => void): void => {
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      // Both lookups are within bounds: the state is one of the automaton's, the letter one of its alphabet.
      state = next[state * width + (code < 128 ? (letterOf[code] as number) : 0)] as number;
      if (ends[state] === 0) continue;
      for (const { word, payload } of endsAt[state] ?? []) found(payload, at + 1 - word.length, word.length);
    }
  };
}

/** The letters that occur, numbered from 1, without regard to case; 0 is any other character. */
function alphabetOf(words: readonly string[]) {
  const letterOf = new Uint8Array(128);
  let width = 1;
  for (const character of new Set(words.join(""))) {
    letterOf[character.charCodeAt(0)] = width;
    letterOf[character.toUpperCase().charCodeAt(0)] = width;
    width += 1;
  }
  return { letterOf, width };
}

function automatonOf<T>(keywords: readonly Keyword<T>[], letterOf: Uint8Array, width: number) {
  const letters = keywords.reduce((sum, { word }) => sum + word.length, 1);
  const next = new Int32Array(letters * width);
  const endsAt: Keyword<T>[][] = [[]];
  for (const keyword of keywords) {
    let state = 0;
    for (const character of keyword.word.toLowerCase()) {
      const edge = state * width + (letterOf[character.charCodeAt(0)] ?? 0);
      next[edge] ||= endsAt.push([]) - 1;
      state = next[edge] ?? 0;
    }
    endsAt[state]?.push(keyword);
  }
  // Breadth first: a state falls back to the longest suffix of its path that is also a prefix.
  const fallback = new Int32Array(endsAt.length);
  const waiting = [0];
  for (const state of waiting) {
    for (let letter = 1; letter < width; letter += 1) {
      const edge = state * width + letter;
      const fallen = state === 0 ? 0 : (next[(fallback[state] ?? 0) * width + letter] ?? 0);
      const child = next[edge] ?? 0;
      if (child === 0) next[edge] = fallen;
      else {
        fallback[child] = fallen;
        endsAt[child]?.push(...(endsAt[fallen] ?? []));
        waiting.push(child);
      }
    }
  }
  return { next, endsAt };
}
