/** The stricter of two verdicts stands. */
import type { Decision } from "./result.ts";

const WEIGHT = { "": 0, allow: 1, ask: 2, deny: 3 } as const satisfies Record<Decision | "", number>;

/** True if `next` replaces `current`: only when it is strictly stricter, so that of two equals the first stands. */
export function isStricter(next: Decision, current: Decision | ""): boolean {
  return WEIGHT[next] > WEIGHT[current];
}

/** The verdict a word stands for; nothing for words that are no verdict. */
export function decisionOf(word: string | null | undefined): Decision | undefined {
  return word === "allow" || word === "ask" || word === "deny" ? word : undefined;
}
