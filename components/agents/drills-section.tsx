"use client";

import { useQuery } from "@tanstack/react-query";
import { blockedText, failureText, isDrillOverdue, openPolicyText } from "@/components/agents/drill-text";
import { DrillDate } from "@/components/agents/last-drill";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { ErrorState } from "@/components/ui/error-state";
import { useNow } from "@/components/ui/format/clock";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { SkeletonText } from "@/components/ui/skeleton";
import { clientTitle } from "@/server/dialects/schema";
import type { DrillView } from "@/server/drills/schema";

/** The newest drills of one agent: known-bad calls through its client's own hooks. */
export function DrillsSection({ agentId }: { agentId: string }) {
  useLiveQueries(["agents"]);
  const trpc = useTRPC();
  const now = useNow(60_000);
  const found = useQuery(trpc.drills.ofAgent.queryOptions({ agentId }));
  return (
    <Section title="Drills" aside="known-bad calls through the agent's own hooks">
      {found.data ? (
        <>
          <Summary drill={found.data[0]} now={now} />
          {found.data.length > 0 ? <Drills drills={found.data} /> : null}
        </>
      ) : found.isError ? (
        <ErrorState
          compact
          title="The drills could not be loaded"
          reason={failureSentence(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <SkeletonText lines={3} />
      )}
    </Section>
  );
}

function Summary({ drill, now }: { drill: DrillView | undefined; now: number | null }) {
  if (drill === undefined)
    return (
      <p className="text-muted text-sm">
        No drills yet. On the agent&apos;s machine, run <code>quarterdeck drill CLIENT</code>.
      </p>
    );
  if (now !== null && isDrillOverdue(drill.reportedAt, now))
    return (
      <p className="text-sm">
        Last drill: <DrillDate at={drill.reportedAt} />.
      </p>
    );
  return (
    <p className="text-sm">
      Drilled <RelativeTime at={drill.reportedAt} />: {blockedText(drill.results)}.
    </p>
  );
}

function Drills({ drills }: { drills: readonly DrillView[] }) {
  return (
    <ul
      aria-label="Drills"
      className="flex max-h-64 flex-col divide-y divide-line overflow-y-auto rounded-md border bg-surface"
    >
      {drills.map((drill) => (
        <li key={drill.id} className="flex flex-col gap-1 px-3 py-1.5 text-sm">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <Outcome drill={drill} />
            <span>
              {clientTitle(drill.client)}
              {drill.clientVersion === null ? "" : ` ${drill.clientVersion}`}
              {drill.mode === "outage" ? ", console unreachable" : ""}
            </span>
            <span className="text-muted">
              <RelativeTime at={drill.reportedAt} />
            </span>
          </span>
          <Reasons drill={drill} />
        </li>
      ))}
    </ul>
  );
}

function Outcome({ drill: { results } }: { drill: DrillView }) {
  const isHeld = failureText(results) === null;
  return <Mark tone={isHeld ? "allow" : "deny"} look="plain" label={blockedText(results)} />;
}

function Reasons({ drill }: { drill: DrillView }) {
  const reasons = [failureText(drill.results), openPolicyText(drill)].filter((text) => text !== null);
  return reasons.length === 0 ? null : <span className="text-muted">{reasons.join(" ")}</span>;
}
