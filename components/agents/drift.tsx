import { agentStatusOf } from "@/components/agents/agent-status";
import { Mark } from "@/components/ui/mark";
import { Tooltip } from "@/components/ui/tooltip";
import type { AgentView } from "@/server/agents/schema";

const FACES = {
  current: { tone: "allow", label: "current", says: "The agent's last event used the current rules." },
  drifted: {
    tone: "ask",
    label: "changed since",
    says: "The rules changed after the agent's last event. The gateway applies the new rules to the next event. A local executor must fetch them first.",
  },
  unheld: {
    tone: "ask",
    label: "not fully enforced",
    says: "One or more of this agent's policies are in force but cannot block its calls. See the effective policy for the reasons.",
  },
  never_reported: { tone: "unknown", label: "not used yet", says: "No events yet." },
  unbound: {
    tone: "deny",
    label: "no policy",
    says: "No policy applies to this agent, so no rule can stop its calls.",
  },
} as const;

/** The agent's last revision compared with what is in force, as an icon and words. */
export function Drift({ agent }: { agent: Pick<AgentView, "lastRevision" | "revisionInForce" | "unheld"> }) {
  const { tone, label, says } = FACES[agentStatusOf(agent)];
  return (
    <Tooltip content={says}>
      <span>
        <Mark tone={tone} label={label} />
      </span>
    </Tooltip>
  );
}

export const agentStatusSentence = (agent: Pick<AgentView, "lastRevision" | "revisionInForce" | "unheld">): string =>
  FACES[agentStatusOf(agent)].says;
