/** The reach of a policy in one sentence; pure. */
import { counted } from "@/components/policies/labels";
import { LAST_RUN_SEARCH_DAYS, type PolicyReachView } from "@/server/decisions/rules/policy-reach-schema";

type Counts = Pick<PolicyReachView, "agents" | "bound" | "calls" | "ran" | "rules" | "isCut">;

/** "12 of 50 bound agents sent calls for its events in 24 h: 340 calls, 18 rule runs". */
export function reachText({ agents, bound, calls, ran, rules, isCut }: Counts): string {
  if (rules.length === 0) return "No enforced rules";
  const least = isCut ? "at least " : "";
  return `${least}${agents} of ${counted(bound, "bound agent")} sent calls for its events in 24 h: ${least}${counted(calls, "call")}, ${counted(ran, "rule run")}`;
}

/** The words where no run is known of the days that are searched. */
export function notRunText(publishedAt: Date | null, nowMs: number): string {
  const ageMs = publishedAt === null ? null : nowMs - publishedAt.getTime();
  if (ageMs === null || ageMs >= LAST_RUN_SEARCH_DAYS * 86_400_000) return `Not run in ${LAST_RUN_SEARCH_DAYS} days`;
  return `Not run yet (in force for ${formatAge(ageMs)})`;
}

function formatAge(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : counted(Math.floor(hours / 24), "day");
}
