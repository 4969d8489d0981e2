/** A canary as a person typed it. Pure. */
import { counted, listed } from "@/components/policies/labels";
import type { CanaryAgents } from "@/server/policies/rollout/canary-schema";

export interface CanaryChoice {
  /** As typed. */
  readonly share: string;
  readonly groupId: string | null;
}

/** The values of a choice, or the reason why it is invalid. */
export function readCanary({ share, groupId }: CanaryChoice): { share: number; groupId: string | null } | string {
  const text = share.trim();
  const percent = text === "" ? 0 : Number(text);
  if (!Number.isInteger(percent) || percent < 0 || percent > 100)
    return "The share must be a whole number from 0 to 100.";
  if (percent === 0 && groupId === null) return "A canary needs a share of the agents or a group.";
  return { share: percent, groupId };
}

const NAMED_MAX = 5;

/** "10 % of 4 agents = demo-docs"; of none, the reason why it cannot begin. */
export function canaryAgentsText(
  share: number,
  groupId: string | null,
  { bound, inside, names }: Omit<CanaryAgents, "smallestShare">,
): string {
  const parts = [...(share > 0 ? [`${share} %`] : []), ...(groupId === null ? [] : ["the group"])].join(" and ");
  const of = `${parts} of ${counted(bound, "agent")}`;
  if (bound === 0) return "The policy applies to no agent yet.";
  if (inside === 0) return `${of} = 0 agents. Choose a larger share or a group.`;
  const shown = names.slice(0, NAMED_MAX);
  const rest = inside - shown.length;
  return `${of} = ${listed(rest > 0 ? [...shown, `${rest} more`] : shown, NAMED_MAX + 1)}`;
}
