/** The reach of a policy in one sentence; pure. */
import { counted } from "@/components/policies/labels";
import type { PolicyReachView } from "@/server/decisions/rules/policy-reach-schema";

type Counts = Pick<PolicyReachView, "agents" | "bound" | "calls" | "ran" | "rules" | "isCut">;

/** "12 of 50 bound agents asked through the early lane in 24 h: 340 calls, 18 hook runs". */
export function reachText({ agents, bound, calls, ran, rules, isCut }: Counts): string {
  if (rules.length === 0) return "No rule is enforced, so no call can reach it";
  const lanes = new Set(rules.map(({ lane }) => lane));
  const lane = lanes.size > 1 ? "its lanes" : lanes.has("preempt_yolo") ? "the early lane" : "the default lane";
  const least = isCut ? "at least " : "";
  return `${least}${agents} of ${counted(bound, "bound agent")} asked through ${lane} in 24 h: ${least}${counted(calls, "call")}, ${counted(ran, "hook run")}`;
}
