/**
 * An upper bound for the steps of a matcher's program, computed without compiling it. A few characters can expand to a million
 * steps, and each step takes time to compile.
 */

/** The cost of a Unicode table, with or without case folding, in characters. */
const TABLE_STEPS = 100;

export const MATCHER_STEPS_MAX = {
  /** The limit for one matcher: a few milliseconds. */
  one: 1_000,
  /** The limit for all distinct matchers of a policy. */
  policy: 50_000,
} as const;

/** The extra steps for each branch where the engine must follow two paths at once. */
const CHOICE_STEPS = 4;
/** The extra steps for each state in or after a loop: it may be active from every character of a name at once. */
const LOOP_STEPS = 3;

interface Size {
  /** The cost of compiling and of matching. */
  readonly steps: number;
  /** The number of matching positions in the program; a character table is one. */
  readonly states: number;
}

/** An open group, or the whole pattern. */
class Group {
  steps = 0;
  states = 0;
  /** True if this branch has a loop before this position. */
  isAfterLoop = false;
  /** In any branch. */
  hasLoop = false;
  last: Size = { steps: 0, states: 0 };

  add({ steps, states }: Size): void {
    this.steps += steps + (this.isAfterLoop ? states * LOOP_STEPS : 0);
    this.states += states;
  }

  loop(): void {
    this.isAfterLoop = true;
    this.hasLoop = true;
  }

  repeat({ from, to }: Repeat): void {
    const { steps, states } = this.last;
    const copies = Math.max(1, from, to ?? 0) - 1;
    const choices = to === null ? CHOICE_STEPS + states * LOOP_STEPS : Math.max(0, to - from) * CHOICE_STEPS;
    this.add({ steps: copies * steps + choices, states: copies * states });
    if (to === null) this.loop();
  }
}

/** An upper bound for the steps of `pattern`. */
export function matcherSteps(pattern: string): number {
  const whole = new Group();
  const groups: Group[] = [];
  let before = "";
  for (const [token = ""] of pattern.matchAll(TOKENS)) {
    const group = groups.at(-1) ?? whole;
    const repeat = repeatOf(token);
    if (token.startsWith("(") && !token.endsWith(")")) groups.push(new Group());
    else if (token === ")") {
      const inner = groups.pop() ?? new Group();
      const outer = groups.at(-1) ?? whole;
      outer.last = { steps: 1 + inner.steps + (before === "|" ? CHOICE_STEPS : 0), states: 1 + inner.states };
      outer.add(outer.last);
      if (inner.hasLoop) outer.loop();
    } else if (token === "|") {
      group.isAfterLoop = false;
      group.add({ steps: before.startsWith("(") || before === "|" ? 1 + CHOICE_STEPS : 1, states: 0 });
    } else if (repeat) group.repeat(repeat);
    else {
      group.last = { steps: stepsOf(token), states: 1 };
      group.add(group.last);
    }
    before = token;
  }
  return groups.reduce((all, one) => all + one.steps, whole.steps);
}

/** The relevant syntax: escapes, character classes, groups, repeats. Everything else is one character. */
const TOKENS =
  /\(\?[imsU-]+\)|\(\?(?:P?<\w*>|[imsU-]*:)|\\[pP](?:\{[^}]*\}?|[\s\S]?)|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]?|\{\d+(?:,\d*)?\}|[\s\S]/gu;

function stepsOf(token: string): number {
  if (token.startsWith("(?")) return 0;
  if (token.startsWith("[")) return token.length + TABLE_STEPS * (token.match(/\\[pPWDS]|\[:|\^/g)?.length ?? 0);
  return /^\\[pP]/.test(token) ? TABLE_STEPS : 1;
}

interface Repeat {
  readonly from: number;
  /** Null for ever. */
  readonly to: number | null;
}

/** The repetitions of the last atom; null without a repeat. */
function repeatOf(token: string): Repeat | null {
  if (token === "?") return { from: 0, to: 1 };
  if (token === "*") return { from: 0, to: null };
  if (token === "+") return { from: 1, to: null };
  if (!/^\{\d/.test(token)) return null;
  const [from = 1, to] = (token.match(/\d+/g) ?? []).map(Number);
  return { from, to: to ?? (token.includes(",") ? null : from) };
}

/** The message for a pattern that is too large; null for any other. */
export function matcherSizeProblem(pattern: string): string | null {
  const steps = matcherSteps(pattern);
  if (steps <= MATCHER_STEPS_MAX.one) return null;
  return `the pattern stands for ${thousands(steps)} steps, and at most ${thousands(MATCHER_STEPS_MAX.one)} are taken: repeat less, or write two matchers`;
}

/** Adds up the sizes of a policy's distinct matchers. */
export class MatcherSizes {
  private readonly known = new Set<string>();
  private steps = 0;

  add(pattern: string): void {
    if (this.isTooMuch || this.known.has(pattern)) return;
    this.known.add(pattern);
    const steps = matcherSteps(pattern);
    // A matcher that is too large alone has its own refusal.
    if (steps <= MATCHER_STEPS_MAX.one) this.steps += steps;
  }

  get isTooMuch(): boolean {
    return this.steps > MATCHER_STEPS_MAX.policy;
  }
}

export const MATCHERS_TOO_LARGE = "the matchers of this policy together are too large to compile: split the policy";

const thousands = (count: number): string => count.toLocaleString("en-US");
