import { Bot } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { plural } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { Tone } from "@/components/ui/tone";
import { Tooltip } from "@/components/ui/tooltip";
import type { OverviewAgents } from "@/server/overview/schema";

type AgentRow = OverviewAgents["rows"][number];

/** The agents seen last, and the policy that each was answered by. */
export function AgentsSeen({ agents, during }: { agents: OverviewAgents | undefined; during: string }) {
  return (
    <Section
      title="Agents"
      aside={agents ? `${agents.seen} of ${agents.enrolled} seen ${during}` : null}
      framed
      flush
      actions={
        <Link className="link text-sm" href="/agents">
          All agents
        </Link>
      }
    >
      {agents === undefined ? (
        <Loading label="the agents" className="p-4">
          <SkeletonText lines={4} />
        </Loading>
      ) : agents.rows.length === 0 ? (
        <EmptyState
          icon={Bot}
          compact
          title="No agent is enrolled"
          action={
            <Button asChild>
              <Link href="/agents">Create an agent</Link>
            </Button>
          }
        />
      ) : (
        <ul>
          {agents.rows.map((agent) => (
            <li
              key={agent.id}
              className="flex min-h-10 flex-wrap items-center gap-x-3 border-line px-4 py-1.5 not-first:border-t"
            >
              {/* On a phone the name has a line of its own, so that it is never cut to its first letter. */}
              <span className="min-w-0 flex-1 truncate font-medium max-sm:basis-2/3">{agent.name}</span>
              {agent.isDemo ? <Badge>demo</Badge> : null}
              <RevisionState agent={agent} />
              <span className="w-20 shrink-0 text-right text-muted text-sm">
                {agent.lastSeenAt === null ? (
                  <Missing reason="It has not sent anything yet." />
                ) : (
                  <RelativeTime at={agent.lastSeenAt} />
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function RevisionState({ agent }: { agent: AgentRow }) {
  const { tone, label } = revisionWords(agent);
  return (
    <Tooltip content={agent.unheld}>
      <span>
        <Mark tone={tone} label={label} look="plain" />
      </span>
    </Tooltip>
  );
}

/** The text for the revision that answered an agent, compared with the one in force now. */
export function revisionWords({ policies, lastRevision, revisionInForce, lastSeenAt, unheld }: AgentRow): {
  tone: Tone;
  label: string;
} {
  if (policies === 0) return { tone: "error", label: "No policy" };
  if (unheld !== null) return { tone: "ask", label: "Not held by a policy" };
  if (lastSeenAt === null || lastRevision === null)
    return { tone: "unknown", label: `${plural(policies, "policy", "policies")}, not seen` };
  if (lastRevision === "") return { tone: "observe", label: "Reports only" };
  if (lastRevision === revisionInForce) return { tone: "allow", label: "On the current policy" };
  return { tone: "ask", label: "On an older revision" };
}
