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

/** Where the engine has to follow two ways at once, each counts as so many steps more. */
const CHOICE_STEPS = 4;
/** A state that follows a loop, or is repeated by it, may be followed from every character of a name at once: so much more for each state. */
const LOOP_STEPS = 3;

interface Size {
  /** The cost of compiling and of matching. */
  readonly steps: number;
  /** The number of positions of a name that it can match at; a table of characters is one. */
  readonly states: number;
}

/** One that is open, or the whole pattern. */
class Group {
  steps = 0;
  states = 0;
  /** A loop stands before, in this branch. */
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

/** Steps of `pattern`. Counts too many rather than too few where the syntax is unusual. */
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

/** The parts of the syntax that matter: escapes, classes of characters, groups, repeats; all else is one character. */
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

/** The repetitions of the last atom; null where nothing is repeated. */
function repeatOf(token: string): Repeat | null {
  if (token === "?") return { from: 0, to: 1 };
  if (token === "*") return { from: 0, to: null };
  if (token === "+") return { from: 1, to: null };
  if (!/^\{\d/.test(token)) return null;
  const [from = 1, to] = (token.match(/\d+/g) ?? []).map(Number);
  return { from, to: to ?? (token.includes(",") ? null : from) };
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
