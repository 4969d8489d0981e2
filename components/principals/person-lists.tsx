"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CERTAINTY_TEXT } from "@/components/principals/certainty-words";
import { usePrincipals } from "@/components/principals/use-principals";
import { useRecentRange } from "@/components/principals/use-recent-range";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { callOutcomeOf, OUTCOME_LOOKS } from "@/server/decisions/call-outcome-schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

const SHOWN = 8;

interface Listed {
  readonly data: readonly ReactNode[] | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

interface ListSectionProps {
  readonly title: string;
  readonly aside?: string;
  readonly href: string;
  /** The link to all of them. */
  readonly all: string;
  readonly none: string;
  readonly of: Listed;
}

/** A short list with the way to all of it. */
function ListSection({ title, aside, href, all, none, of: { data, error, refetch } }: ListSectionProps) {
  return (
    <Section
      title={title}
      aside={aside}
      actions={
        <Button asChild size="sm">
          <Link href={href}>{all}</Link>
        </Button>
      }
    >
      {data === undefined && error ? (
        <ErrorState
          compact
          title={`${title} could not be loaded`}
          reason={failureSentence(error)}
          onRetry={() => void refetch()}
        />
      ) : data === undefined ? (
        <Loading label={title}>
          <SkeletonText lines={3} />
        </Loading>
      ) : data.length === 0 ? (
        <p className="text-muted text-sm">{none}</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line rounded-md border bg-surface">{data}</ul>
      )}
    </Section>
  );
}

const filterHref = (page: string, personId: string): string => `${page}?q=${encodeURIComponent(`person:${personId}`)}`;

/** The agents that work for a person. */
export function PersonAgents({ personId }: { personId: string }) {
  const trpc = useTRPC();
  const found = useQuery(trpc.agents.search.queryOptions({ persons: [personId], limit: SHOWN }));
  const rows = found.data?.rows.map(({ id, name, owner, heardAt }) => (
    <li key={id} className="flex min-h-9 items-center gap-3 px-3 py-1">
      <Link className="link min-w-0 truncate" href={`/agents/${id}`}>
        {name}
      </Link>
      <span
        className="ml-auto shrink-0 text-muted text-sm"
        title={owner === null ? undefined : CERTAINTY_TEXT[owner.certainty]}
      >
        {owner?.certainty}
      </span>
      <span className="shrink-0 text-muted text-sm">{heardAt ? <RelativeTime at={heardAt} /> : "never seen"}</span>
    </li>
  ));
  return (
    <ListSection
      title="Agents"
      href={filterHref("/agents", personId)}
      all="All agents"
      none="No agent works for this person now."
      of={{ ...found, data: rows }}
    />
  );
}

/** The newest tool calls that were made for a person. */
export function PersonCalls({ personId }: { personId: string }) {
  const trpc = useTRPC();
  const range = useRecentRange();
  const asked = { range: range ?? { from: new Date(Date.UTC(2000)), to: new Date(Date.UTC(2001)) } };
  const found = useQuery({
    ...trpc.decisions.calls.queryOptions({ ...asked, filters: { person: [personId] }, limit: SHOWN }),
    enabled: range !== null,
    placeholderData: keepPreviousData,
  });
  const rows = found.data?.rows.map((row) => {
    const { tone, label } = OUTCOME_LOOKS[callOutcomeOf(row.chain)];
    return (
      <li key={eventKeyText(row)} className="flex min-h-9 items-center gap-3 px-3 py-1">
        <Mark tone={tone} label={label} look="plain" />
        <span className="min-w-0 truncate">
          {row.tool} <code className="text-muted text-sm">{row.excerpt.replace(/\s+/g, " ")}</code>
        </span>
        <span className="ml-auto shrink-0 text-muted text-sm">
          <RelativeTime at={row.occurredAt} />
        </span>
      </li>
    );
  });
  return (
    <ListSection
      title="Recent calls"
      aside="last 30 days"
      href={filterHref("/activity", personId)}
      all="All calls"
      none="No calls were made for this person in the last 30 days."
      of={{ ...found, data: rows }}
    />
  );
}

/** The approval requests for calls of a person. */
export function PersonRequests({ personId }: { personId: string }) {
  const trpc = useTRPC();
  const { find } = usePrincipals();
  const found = useQuery(trpc.approvals.list.queryOptions());
  const isTheirs = (principal: { readonly id: string } | null) =>
    principal !== null && (find(principal.id)?.id ?? principal.id) === personId;
  const all = found.data && [...found.data.open, ...found.data.closed].filter(({ principal }) => isTheirs(principal));
  const isWaiting = all?.some(({ closedAt }) => closedAt === null) ?? false;
  const rows = all?.slice(0, SHOWN).map(({ id, number, agentName, toolName, state, askedAt }) => (
    <li key={id} className="flex min-h-9 items-center gap-3 px-3 py-1">
      <span className="shrink-0 font-medium">QD-{number}</span>
      <span className="min-w-0 truncate">
        {toolName} <span className="text-muted text-sm">{agentName}</span>
      </span>
      <span className="ml-auto shrink-0 text-muted text-sm">{state}</span>
      <span className="shrink-0 text-muted text-sm">
        <RelativeTime at={askedAt} />
      </span>
    </li>
  ));
  return (
    <ListSection
      title="Approval requests"
      href={`${isWaiting ? "/approvals" : "/approvals/answered"}?person=${personId}`}
      all={isWaiting ? "Waiting requests" : "Answered requests"}
      none="No approval requests for calls of this person."
      of={{ ...found, data: rows }}
    />
  );
}
