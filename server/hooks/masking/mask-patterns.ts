/** The patterns of a workspace. RE2, so that no pattern takes longer than a text of its length allows. */
import { RE2JS } from "re2js";
import type { MaskSpan } from "./mask-spans.ts";
import { KNOWN_NAMES, ORDINARY_TEXTS } from "./ordinary-texts.ts";

/** Instructions of one compiled pattern. */
const PROGRAM_MAX = 500;
/** Characters of one document that are searched for the exact ends of matches, which is slower than the search for any match. */
const SEARCHED_CHARS_MAX = 400_000;
/** A pattern that hides more than this share of ordinary text hides everything. */
const ORDINARY_SHARE_MAX = 0.3;

/** The rest of a document's search for exact ends. */
export interface SearchBudget {
  left: number;
}

export const newBudget = (): SearchBudget => ({ left: SEARCHED_CHARS_MAX });

export type FindPatterns = (text: string, budget: SearchBudget) => readonly MaskSpan[];

/** Finds the matches of all patterns. Errors: RE2's own for a pattern that does not compile. */
export function compileMaskPatterns(
  patterns: readonly { readonly id: string; readonly pattern: string }[],
): FindPatterns {
  const compiled = patterns.map(({ id, pattern }) => ({ id, program: RE2JS.compile(pattern) }));
  if (compiled.length === 0) return () => [];
  const any = anyOf(patterns.map(({ pattern }) => pattern));
  return (text, budget) => {
    if (any !== null && !any.test(text)) return [];
    const spans: MaskSpan[] = [];
    for (const { id, program } of compiled) {
      if (!program.test(text)) continue;
      budget.left -= text.length;
      // A text that is too long for the exact ends is hidden as a whole.
      if (budget.left < 0) return [{ id, start: 0, end: text.length }];
      spans.push(...matchesOf(id, program, text));
    }
    return spans;
  };
}

/** One program that says whether any of them matches; null if they cannot be one program. */
function anyOf(patterns: readonly string[]): RE2JS | null {
  try {
    return RE2JS.compile(patterns.map((pattern) => `(?:${pattern})`).join("|"));
  } catch {
    return null;
  }
}

function matchesOf(id: string, program: RE2JS, text: string): MaskSpan[] {
  const spans: MaskSpan[] = [];
  const matcher = program.matcher(text);
  while (matcher.find())
    if (matcher.end() > matcher.start()) spans.push({ id, start: matcher.start(), end: matcher.end() });
  return spans;
}

/** The reason why a pattern cannot be used, as a sentence; null if it can. */
export function maskPatternProblem(pattern: string): string | null {
  let program: RE2JS;
  try {
    program = RE2JS.compile(pattern);
  } catch (error) {
    return `This is not an RE2 pattern: ${error instanceof Error ? error.message : String(error)}.`;
  }
  if (program.programSize() > PROGRAM_MAX) return "This pattern is too large. Use smaller repetitions.";
  if (program.test(""))
    return "This pattern matches an empty text, so it would hide everything. Make it more specific.";
  const name = KNOWN_NAMES.find((one) => program.test(one));
  if (name !== undefined)
    return `This pattern hides the word “${name}”, which every record needs. Make it more specific.`;
  const hidden = ORDINARY_TEXTS.reduce((sum, text) => sum + hiddenChars(program, text), 0);
  const all = ORDINARY_TEXTS.reduce((sum, text) => sum + text.length, 0);
  const percent = Math.round((hidden / all) * 100);
  return hidden / all <= ORDINARY_SHARE_MAX
    ? null
    : `This pattern would hide ${percent} % of ordinary text, such as commands and paths. Make it more specific.`;
}

const hiddenChars = (program: RE2JS, text: string): number =>
  matchesOf("", program, text).reduce((sum, { start, end }) => sum + end - start, 0);
