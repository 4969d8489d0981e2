/** Finds conditions that only the server can decide: the local executor knows the call, but no sessions, no list of agents and no accepted versions. */
import type { Condition, Rule } from "./schema.ts";

const NEEDS = ["mark", "after", "agent", "tag", "unaccepted"] as const;

/** The first rule key that only the server can decide; null if the local executor can decide all rules. */
export function serverNeedOf(rules: readonly Rule[]): (typeof NEEDS)[number] | null {
  return rules.map(needOf).find((need) => need !== null) ?? null;
}

function needOf(condition: Condition & { readonly mark?: string | undefined }): (typeof NEEDS)[number] | null {
  const { all = [], any = [], not } = condition;
  const own = NEEDS.find((key) => condition[key] !== undefined);
  if (own) return own;
  return [...all, ...any, ...(not ? [not] : [])].map(needOf).find((need) => need !== null) ?? null;
}
