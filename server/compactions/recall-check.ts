/**
 * Checks that a summary still holds the facts known before it. It compares text literally, so that the result can be
 * verified by hand: a path or its file name, a command or its first two words, most of a text's longer words. A fact in
 * other words counts as lost.
 */
import type { RecallLevel } from "./schema.ts";

const WHOLE_FROM = 0.6;
const PART_FROM = 0.25;
const WORD_MIN = 5;
const WORDS_MAX = 80;

export interface RecallCheck {
  file(path: string): RecallLevel;
  command(command: string): RecallLevel;
  text(text: string): RecallLevel;
}

/** Null for null: without a summary, no fact is kept or lost. */
export function createRecallCheck(summary: string | null): RecallCheck {
  if (summary === null) return { file: () => null, command: () => null, text: () => null };
  const text = plain(summary);
  const words = new Set(longWords(summary));
  return {
    file: (path) => (holds(text, plain(path)) ? "whole" : holds(text, plain(nameOf(path))) ? "part" : "lost"),
    command(command) {
      const said = plain(command);
      if (holds(text, said)) return "whole";
      const start = said.split(" ").slice(0, 2).join(" ");
      return start.length >= WORD_MIN && holds(text, start) ? "part" : "lost";
    },
    text(said) {
      const own = longWords(said).slice(0, WORDS_MAX);
      if (own.length === 0) return holds(text, plain(said)) ? "whole" : "lost";
      const share = own.filter((word) => words.has(word)).length / own.length;
      return share >= WHOLE_FROM ? "whole" : share >= PART_FROM ? "part" : "lost";
    },
  };
}

const plain = (text: string): string => text.toLowerCase().replace(/[`"']/g, "").replace(/\s+/g, " ").trim();
const nameOf = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
const longWords = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}_]+/u)
      .filter((word) => word.length >= WORD_MIN),
  ),
];

/** True if `text` contains `part`, and not as a piece of a longer name. */
function holds(text: string, part: string): boolean {
  if (part === "") return false;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const [left, right] = [text[at - 1], text[at + part.length]];
    if (!isName(left) && !isName(right)) return true;
  }
  return false;
}

const isName = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character);
