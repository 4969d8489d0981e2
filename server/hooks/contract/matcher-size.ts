/**
 * The steps that a matcher's program has, at most, found without compiling it: a few characters can stand for a million
 * steps, and compiling takes time for each.
 */

/** A table of a part of Unicode, folded or not, is as dear as this many characters. */
const TABLE_STEPS = 100;

export const MATCHER_STEPS_MAX = {
  /** Of one matcher: a few milliseconds. */
  one: 1_000,
  /** Of all the different matchers of a policy. */
  policy: 50_000,
} as const;

/** Steps of `pattern`. Counts too many rather than too few where the syntax is unusual. */
export function matcherSteps(pattern: string): number {
  /** The steps of each open group so far, the whole pattern first. */
  const groups: number[] = [0];
  let last = 0;
  const add = (steps: number) => {
    last = steps;
    groups[groups.length - 1] = (groups.at(-1) ?? 0) + steps;
  };
  for (const [token = ""] of pattern.matchAll(TOKENS)) {
    if (token === "(") {
      groups.push(0);
      last = 0;
    } else if (token === ")") add(groups.length > 1 ? 1 + (groups.pop() ?? 0) : 1);
    else if (token.startsWith("{")) add((repeatsOf(token) - 1) * last);
    else add(stepsOf(token));
  }
  return groups.reduce((all, one) => all + one, 0);
}

/** What matters of the syntax: escapes, classes of characters, groups, repeats; all else is one character. */
const TOKENS =
  /\\[pP](?:\{[^}]*\}?|[\s\S]?)|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]?|\{\d+(?:,\d*)?\}|[\s\S]/gu;

function stepsOf(token: string): number {
  if (token.startsWith("[")) return token.length + TABLE_STEPS * (token.match(/\\[pPWDS]|\[:|\^/g)?.length ?? 0);
  return /^\\[pP]/.test(token) ? TABLE_STEPS : 1;
}

function repeatsOf(token: string): number {
  const [from = 1, to = from] = (token.match(/\d+/g) ?? []).map(Number);
  return Math.max(1, from, to);
}

/** The sentence for a pattern that is too large; null when it is not. */
export function matcherSizeProblem(pattern: string): string | null {
  const steps = matcherSteps(pattern);
  if (steps <= MATCHER_STEPS_MAX.one) return null;
  return `the pattern stands for ${thousands(steps)} steps, and at most ${thousands(MATCHER_STEPS_MAX.one)} are taken: repeat less, or write two matchers`;
}

/** Adds up the different matchers of one policy. */
export class MatcherSizes {
  private readonly known = new Set<string>();
  private steps = 0;

  add(pattern: string): void {
    if (this.isTooMuch || this.known.has(pattern)) return;
    this.known.add(pattern);
    const steps = matcherSteps(pattern);
    // One that is too large by itself is refused by itself.
    if (steps <= MATCHER_STEPS_MAX.one) this.steps += steps;
  }

  get isTooMuch(): boolean {
    return this.steps > MATCHER_STEPS_MAX.policy;
  }
}

export const MATCHERS_TOO_LARGE = "the matchers of this policy together are too large to compile: split the policy";

const thousands = (count: number): string => count.toLocaleString("en-US");
