"use client";

import { History } from "lucide-react";
import { useCallback } from "react";
import { FoldAll, Jumps, Kinds, RawSwitch } from "@/components/sessions/controls";
import { foldedSessionsParam } from "@/components/sessions/query";
import { SessionFacts } from "@/components/sessions/session-facts";
import { SessionMarksNav } from "@/components/sessions/session-marks-nav";
import { StoryList } from "@/components/sessions/story-list";
import { Strip } from "@/components/sessions/strip";
import { TimelineList } from "@/components/sessions/timeline-list";
import type { Outline, Timeline } from "@/components/sessions/use-timeline";
import type { TimelineAddress } from "@/components/sessions/use-timeline-address";
import type { TimelinePosition } from "@/components/sessions/use-timeline-position";
import { failureSentence } from "@/components/trpc/failure";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { eventKeyText } from "@/server/recording/event-key-schema";
import type { LaneView, RowView } from "@/server/sessions/schema";

export interface TimelineBodyProps {
  outline: Outline;
  timeline: Timeline;
  address: TimelineAddress;
  position: TimelinePosition;
  agentId: string;
}

/** The facts of a session, and its events as a story or as a flat list. */
export function TimelineBody(props: TimelineBodyProps) {
  const { outline, timeline, address, position, agentId } = props;
  const { url, setUrl, isRaw } = address;
  const { list, first, selectedRow, onTop, jumpTo } = position;
  const onOpen = useCallback(
    (row: RowView) => void setUrl({ event: eventKeyText(row.key), details: "1" }, { history: "push" }),
    [setUrl],
  );
  return (
    <>
      <SessionFacts outline={outline} />
      <Strip outline={outline} row={first} onJump={(row) => list.current?.show(row)} />
      <Toolbar {...props} />
      <Cuts outline={outline} />
      {timeline.failed ? (
        <Notice kind="danger">
          Some rows could not be loaded: {failureSentence(timeline.failed.error)}{" "}
          <button type="button" className="link" onClick={() => void timeline.failed?.refetch()}>
            Try again
          </button>
        </Notice>
      ) : null}
      {isRaw ? (
        <FlatList {...props} onOpen={onOpen} />
      ) : (
        <div className="flex min-h-0 flex-1 gap-3">
          <StoryList
            ref={list}
            outline={outline}
            timeline={timeline}
            agentId={agentId}
            selected={url.event}
            onSight={onTop}
            onOpen={onOpen}
          />
          <SessionMarksNav outline={outline} row={selectedRow ?? -1} onJump={jumpTo} />
        </div>
      )}
    </>
  );
}

function Toolbar({ outline, address, position: { first, selectedRow, jumpTo } }: TimelineBodyProps) {
  const { setUrl, kinds, folded, isRaw } = address;
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 *:min-w-0">
      <RawSwitch
        isRaw={isRaw}
        onChange={(raw) => void setUrl(raw ? { raw: "1" } : { raw: null, kinds: null, fold: null })}
      />
      {isRaw ? (
        <Kinds kinds={kinds} onChange={(next) => void setUrl({ kinds: next.join(",") || null, raw: "1" })} />
      ) : null}
      <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {isRaw ? (
          <FoldAll
            isFolded={folded.length > 0}
            count={outline.lanes.length - 1}
            onClick={() =>
              void setUrl({ fold: folded.length > 0 ? null : foldedSessionsParam(idsBelow(outline)), raw: "1" })
            }
          />
        ) : null}
        <Jumps outline={outline} row={selectedRow ?? first} onJump={jumpTo} />
      </span>
    </div>
  );
}

const idsBelow = ({ lanes }: Outline): string[] => lanes.slice(1).map(({ sessionId }) => sessionId);
const NO_LANES: readonly LaneView[] = [];

function FlatList(props: TimelineBodyProps & { onOpen: (row: RowView) => void }) {
  const { outline, timeline, address, position, onOpen } = props;
  const { url, setUrl, folded, foldedSet } = address;
  const onFold = useCallback(
    (lane: LaneView) => {
      const next = foldedSet.has(lane.sessionId)
        ? folded.filter((id) => id !== lane.sessionId)
        : [...folded, lane.sessionId];
      void setUrl({ fold: foldedSessionsParam(next) });
    },
    [folded, foldedSet, setUrl],
  );
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-hidden rounded-md border bg-surface max-sm:min-h-120">
      <Head />
      {outline.rows === 0 ? (
        <EmptyState icon={History} title="No events of these kinds">
          The session has {outline.session.events} events of other kinds.
        </EmptyState>
      ) : (
        <TimelineList
          ref={position.list}
          count={outline.rows}
          rowAt={timeline.rowAt}
          lanes={outline.lanes ?? NO_LANES}
          startMs={outline.from.getTime()}
          folded={foldedSet}
          selected={url.event}
          onSight={position.onSight}
          onOpen={onOpen}
          onFold={onFold}
        />
      )}
    </div>
  );
}

function Cuts({ outline }: { outline: Outline }) {
  return (
    <>
      {outline.isCut ? (
        <Notice kind="warning">The session has too many events to show. The end of the timeline is cut off.</Notice>
      ) : null}
      {outline.lanesCut ? (
        <Notice kind="warning">Some sub-sessions are not shown, and the totals do not include their cost.</Notice>
      ) : null}
    </>
  );
}

function Head() {
  return (
    <div
      aria-hidden
      className="grid h-8 shrink-0 grid-cols-[84px_minmax(0,1fr)_88px_96px] items-center gap-x-3 border-line border-b bg-sunken px-3 font-medium text-muted text-xs max-sm:hidden"
    >
      <span className="text-right">After start</span>
      <span>Event</span>
      <span className="text-right">Cost</span>
      <span className="text-right">Running total</span>
    </div>
  );
}
