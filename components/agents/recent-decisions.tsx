"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { agentFilter } from "@/components/agents/query";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { useNow } from "@/components/ui/format/clock";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { callOutcomeOf, OUTCOME_LOOKS } from "@/server/decisions/call-outcome-schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const SHOWN = 6;

/** An agent's newest calls with their outcomes, and the way to all of them. */
export function RecentDecisions({ names }: { names: readonly string[] }) {
  const trpc = useTRPC();
  const now = useNow(MINUTE_MS);
  const until = Math.ceil((now ?? DAY_MS) / MINUTE_MS) * MINUTE_MS;
  const input = useMemo(
    () => ({
      range: { from: new Date(until - DAY_MS), to: new Date(until + MINUTE_MS) },
      filters: { agent: [...names] },
      limit: SHOWN,
    }),
    [until, names],
  );
  const found = useQuery({
    ...trpc.decisions.calls.queryOptions(input),
    enabled: now !== null,
    placeholderData: keepPreviousData,
  });
  const href = `/activity?q=${encodeURIComponent(agentFilter(names))}`;
  return (
    <Section
      title="Recent calls"
      aside="last 24 hours"
      actions={
        <Button asChild size="sm">
          <Link href={href}>All its calls</Link>
        </Button>
      }
    >
      {found.data ? (
        found.data.rows.length === 0 ? (
          <p className="text-muted text-sm">The agent made no calls in the last 24 hours.</p>
        ) : (
          <ul className="flex flex-col divide-y divide-line rounded-md border bg-surface">
            {found.data.rows.map((row) => {
              const { tone, label } = OUTCOME_LOOKS[callOutcomeOf(row.chain)];
              return (
                <li key={eventKeyText(row)} className="flex min-h-9 items-center gap-2 px-3 py-1">
                  <Mark tone={tone} label={label} />
                  <Link className="min-w-0 flex-1 truncate hover:underline" href={`${href}&open=${eventKeyText(row)}`}>
                    <span className="font-medium">{row.tool}</span> <span className="text-muted">{row.excerpt}</span>
                  </Link>
                  <RelativeTime at={row.occurredAt} className="shrink-0 text-muted text-sm" />
                </li>
              );
            })}
          </ul>
        )
      ) : found.isError ? (
        <ErrorState
          compact
          title="The agent's calls could not be loaded"
          reason={failureSentence(found.error)}
          onRetry={() => void found.refetch()}
        />
      ) : (
        // As high as the list of an agent at work.
        <Loading label="recent calls" className="min-h-56">
          <SkeletonText lines={4} />
        </Loading>
      )}
    </Section>
  );
}
