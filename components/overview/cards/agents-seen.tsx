"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Bot } from "lucide-react";
import type { CardProps } from "@/components/overview/cards/card-props";
import { ListCard } from "@/components/overview/cards/list-card";
import { useTRPC } from "@/components/trpc/client";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { plural } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";
import { Tooltip } from "@/components/ui/tooltip";
import type { OverviewAgents } from "@/server/overview/schema";

type AgentRow = OverviewAgents["rows"][number];

/** The agents seen last, and the policy that each was answered by. */
export function AgentsSeen({ input, during }: CardProps) {
  const trpc = useTRPC();
  const agents = useQuery({ ...trpc.overview.agents.queryOptions(input), placeholderData: keepPreviousData });
  return (
    <ListCard
      title="Agents"
      aside={agents.data ? `${agents.data.seen} of ${agents.data.enrolled} seen ${during}` : null}
      actions={
        <Link className="link text-sm" href="/agents">
          All agents
        </Link>
      }
      query={agents}
    >
      {({ rows }) =>
        rows.length === 0 ? (
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
            {rows.map((agent) => (
              <SeenAgent key={agent.id} agent={agent} />
            ))}
          </ul>
        )
      }
    </ListCard>
  );
}

function SeenAgent({ agent }: { agent: AgentRow }) {
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-x-3 border-line px-4 py-1.5 not-first:border-t">
      {/* On a phone the name has a line of its own, so that it is never cut to its first letter. */}
      <span className="min-w-0 flex-1 truncate font-medium max-sm:basis-2/3">{agent.name}</span>
      {agent.isDemo ? <Badge>demo</Badge> : null}
      <RevisionState agent={agent} />
      <span className="w-20 shrink-0 text-right text-muted text-sm">
        {agent.lastSeenAt === null ? (
          <Missing reason="No events received from this agent yet." />
        ) : (
          <RelativeTime at={agent.lastSeenAt} />
        )}
      </span>
    </li>
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
  if (unheld !== null) return { tone: "ask", label: "Not fully enforced" };
  if (lastSeenAt === null || lastRevision === null)
    return { tone: "unknown", label: `${plural(policies, "policy", "policies")}, not seen` };
  if (lastRevision === "") return { tone: "observe", label: "Reports only" };
  if (lastRevision === revisionInForce) return { tone: "allow", label: "Policy up to date" };
  return { tone: "ask", label: "Older policy revision" };
}
