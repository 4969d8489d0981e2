"use client";

import { History } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { parseAsString, useQueryStates } from "nuqs";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useStaleSentence } from "@/components/layout/connection-state";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import type { StopTarget } from "@/components/layout/stop/stop-context";
import { FoldAll, Jumps, Kinds, RawSwitch } from "@/components/sessions/controls";
import {
  foldedSessionsParam,
  parseEventKinds,
  parseFoldedSessions,
  parseSessionRef,
  timelineInputOf,
} from "@/components/sessions/query";
import { SessionFacts } from "@/components/sessions/session-facts";
import { SessionMarksNav } from "@/components/sessions/session-marks-nav";
import { StoryList } from "@/components/sessions/story-list";
import { Strip } from "@/components/sessions/strip";
import { type ListHandle, TimelineList } from "@/components/sessions/timeline-list";
import { pageOfKey, rowOfKey, slotOfRow } from "@/components/sessions/timeline-pages";
import { type Outline, useTimeline } from "@/components/sessions/use-timeline";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Notice } from "@/components/ui/notice";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import {
  type EventKey,
  keyText,
  type LaneView,
  PAGE_ROWS,
  parseKey,
  type RowView,
  type SessionRef,
} from "@/server/sessions/schema";

const EventDrawer = loadWhenOpened(() => import("@/components/sessions/event-drawer").then((one) => one.EventDrawer));

const CRUMBS = [{ label: "Sessions", href: "/sessions" }];

/** One session, event by event; `?event=` is where one stands in it. */
export function TimelinePage() {
  const params = useSearchParams();
  const [agentId, sessionId] = [params.get("agent"), params.get("session")];
  const ref = useMemo(() => parseSessionRef(agentId, sessionId), [agentId, sessionId]);
  if (ref) return <Timeline key={`${agentId} ${sessionId}`} session={ref} />;
  return (
    <>
      <PageHeader title="Session" crumbs={CRUMBS} />
      <PageBody>
        <ErrorState title="This address names no session" reason="The link may be cut." />
      </PageBody>
    </>
  );
}

const inUrl = {
  kinds: parseAsString,
  fold: parseAsString,
  event: parseAsString,
  details: parseAsString,
  raw: parseAsString,
};
const NO_LANES: readonly LaneView[] = [];

function Timeline({ session }: { session: SessionRef }) {
  const [url, setUrl] = useQueryStates(inUrl);
  const kinds = useMemo(() => parseEventKinds(url.kinds), [url.kinds]);
  const folded = useMemo(() => parseFoldedSessions(url.fold), [url.fold]);
  const foldedSet = useMemo(() => new Set(folded), [folded]);
  const input = useMemo(() => timelineInputOf(session, kinds, folded), [session, kinds, folded]);
  // Kinds and folds are of the flat list; an address that names some opens it.
  const isRaw = url.raw !== null || kinds.length > 0 || folded.length > 0;
  const selected = useMemo(() => parseKey(url.event), [url.event]);
  const timeline = useTimeline(input, selected);
  const { outline, rowAt, rowsOf, see } = timeline;
  const data = outline.data;
  // A session that is over does not change with every event of others.
  useLiveQueries(data === undefined || data.session.state === "running" ? ["sessions"] : NOTHING);
  const stale = useStaleSentence();
  const list = useRef<ListHandle>(null);
  const [first, setFirst] = useState(0);
  const slots = data?.slots;
  const pages = data?.pages;
  const total = data?.rows ?? 0;

  // The story fetches the pages of its own window.
  const fetchRows = isRaw ? see : fetchNothing;
  const selectedRow = useSelectedRow({ text: url.event, selected, pages, rowsOf, see: fetchRows, list });
  const onTop = useCallback(
    // The strip is as fine as its slots: within one of them scrolling draws the list alone.
    (row: number) => setFirst((now) => (slots && slotOfRow(slots, now) === slotOfRow(slots, row) ? now : row)),
    [slots],
  );
  const onSight = useCallback(
    (firstRow: number, lastRow: number) => {
      see(firstRow, lastRow);
      onTop(firstRow);
    },
    [see, onTop],
  );
  const jumpTo = useJump({
    total,
    rowAt,
    see: fetchRows,
    list,
    select: (row) => void setUrl({ event: keyText(row.key) }),
  });
  const onOpen = useCallback(
    (row: RowView) => void setUrl({ event: keyText(row.key), details: "1" }, { history: "push" }),
    [setUrl],
  );
  const onFold = useCallback(
    (lane: LaneView) => {
      const next = foldedSet.has(lane.sessionId)
        ? folded.filter((id) => id !== lane.sessionId)
        : [...folded, lane.sessionId];
      void setUrl({ fold: foldedSessionsParam(next) });
    },
    [folded, foldedSet, setUrl],
  );
  const step = (by: 1 | -1) => () => {
    if (list.current?.near) {
      const next = list.current.near(by);
      if (next) void setUrl({ event: keyText(next.key) });
      return;
    }
    const from = selectedRow ?? first;
    jumpTo(Math.min(Math.max(from + (selectedRow === null ? 0 : by), 0), total - 1));
  };
  useHotkey("j", step(1), { label: "Next event", group: "Timeline" });
  useHotkey("k", step(-1), { label: "Previous event", group: "Timeline" });
  useHotkey("enter", () => url.event && void setUrl({ details: "1" }), { label: "Open the event", group: "Timeline" });
  const near = (by: number) => (selectedRow === null ? undefined : rowAt(selectedRow + by));
  const walk = (row: RowView | undefined) => (row ? () => void setUrl({ event: keyText(row.key) }) : undefined);

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
          <>
            <SessionFacts outline={data} />
            <Strip outline={data} row={first} onJump={(row) => list.current?.show(row)} />
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
                    count={data.lanes.length - 1}
                    onClick={() =>
                      void setUrl({ fold: folded.length > 0 ? null : foldedSessionsParam(idsBelow(data)), raw: "1" })
                    }
                  />
                ) : null}
                <Jumps outline={data} row={selectedRow ?? first} onJump={jumpTo} />
              </span>
            </div>
            <Cuts outline={data} />
            {timeline.failed ? (
              <Notice kind="danger">
                Some rows could not be loaded: {failureSentence(timeline.failed.error)}{" "}
                <button type="button" className="link" onClick={() => void timeline.failed?.refetch()}>
                  Try again
                </button>
              </Notice>
            ) : null}
            {isRaw ? (
              <div className="flex min-h-0 flex-1 flex-col overflow-hidden rounded-md border bg-surface max-sm:min-h-120">
                <Head />
                {data.rows === 0 ? (
                  <EmptyState icon={History} title="No event of these kinds">
                    The session has {data.session.events} events of other kinds.
                  </EmptyState>
                ) : (
                  <TimelineList
                    ref={list}
                    count={data.rows}
                    rowAt={rowAt}
                    lanes={data.lanes ?? NO_LANES}
                    startMs={data.from.getTime()}
                    folded={foldedSet}
                    selected={url.event}
                    onSight={onSight}
                    onOpen={onOpen}
                    onFold={onFold}
                  />
                )}
              </div>
            ) : (
              <div className="flex min-h-0 flex-1 gap-3">
                <StoryList
                  ref={list}
                  outline={data}
                  timeline={timeline}
                  agentId={session.agentId}
                  selected={url.event}
                  onSight={onTop}
                  onOpen={onOpen}
                />
                <SessionMarksNav outline={data} row={selectedRow ?? -1} onJump={jumpTo} />
              </div>
            )}
          </>
        ) : outline.isError ? (
          <ErrorState
            title={
              appCodeOf(outline.error) === "session_not_found"
                ? "This session is not stored"
                : "The session could not be loaded"
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
        onPrevious={walk(near(-1))}
        onNext={walk(near(1))}
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
const fetchNothing = () => undefined;
const idsBelow = ({ lanes }: Outline): string[] => lanes.slice(1).map(({ sessionId }) => sessionId);

interface SelectedInput {
  text: string | null;
  selected: EventKey | null;
  pages: Outline["pages"] | undefined;
  rowsOf: (page: number) => readonly RowView[] | undefined;
  see: (first: number, last: number) => void;
  list: React.RefObject<ListHandle | null>;
}

/** The row of the selected event, which is brought into sight when another is selected; null while it is not known. */
function useSelectedRow({ text, selected: key, pages, rowsOf, see, list }: SelectedInput): number | null {
  const shown = useRef<string | null>(null);
  const page = key && pages && pages.length > 0 ? pageOfKey(pages, key) : null;
  const rows = page === null ? undefined : rowsOf(page);
  const row = key && page !== null && rows ? rowOfKey(page, rows, key) : null;
  useEffect(() => {
    // Synchronises the scroller with the address: its page first, then the row itself.
    if (text === null || page === null || shown.current === text) return;
    if (row === null) {
      see(page * PAGE_ROWS, page * PAGE_ROWS);
      list.current?.show(page * PAGE_ROWS);
      return;
    }
    list.current?.show(row);
    shown.current = text;
  }, [text, page, row, see, list]);
  return row;
}

interface JumpInput {
  total: number;
  rowAt: (row: number) => RowView | undefined;
  see: (first: number, last: number) => void;
  list: React.RefObject<ListHandle | null>;
  select: (row: RowView) => void;
}

/** Goes to a row and selects it, at once or as soon as it is here. */
function useJump({ total, rowAt, see, list, select }: JumpInput): (row: number) => void {
  const [wanted, setWanted] = useState<number | null>(null);
  const found = wanted === null ? undefined : rowAt(wanted);
  useEffect(() => {
    // Synchronises the address with a jump whose row had to be fetched first.
    if (!found) return;
    select(found);
    setWanted(null);
  }, [found, select]);
  return (row) => {
    if (row < 0 || row >= total) return;
    see(row, row);
    list.current?.show(row);
    setWanted(row);
  };
}

function Cuts({ outline }: { outline: Outline }) {
  return (
    <>
      {outline.isCut ? (
        <Notice kind="warning">The session has more events than a timeline holds; its end is not shown.</Notice>
      ) : null}
      {outline.lanesCut ? (
        <Notice kind="warning">
          There are more sub-sessions than are shown, and their cost is in none of these sums.
        </Notice>
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
