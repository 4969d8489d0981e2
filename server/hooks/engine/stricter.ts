/** Compares verdicts. The stricter one counts. */
import type { Decision } from "./result.ts";

const WEIGHT = { "": 0, allow: 1, ask: 2, deny: 3 } as const satisfies Record<Decision | "", number>;

/** True if `next` is strictly stricter than `current`. The first of two equal verdicts stays. */
export function isStricter(next: Decision, current: Decision | ""): boolean {
  return WEIGHT[next] > WEIGHT[current];
}

/** The verdict that a word names; undefined for any other word. */
export function decisionOf(word: string | null | undefined): Decision | undefined {
  return word === "allow" || word === "ask" || word === "deny" ? word : undefined;
}
