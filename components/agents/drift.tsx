import { agentStatusOf } from "@/components/agents/agent-status";
import { Mark } from "@/components/ui/mark";
import { Tooltip } from "@/components/ui/tooltip";
import type { AgentView } from "@/server/agents/schema";

const FACES = {
  current: { tone: "allow", label: "current", says: "Its last event was answered under what is in force now." },
  drifted: {
    tone: "ask",
    label: "changed since",
    says: "Its rules changed after its last event. The gateway answers its next event under the new rules; a local executor first fetches them.",
  },
  unheld: {
    tone: "ask",
    label: "not held",
    says: "A policy in force cannot stop this agent. The effective policy says why.",
  },
  never_reported: { tone: "unknown", label: "not used yet", says: "No event of it has been answered yet." },
  unbound: { tone: "deny", label: "no policy", says: "No policy binds this agent: no rule stops what it does." },
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
