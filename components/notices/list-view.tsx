"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Bell, CheckCheck } from "lucide-react";
import { useStaleSentence } from "@/components/layout/connection-state";
import { kindLabel } from "@/components/notices/labels";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { NoticeList, NoticeView } from "@/server/notices/schema";

/** One's own notices, the newest first. */
export function ListView() {
  useLiveQueries(["notices", "approvals"]);
  const trpc = useTRPC();
  const stale = useStaleSentence();
  const listed = useQuery(trpc.notices.list.queryOptions());
  return (
    <>
      {stale ? <Notice kind="warning">{stale}</Notice> : null}
      {listed.isError && !listed.data ? (
        <ErrorState
          title="Your notices could not be loaded"
          reason={failureSentence(listed.error)}
          stillWorks="Letters and webhooks go out all the same."
          onRetry={() => void listed.refetch()}
          retrying={listed.isFetching}
        />
      ) : !listed.data ? (
        <Loading label="your notices" className="flex flex-col gap-2">
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
        </Loading>
      ) : (
        <Latest list={listed.data} onChanged={() => listed.refetch()} />
      )}
    </>
  );
}

function Latest({ list: { notices, unread }, onChanged }: { list: NoticeList; onChanged: () => Promise<unknown> }) {
  const trpc = useTRPC();
  const mark = useMutation(
    trpc.notices.markRead.mutationOptions({
      onSuccess: () => onChanged(),
      onError: (error) => toast.error("They could not be marked", { description: failureSentence(error) }),
    }),
  );
  const [first] = notices;
  if (first === undefined)
    return (
      <EmptyState icon={Bell} title="Nothing concerns you yet">
        Calls that wait for your answer, reviews, alerts and halts come here. My choices says which, and by which ways.
      </EmptyState>
    );
  return (
    <Section
      title="Latest"
      aside={`${unread} unread; kept for 30 days`}
      actions={
        <Button size="sm" disabled={unread === 0} busy={mark.isPending} onClick={() => mark.mutate({ upTo: first.at })}>
          <CheckCheck aria-hidden /> Mark all as read
        </Button>
      }
    >
      <ul
        aria-label="Notices"
        className="flex flex-col divide-y divide-line overflow-hidden rounded-md border bg-surface"
      >
        {notices.map((notice) => (
          <Row key={notice.key} notice={notice} />
        ))}
      </ul>
    </Section>
  );
}

function Row({ notice: { kind, title, says, path, at, isDone } }: { notice: NoticeView }) {
  return (
    <li className="flex items-start gap-3 px-3 py-2">
      <span
        aria-hidden
        className={cn("mt-1.5 size-2 shrink-0 rounded-full", isDone ? "border border-line-strong" : "bg-accent")}
      />
      <div className="min-w-0 flex-1">
        <p className={cn("break-words", isDone ? "text-muted" : "font-medium")}>
          <Link href={path} className="hover:underline">
            {title}
          </Link>
          {isDone ? null : <span className="sr-only">, unread</span>}
        </p>
        {says === "" ? null : <p className="break-words text-muted text-sm">{says}</p>}
      </div>
      <p className="shrink-0 text-right text-faint text-sm">
        {kindLabel(kind)}
        <br />
        <RelativeTime at={at} />
      </p>
    </li>
  );
}
