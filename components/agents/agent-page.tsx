"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { AgentMenu } from "@/components/agents/agent-menu";
import { AgentRequestLog } from "@/components/agents/agent-request-log";
import { agentStatusOf } from "@/components/agents/agent-status";
import { clientText } from "@/components/agents/client-text";
import { agentStatusSentence, Drift } from "@/components/agents/drift";
import { DrillsSection } from "@/components/agents/drills-section";
import { ApplyingSection } from "@/components/agents/effective-policy-section";
import { Enrolment } from "@/components/agents/enrolment";
import { ExportPolicy } from "@/components/agents/export-policy";
import { Calls, Denied, Spend, shareOf, unknownFiguresReason } from "@/components/agents/figures";
import { KeysSection } from "@/components/agents/keys-section";
import { LastDrill } from "@/components/agents/last-drill";
import { type NewKey, NewKeyDialog } from "@/components/agents/new-key-dialog";
import { OwnerSection } from "@/components/agents/owner-section";
import { agentFilter } from "@/components/agents/query";
import { RecentDecisions } from "@/components/agents/recent-decisions";
import { refusedSentence } from "@/components/agents/refused-sentence";
import { SubAgents } from "@/components/agents/sub-agents";
import { TagsSection } from "@/components/agents/tags-section";
import { UncheckedNotice } from "@/components/agents/unchecked-notice";
import { AgentCoverage } from "@/components/coverage/agent-coverage";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useTRPC } from "@/components/trpc/client";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { formatCount, formatShare, plural } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { ExactTime, RelativeTime } from "@/components/ui/format/relative-time";
import { KeyValue } from "@/components/ui/key-value";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import { Stat, StatRow } from "@/components/ui/stat";
import type { AgentDetail, AgentFigures, AgentRow, AgentView } from "@/server/agents/schema";

const CRUMBS = [{ label: "Agents", href: "/agents" }];

/**
 * One agent: its status and figures, the policies that bind it, its keys, and the way to enrol it; `halts` is rendered
 * at the top.
 */
export function AgentPage({ agentId, halts, tools }: { agentId: string; halts: ReactNode; tools: ReactNode }) {
  useLiveQueries(["agents", "policies", "decisions", "calls"]);
  const trpc = useTRPC();
  const router = useRouter();
  const [created, setCreated] = useState<NewKey | null>(null);
  const detail = useQuery(trpc.agents.get.queryOptions({ agentId }));
  const { data } = detail;
  const isGone = detail.isError && appCodeOf(detail.error) === "agent_not_found";
  return (
    <>
      <PageHeader
        title={data?.agent.name ?? "Agent"}
        crumbs={CRUMBS}
        aside={data ? <Aside agent={data.agent} /> : null}
        live
        stop={{ scope: "agent", agent: { id: agentId, name: data?.agent.name ?? "this agent" } }}
        actions={data ? <AgentMenu agent={data.agent} onRemoved={() => router.push("/agents")} /> : null}
      />
      <PageBody>
        {data && !isGone ? (
          <>
            {halts}
            <Details detail={data} tools={tools} onCreated={setCreated} />
          </>
        ) : detail.isError ? (
          <ErrorState
            title={isGone ? "This agent does not exist" : "The agent could not be loaded"}
            reason={isGone ? "The agent was removed, or belongs to another workspace." : failureSentence(detail.error)}
            stillWorks={<GatewayStatus />}
            onRetry={() => void detail.refetch()}
            retrying={detail.isFetching}
          />
        ) : (
          <Loading label="the agent" className="flex flex-col gap-4">
            <Skeleton className="h-24" />
            <Skeleton className="h-64" />
          </Loading>
        )}
      </PageBody>
      <NewKeyDialog created={created} onClose={() => setCreated(null)} />
    </>
  );
}

function Aside({ agent }: { agent: AgentView }) {
  return (
    <>
      {agent.isDemo ? <Badge>demo</Badge> : null}
      {agent.retiredAt ? <Badge>retired</Badge> : null}
    </>
  );
}

interface DetailsProps {
  detail: AgentDetail;
  tools: ReactNode;
  onCreated: (created: NewKey) => void;
}

function Details({ detail, tools, onCreated }: DetailsProps) {
  const { agent, row } = detail;
  return (
    <>
      <Notices agent={agent} row={row} />
      <Tiles detail={detail} />
      <div className="grid gap-6 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <Facts detail={detail} />
          <ApplyingSection agentId={agent.id} />
          <KeysSection agent={agent} onCreated={onCreated} />
          <AgentRequestLog agentId={agent.id} name={agent.name} />
          <OwnerSection agentId={agent.id} />
          <TagsSection agent={agent} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <RecentDecisions names={detail.names} />
          {row.subAgents.length > 0 ? <SubAgents row={row} /> : null}
          {tools}
          <AgentCoverage agentId={agent.id} />
          <DrillsSection agentId={agent.id} />
        </div>
      </div>
      <Section title="Enrolment">
        <Enrolment knownClient={row.client} />
      </Section>
    </>
  );
}

function Notices({ agent, row }: { agent: AgentView; row: AgentRow }) {
  const status = agentStatusOf(agent);
  return (
    <>
      {agent.retiredAt ? (
        <Notice kind="info">
          Retired <RelativeTime at={agent.retiredAt} />: its keys are refused until it is restored.
        </Notice>
      ) : null}
      {agent.retiredAt === null && (status === "unbound" || status === "drifted") ? (
        <Notice kind={status === "unbound" ? "danger" : "warning"}>{agentStatusSentence(agent)}</Notice>
      ) : null}
      {agent.retiredAt === null && agent.unheld.length > 0 ? (
        <Notice kind="warning">
          {agent.unheld.map(({ id, name, reason }) => (
            <span key={id} className="block">
              <Link className="link" href={`/policies/${id}`}>
                {name}{" "}
              </Link>{" "}
              cannot stop this agent: the agent {reason}.
            </span>
          ))}
        </Notice>
      ) : null}
      {row.isYolo ? (
        <Notice kind="danger">
          In the last 24 hours, the client ran in yolo mode, without approval prompts. Hooks still apply: denied calls
          are blocked, all other calls run.
        </Notice>
      ) : null}
      <UncheckedNotice row={row} />
      {row.isOutdated && row.client !== null ? (
        <Notice kind="danger">
          {clientText(row)} is older than the first version whose hooks were checked. Update it, then run a drill.{" "}
          <Link className="link" href={`/agents/clients#${row.client}`}>
            Client capabilities
          </Link>
        </Notice>
      ) : null}
      {agent.refused ? <Notice kind="warning">{refusedSentence(agent.refused)}</Notice> : null}
    </>
  );
}

function Tiles({ detail: { row } }: { detail: AgentDetail }) {
  const { figures, coverage } = row;
  const isSeen = row.lastSeenAt !== null;
  const share = shareOf(coverage);
  const { modelCalls, unpriced } = figures;
  return (
    <StatRow>
      <CallTiles figures={figures} isSeen={isSeen} />
      <Stat
        label="Spend, 24 h"
        hint="Cost that the agent's model calls reported, including sub-agents. For corrections and estimates, see Costs."
        value={modelCalls === 0 ? null : <Spend figures={figures} />}
        missing="The agent reported no model calls."
        detail={
          modelCalls === 0
            ? null
            : `${formatCount(modelCalls - unpriced)} of ${plural(modelCalls, "model call")} priced`
        }
      />
      <Stat
        label="Event coverage, 24 h"
        hint="Share of the expected events that the gateway received."
        value={share}
        missing="No event coverage data yet."
        detail={
          share === null ? null : `${formatCount(coverage.missing)} of ${plural(coverage.implied, "event")} missing`
        }
      />
    </StatRow>
  );
}

function CallTiles({ figures, isSeen }: { figures: AgentFigures; isSeen: boolean }) {
  const unknown = unknownFiguresReason(figures, isSeen);
  return (
    <>
      <Stat
        label="Calls, 24 h"
        hint="Tool calls in the last 24 hours, including sub-agents."
        value={unknown === null ? <Calls figures={figures} isSeen={isSeen} /> : null}
        missing={unknown ?? ""}
      />
      <Stat
        label="Denied, 24 h"
        value={unknown === null ? <Denied figures={figures} isSeen={isSeen} /> : null}
        missing={unknown ?? ""}
        detail={figures.calls > 0 ? `${formatShare(figures.denied, figures.calls)} of its calls` : null}
      />
    </>
  );
}

/** A revision, or the plain word for none. */
const revisionText = (revision: string) => (revision === "none" || revision === "" ? "nothing" : revision);

function Facts({ detail: { agent, row, names } }: { detail: AgentDetail }) {
  return (
    <Section
      title="Status"
      actions={
        <>
          <Button asChild size="sm">
            <Link href={`/activity/sessions?q=${encodeURIComponent(agentFilter(names))}`}>Sessions</Link>
          </Button>
          <ExportPolicy agent={agent.name} />
        </>
      }
    >
      <KeyValue
        items={[
          { label: "Last seen", value: agent.lastSeenAt ? <RelativeTime at={agent.lastSeenAt} /> : "never" },
          { label: "Heartbeat", value: row.heardAt ? <RelativeTime at={row.heardAt} /> : "never" },
          {
            label: "Client",
            value: clientText(row) ?? <Missing reason="The agent has not reported its client yet." />,
          },
          { label: "Drilled", value: <LastDrill at={row.drilledAt} /> },
          { label: "Policy", value: <Drift agent={agent} /> },
          { label: "In force", value: revisionText(agent.revisionInForce), mono: true },
          {
            label: "Last used",
            value: agent.lastRevision === null ? <Missing reason="No events yet." /> : revisionText(agent.lastRevision),
            mono: true,
          },
          { label: "Groups", value: row.groups.length === 0 ? "none" : row.groups.join(", ") },
          { label: "Enrolled", value: <ExactTime at={agent.createdAt} /> },
        ]}
      />
    </Section>
  );
}
