/** Sentences on a canary's agents and its results. Pure. */
import { formatCount, formatShare } from "@/components/ui/format/count";
import type { CanarySide } from "@/server/policies/assignments/assignment-schema";
import type { CanaryView } from "@/server/policies/schema";

/** "20 % of the agents", "group nightly", "20 % of the agents and group nightly". */
export function canaryWhom({ share, group }: { share: number; group: CanaryView["group"] }): string {
  return [...(share > 0 ? [`${share} % of the agents`] : []), ...(group ? [`group ${group.name}`] : [])].join(" and ");
}

/** "3 of 120 gate calls denied (2 %)." Nothing asked is not nothing denied. */
export function sideWords({ gates, denied }: CanarySide): string {
  if (gates === 0) return "no gate calls yet.";
  return `${formatCount(denied)} of ${formatCount(gates)} gate ${gates === 1 ? "call" : "calls"} denied (${formatShare(denied, gates)}).`;
}
