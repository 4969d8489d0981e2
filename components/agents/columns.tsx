import { CornerDownRight } from "lucide-react";
import { clientText } from "@/components/agents/client-text";
import { Calls, Coverage, Denied, Spend, shareOf, unknownFiguresReason } from "@/components/agents/figures";
import { LastDrill } from "@/components/agents/last-drill";
import { PersonName } from "@/components/principals/person-name";
import { Badge } from "@/components/ui/badge";
import { plural } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import type { Column } from "@/components/ui/table/types";
import type { AgentRow, SubAgentView } from "@/server/agents/schema";

/** An agent, or one of its sub-agents on a line of its own below it. */
export interface ListedAgent {
  readonly id: string;
  readonly agent: AgentRow;
  readonly sub: SubAgentView | null;
}

/** Each agent with its sub-agents below it. */
export const listAgentsWithSubAgents = (rows: readonly AgentRow[]): ListedAgent[] =>
  rows.flatMap((agent) => [
    { id: agent.id, agent, sub: null },
    ...agent.subAgents.map((sub) => ({ id: `${agent.id} ${sub.name}`, agent, sub })),
  ]);

export const agentHref = (agent: { readonly id: string }): string => `/agents/${agent.id}`;

const figuresOf = ({ agent, sub }: ListedAgent) => sub ?? agent.figures;
const isSeen = ({ agent }: ListedAgent) => agent.lastSeenAt !== null;
const policyText = ({ policies }: AgentRow) => policies.map(({ name, revision }) => `${name} r${revision}`).join(", ");
const isKnown = (row: ListedAgent) => unknownFiguresReason(figuresOf(row), isSeen(row)) === null;

export const agentColumns: readonly Column<ListedAgent>[] = [
  {
    id: "name",
    header: "Agent",
    width: 186,
    priority: 1,
    fixed: true,
    sortable: true,
    value: ({ agent, sub }) => sub?.name ?? agent.name,
    cell: (row) => <Name row={row} />,
  },
  {
    id: "policies",
    header: "Policies",
    hint: "Policies in force, in evaluation order.",
    width: 200,
    grow: true,
    value: ({ agent, sub }) => (sub ? null : policyText(agent)),
    cell: ({ agent, sub }) => (sub ? null : <Policies agent={agent} />),
  },
  {
    id: "calls",
    header: "Calls 24 h",
    hint: "Tool calls in the last 24 hours, including sub-agents.",
    width: 104,
    align: "right",
    sortable: true,
    value: (row) => (isKnown(row) ? figuresOf(row).calls : null),
    cell: (row) => <Calls figures={figuresOf(row)} isSeen={isSeen(row)} />,
  },
  {
    id: "denied",
    header: "Denied",
    hint: "Calls denied by a policy or a person.",
    width: 84,
    align: "right",
    sortable: true,
    value: (row) => (isKnown(row) ? figuresOf(row).denied : null),
    cell: (row) => <Denied figures={figuresOf(row)} isSeen={isSeen(row)} />,
  },
  {
    id: "spend",
    header: "Spend 24 h",
    hint: "Cost that the agent's model calls reported, including sub-agents. For corrections and estimates, see Costs.",
    width: 104,
    align: "right",
    sortable: true,
    value: (row) => (figuresOf(row).modelCalls > figuresOf(row).unpriced ? figuresOf(row).nano : null),
    cell: (row) => <Spend figures={figuresOf(row)} />,
  },
  {
    id: "seen",
    header: "Last seen",
    hint: "Time of the agent's latest event or request for its policies.",
    width: 100,
    priority: 1,
    sortable: true,
    value: ({ agent, sub }) => (sub ? null : agent.heardAt),
    cell: ({ agent, sub }) =>
      sub ? null : agent.heardAt ? (
        <RelativeTime at={agent.heardAt} className="text-muted" />
      ) : (
        <span className="text-muted">never</span>
      ),
  },
  {
    id: "client",
    header: "Client",
    hint: "Client that sent the agent's latest event.",
    width: 140,
    value: ({ agent, sub }) => (sub ? null : clientText(agent)),
    cell: ({ agent, sub }) => (sub ? null : <Client agent={agent} />),
  },
  {
    id: "coverage",
    header: "Event coverage",
    hint: "Share of the expected events that the gateway received, in sessions of the last 24 hours. Actions that no hook sees are not counted.",
    width: 112,
    align: "right",
    value: ({ agent, sub }) => (sub ? null : shareOf(agent.coverage)),
    cell: ({ agent, sub }) => (sub ? null : <Coverage coverage={agent.coverage} />),
  },
  {
    id: "drilled",
    header: "Drilled",
    hint: "Time of the latest drill: known-bad calls sent through the agent's own hooks.",
    width: 114,
    value: ({ agent, sub }) => (sub ? null : agent.drilledAt),
    cell: ({ agent, sub }) => (sub ? null : <LastDrill at={agent.drilledAt} className="leading-4 sm:text-xs" />),
  },
  {
    id: "owner",
    header: "Works for",
    hint: "The person or service that owns the agent, and how certain that is.",
    width: 150,
    hidden: true,
    value: ({ agent, sub }) => (sub ? null : (agent.owner?.id ?? "unknown")),
    cell: ({ agent, sub }) => (sub ? null : <PersonName principal={agent.owner} isBrief />),
  },
  {
    id: "groups",
    header: "Groups",
    width: 140,
    hidden: true,
    value: ({ agent, sub }) => (sub ? null : agent.groups.join(", ")),
    cell: ({ agent, sub }) =>
      sub ? null : agent.groups.length === 0 ? (
        <span className="text-muted">none</span>
      ) : (
        <span className="truncate">{agent.groups.join(", ")}</span>
      ),
  },
  {
    id: "revision",
    header: "Revision in use",
    hint: "The policy revision that answered the agent's last event.",
    width: 140,
    priority: 3,
    hidden: true,
    value: ({ agent, sub }) => (sub ? null : agent.revisionInUse),
    cell: ({ agent, sub }) => (sub ? null : <RevisionInUse agent={agent} />),
  },
  {
    id: "keys",
    header: "Keys",
    hint: "Valid keys.",
    width: 90,
    priority: 3,
    hidden: true,
    value: ({ agent, sub }) => (sub ? null : agent.openKeys),
    cell: ({ agent, sub }) =>
      sub ? null : agent.openKeys > 0 ? (
        plural(agent.openKeys, "key")
      ) : (
        <Mark tone="deny" label="no key" look="plain" />
      ),
  },
  {
    id: "tags",
    header: "Tags",
    width: 140,
    priority: 3,
    hidden: true,
    value: ({ agent, sub }) => (sub ? null : agent.tags.join(", ")),
    cell: ({ agent, sub }) => (sub ? null : <span className="truncate">{agent.tags.join(", ")}</span>),
  },
];

function Name({ row: { agent, sub } }: { row: ListedAgent }) {
  if (sub)
    return (
      <span className="flex min-w-0 items-center gap-1.5 pl-4">
        <CornerDownRight aria-label={`Runs under ${agent.name}`} className="size-3 shrink-0 text-faint" />
        <span className="truncate text-muted">{sub.name}</span>
      </span>
    );
  const more = agent.subAgentCount - agent.subAgents.length;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link href={agentHref(agent)} tabIndex={-1} className="truncate font-medium hover:underline">
        {agent.name}
      </Link>
      {agent.isDemo ? <Badge>demo</Badge> : null}
      {agent.retiredAt ? <Badge>retired</Badge> : null}
      {agent.isYolo ? <Mark tone="deny" label="yolo" /> : null}
      {more > 0 ? <Badge look="outline">{plural(agent.subAgentCount, "sub-agent")}</Badge> : null}
    </span>
  );
}

function Client({ agent }: { agent: AgentRow }) {
  const { client, isOutdated } = agent;
  if (client === null) return <Missing reason="The agent has not reported its client yet." />;
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-1.5 leading-4">
      <Link href={`/agents/clients#${client}`} tabIndex={-1} className="truncate hover:underline">
        {clientText(agent)}
      </Link>
      {isOutdated ? <Mark tone="deny" label="outdated" look="plain" /> : null}
    </span>
  );
}

function RevisionInUse({ agent: { revisionInUse, revisionInForce } }: { agent: AgentRow }) {
  if (revisionInUse === null) return <Missing reason="No events yet." />;
  if (revisionInUse === revisionInForce) return <code className="truncate">{revisionInUse}</code>;
  return <Mark tone="ask" label="newer revision in force" look="plain" />;
}

function Policies({ agent }: { agent: AgentRow }) {
  if (agent.retiredAt !== null && agent.policies.length === 0)
    return <Missing reason="Retired agent: the gateway refuses its keys." />;
  if (agent.policies.length > 0) return <span className="truncate">{policyText(agent)}</span>;
  if (agent.observed.length > 0) return <Mark tone="observe" label="observed only" />;
  return <Mark tone="deny" label="no policy" />;
}
