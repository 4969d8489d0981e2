/** Sums the results of rules by policy. Pure. */
import type { PolicyCounts } from "@/components/policies/columns";
import type { RuleCards } from "@/server/decisions/rules/schema";

/** The counts of each policy with a rule that ran, by its id; a policy without one has counts of 0. */
export function countsByPolicy({ cards, isWhole }: RuleCards): (policyId: string) => PolicyCounts {
  const sums = new Map<string, { denied: number; asked: number }>();
  for (const { policyId, outcomes } of cards) {
    if (policyId === null) continue;
    const sum = sums.get(policyId) ?? { denied: 0, asked: 0 };
    sums.set(policyId, { denied: sum.denied + outcomes.denied, asked: sum.asked + outcomes.asked });
  }
  return (policyId) => ({ ...(sums.get(policyId) ?? { denied: 0, asked: 0 }), isWhole });
}
