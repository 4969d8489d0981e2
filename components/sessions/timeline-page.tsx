"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { useStaleSentence } from "@/components/layout/connection-state";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import type { StopTarget } from "@/components/layout/stop/stop-context";
import { parseSessionRef } from "@/components/sessions/query";
import { TimelineBody } from "@/components/sessions/timeline-body";
import { type Outline, useTimeline } from "@/components/sessions/use-timeline";
import { useTimelineAddress } from "@/components/sessions/use-timeline-address";
import { useTimelinePosition } from "@/components/sessions/use-timeline-position";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { ErrorState } from "@/components/ui/error-state";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Notice } from "@/components/ui/notice";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import type { SessionRef } from "@/server/sessions/schema";

const EventDrawer = loadWhenOpened(() => import("@/components/sessions/event-drawer").then((one) => one.EventDrawer));

const CRUMBS = [{ label: "Sessions", href: "/activity/sessions" }];

/** One session, event by event; `?event=` is the selected event. */
export function TimelinePage() {
  const params = useSearchParams();
  const [agentId, sessionId] = [params.get("agent"), params.get("session")];
  const ref = useMemo(() => parseSessionRef(agentId, sessionId), [agentId, sessionId]);
  if (ref) return <Timeline key={`${agentId} ${sessionId}`} session={ref} />;
  return (
    <>
      <PageHeader title="Session" crumbs={CRUMBS} />
      <PageBody>
        <ErrorState title="This link names no session" reason="The link may be incomplete." />
      </PageBody>
    </>
  );
}

function Timeline({ session }: { session: SessionRef }) {
  const address = useTimelineAddress(session);
  const { url, setUrl } = address;
  const timeline = useTimeline(address.input, address.selected);
  const { outline } = timeline;
  const data = outline.data;
  // A session that is over does not change with every event of others.
  useLiveQueries(data === undefined || data.session.state === "running" ? ["sessions"] : NOTHING);
  const stale = useStaleSentence();
  const position = useTimelinePosition(address, timeline);
  const { walk } = position;
  return (
    <>
      <PageHeader
        title={data ? (data.session.title ?? "No prompt recorded") : "Session"}
        crumbs={CRUMBS}
        live
        stop={stopTargetOf(session, data)}
      />
      <PageBody width="fill" className="gap-3 max-sm:overflow-y-auto">
        {stale ? <Notice kind="warning">{stale}</Notice> : null}
        {data ? (
          <TimelineBody
            outline={data}
            timeline={timeline}
            address={address}
            position={position}
            agentId={session.agentId}
          />
        ) : outline.isError ? (
          <ErrorState
            title={
              appCodeOf(outline.error) === "session_not_found" ? "Session not found" : "The session could not be loaded"
            }
            reason={failureSentence(outline.error)}
            stillWorks={<GatewayStatus />}
            onRetry={() => void outline.refetch()}
            retrying={outline.isFetching}
          />
        ) : (
          <Loading label="the session" className="flex flex-col gap-3">
            <Skeleton className="h-10" />
            <Skeleton className="h-12" />
            <Skeleton className="h-96" />
          </Loading>
        )}
      </PageBody>
      <EventDrawer
        open={url.details === null ? null : url.event}
        onClose={() => void setUrl({ details: null })}
        onPrevious={walk(-1)}
        onNext={walk(1)}
      />
    </>
  );
}

const stopTargetOf = ({ agentId, sessionId }: SessionRef, outline: Outline | undefined): StopTarget => ({
  scope: "session",
  agent: { id: agentId, name: outline?.session.agentName ?? "the agent of this session" },
  sessionId,
});

const NOTHING = [] as const;
