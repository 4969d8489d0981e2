/** A readable problem of a matcher, with the position of the faulty character. */
import { compileMatcher } from "./matcher.ts";
import { matcherSizeProblem } from "./matcher-size.ts";
import { type Problem, problemAt } from "./problem.ts";

/** Undefined if the matcher compiles. As in docker-agent, the problem belongs to the entry and points at its pattern. */
export function matcherProblem(entry: readonly (string | number)[], pattern: string): Problem | undefined {
  const message = complaintOf(pattern);
  if (message === null) return undefined;
  const problem = problemAt(entry, `invalid matcher: ${message}`);
  return { ...problem, segments: [...problem.segments, "matcher"] };
}

function complaintOf(pattern: string): string | null {
  const tooLarge = matcherSizeProblem(pattern);
  if (tooLarge) return tooLarge;
  const matcher = compileMatcher(pattern);
  return matcher.ok ? null : matcher.message + characterOf(pattern, matcher.message);
}

/** ` at character 3 of the pattern`: the position of the text that the compiler quotes. */
function characterOf(pattern: string, message: string): string {
  const quoted = /`([^`]+)`$/.exec(message)?.[1];
  const at = quoted === undefined ? -1 : pattern.indexOf(quoted);
  return at === -1 ? "" : ` at character ${at + 1} of the pattern`;
}
