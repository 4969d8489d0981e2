"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePermission } from "@/components/access/permission";
import { type EqualRequests, equalRequests } from "@/components/approvals/equal-requests";
import { actOf, isQuestion, notForReader, numberOf } from "@/components/approvals/labels";
import { useAnswer } from "@/components/approvals/use-answer";
import { canAnswerInPlace, inputLine } from "@/components/approvals/waiting-call";
import { type WaitingItem, WaitingRow, type WaitingSource } from "@/components/layout/waiting/waiting-row";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { useAging } from "@/components/ui/format/clock";
import { plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { Link } from "@/components/ui/link";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { toast } from "@/components/ui/toast";
import type { ApprovalView } from "@/server/approvals/schema";

const DenyForm = loadWhenOpened(() => import("@/components/approvals/deny-form").then((one) => one.DenyForm));

/** The rows of one list; the Approvals page has the others. */
const ROWS_MAX = 5;

/** Calls that wait for an answer; each is answered in its row, or opens its card. */
export function useWaitingApprovals(): WaitingSource {
  useLiveQueries(["approvals"]);
  const trpc = useTRPC();
  const listed = useQuery(trpc.approvals.list.queryOptions());
  const groups = listed.data && equalRequests(listed.data.open.filter(({ isForReader }) => isForReader));
  const others = listed.data?.open.filter(({ isForReader }) => !isForReader) ?? [];
  const more = (groups ?? []).slice(ROWS_MAX).reduce((sum, { all }) => sum + all.length, 0);
  const rest: WaitingItem[] = more > 0 ? [{ id: "more approvals", count: more, row: <MoreCalls count={more} /> }] : [];
  return {
    label: "calls",
    items: groups && [
      ...groups.slice(0, ROWS_MAX).map((group) => ({
        ...{ id: group.first.id, count: group.all.length },
        row: <WaitingCall group={group} />,
      })),
      ...rest,
    ],
    others: others.length > 0 ? <OthersCalls requests={others} /> : null,
    failure: listed.isError ? failureSentence(listed.error) : null,
    onRetry: () => void listed.refetch(),
  };
}

function MoreCalls({ count }: { count: number }) {
  return (
    <WaitingRow tone="ask" word="Waiting" actions={<OpenLink href="/approvals" label="Show all" />}>
      {plural(count, "more call")} to answer
    </WaitingRow>
  );
}

/** Calls that the reader cannot answer: the reason and the people who can, where they are the same for all. */
function OthersCalls({ requests }: { requests: readonly ApprovalView[] }) {
  const { isGranted } = usePermission("approval:decide");
  const reasons = new Set(requests.map((request) => notForReader(request, isGranted)));
  const [reason] = reasons;
  return (
    <WaitingRow tone="unknown" word="Others" actions={<OpenLink href="/approvals" label="Show" />}>
      {requests.length === 1 ? "1 call waits" : `${requests.length} calls wait`} for other people.{" "}
      <span className="text-muted">
        {reasons.size === 1 ? reason : "The Approvals page shows which people can answer each call."}
      </span>
    </WaitingRow>
  );
}

function OpenLink({ href, label }: { href: string; label: string }) {
  return (
    <Button asChild>
      <Link href={href}>{label}</Link>
    </Button>
  );
}

function WaitingCall({ group: { first, all } }: { group: EqualRequests }) {
  const [isDenying, setDenying] = useState(false);
  const answer = useAnswer(all);
  const number = numberOf(first);
  const line = inputLine(first);
  return (
    <WaitingRow
      tone="ask"
      word={first.isWaiting ? "Waiting" : "Approval"}
      label={`${number}, ${first.agentName} ${actOf(first)}`}
      aside={<TimeLeft until={first.expiresAt} />}
      actions={isDenying ? null : <Answers request={first} answer={answer} onDeny={() => setDenying(true)} />}
      below={
        isDenying ? (
          <DenyForm
            onCancel={() => setDenying(false)}
            onDeny={(words) => answer.mutateAsync({ verdict: "deny", words })}
          />
        ) : null
      }
    >
      <span className="font-medium">{first.agentName}</span> {actOf(first)}
      {all.length > 1 ? `, ${all.length} times` : ""}
      {line === null ? null : (
        <>
          {": "}
          <code className="rounded-sm bg-sunken px-1">{line}</code>
        </>
      )}{" "}
      <span className="text-muted">{first.reason}</span>
    </WaitingRow>
  );
}

interface AnswersProps {
  request: ApprovalView;
  answer: ReturnType<typeof useAnswer>;
  onDeny: () => void;
}

/** The buttons that this reader may press. A call with an open question opens its card. */
function Answers({ request, answer, onDeny }: AnswersProps) {
  const { isGranted } = usePermission("approval:decide");
  const number = numberOf(request);
  const may = canAnswerInPlace(request, isGranted);
  const isYesNo = isQuestion(request);
  const allow = () =>
    answer.mutate({ verdict: "allow", words: "" }, { onError: (error) => toast.error(failureSentence(error)) });
  return (
    <>
      {may.allow ? (
        <Button busy={answer.isPending} onClick={allow} aria-label={`${isYesNo ? "Yes" : "Allow"} ${number}`}>
          {isYesNo ? "Yes" : "Allow"}
        </Button>
      ) : null}
      {may.deny ? (
        <Button disabled={answer.isPending} onClick={onDeny} aria-label={`${isYesNo ? "No…" : "Deny…"} ${number}`}>
          {isYesNo ? "No…" : "Deny…"}
        </Button>
      ) : null}
      <Link href={`/approvals#${number}`} className="link text-sm">
        {number}
      </Link>
    </>
  );
}

function TimeLeft({ until }: { until: Date }) {
  const left = useAging(1_000, (now) => {
    const ms = until.getTime() - now;
    return ms <= 0 ? "time is up" : `${formatDuration(Math.ceil(ms / 1_000) * 1_000)} left`;
  });
  return left;
}
