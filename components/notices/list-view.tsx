"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Archive, Bell, CheckCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { useStaleSentence } from "@/components/layout/connection-state";
import { NoticeRow } from "@/components/notices/notice-row";
import { snoozeTimes } from "@/components/notices/snooze-times";
import { type Filing, useFiling } from "@/components/notices/use-filing";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Segmented } from "@/components/ui/segmented";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { NOTICE_BOXES, type NoticeBox, type NoticeList, type NoticeView } from "@/server/notices/schema";

const TITLES: Readonly<Record<NoticeBox, string>> = { inbox: "Inbox", snoozed: "Snoozed", archived: "Archived" };
const EMPTY: Readonly<Record<NoticeBox, string>> = {
  inbox: "No notifications",
  snoozed: "No snoozed notifications",
  archived: "No archived notifications",
};
const BOXES = NOTICE_BOXES.map((value) => ({ value, label: TITLES[value] }));

/** A person's own notices in one box of the inbox, the newest first. */
export function ListView() {
  useLiveQueries(["notices", "approvals"]);
  const trpc = useTRPC();
  const stale = useStaleSentence();
  const [box, setBox] = useQueryState("box", parseAsStringLiteral(NOTICE_BOXES).withDefault("inbox"));
  const listed = useQuery(trpc.notices.list.queryOptions(box === "inbox" ? undefined : { box }));
  return (
    <>
      {stale ? <Notice kind="warning">{stale}</Notice> : null}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Segmented label="Box" value={box} onChange={(next) => void setBox(next)} options={BOXES} />
        <Link href="/settings/notifications" className="link text-sm">
          Choose notifications
        </Link>
      </div>
      {listed.isError && !listed.data ? (
        <ErrorState
          title="Your notifications could not be loaded"
          reason={failureSentence(listed.error)}
          stillWorks="Your stored notifications are not affected."
          onRetry={() => void listed.refetch()}
          retrying={listed.isFetching}
        />
      ) : !listed.data ? (
        <Loading label="your notifications" className="flex flex-col gap-2">
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
        </Loading>
      ) : listed.data.notices.length === 0 ? (
        <EmptyState icon={Bell} title={EMPTY[box]}>
          Notifications about reviews, calls to answer, alerts and halts are kept for 30 days.
        </EmptyState>
      ) : (
        <Box key={box} box={box} list={listed.data} onChanged={() => listed.refetch()} />
      )}
    </>
  );
}

interface BoxProps {
  box: NoticeBox;
  list: NoticeList;
  onChanged: () => Promise<unknown>;
}

function Box({ box, list: { notices, unread }, onChanged }: BoxProps) {
  const filing = useFiling();
  const current = useInboxKeys(notices, box, filing);
  const done = notices.filter(({ isDone }) => isDone).map(({ key }) => key);
  return (
    <Section
      title={TITLES[box]}
      aside={box === "inbox" ? `${unread} unread; kept for 30 days` : "kept for 30 days"}
      actions={
        box === "inbox" ? (
          <>
            <Button size="sm" disabled={done.length === 0 || filing.isBusy} onClick={() => filing.archive(done)}>
              <Archive aria-hidden /> Archive read
            </Button>
            <MarkAllRead notices={notices} unread={unread} onChanged={onChanged} />
          </>
        ) : null
      }
    >
      <ul
        aria-label="Notices"
        className="flex flex-col divide-y divide-line overflow-hidden rounded-md border bg-surface"
      >
        {notices.map((notice, at) => (
          <NoticeRow key={notice.key} notice={notice} box={box} isCurrent={at === current} filing={filing} />
        ))}
      </ul>
    </Section>
  );
}

interface MarkAllReadProps {
  notices: readonly NoticeView[];
  unread: number;
  onChanged: () => Promise<unknown>;
}

function MarkAllRead({ notices, unread, onChanged }: MarkAllReadProps) {
  const trpc = useTRPC();
  const mark = useMutation(
    trpc.notices.markRead.mutationOptions({
      onSuccess: () => onChanged(),
      onError: (error) =>
        toast.error("The notifications could not be marked as read", { description: failureSentence(error) }),
    }),
  );
  const upTo = new Date(Math.max(...notices.map(({ at }) => at.getTime())));
  return (
    <Button size="sm" disabled={unread === 0} busy={mark.isPending} onClick={() => mark.mutate({ upTo })}>
      <CheckCheck aria-hidden /> Mark all as read
    </Button>
  );
}

const GROUP = { group: "Inbox" };

/** The keys of the inbox: `j` and `k` move, `o` opens, `e` archives, `h` snoozes for an hour. Returns the row. */
function useInboxKeys(notices: readonly NoticeView[], box: NoticeBox, filing: Filing): number {
  const router = useRouter();
  const [at, setAt] = useState(-1);
  const current = Math.min(at, notices.length - 1);
  const notice = notices[current];
  const isOpen = box !== "archived";
  useHotkey("j", () => setAt(Math.min(current + 1, notices.length - 1)), { label: "Next notice", ...GROUP });
  useHotkey("k", () => setAt(Math.max(current - 1, 0)), { label: "Previous notice", ...GROUP });
  useHotkey("o", () => (notice ? router.push(notice.path) : undefined), { label: "Open the notice", ...GROUP });
  useHotkey("e", () => (notice ? filing.archive([notice.key]) : undefined), {
    ...{ label: "Archive the notice", enabled: isOpen, ...GROUP },
  });
  useHotkey(
    "h",
    () => {
      const [hour] = snoozeTimes(Date.now());
      if (notice && hour) filing.snooze([notice.key], hour.until);
    },
    { label: "Snooze for 1 hour", enabled: isOpen, ...GROUP },
  );
  return current;
}
