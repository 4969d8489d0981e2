"use client";

import { useQuery } from "@tanstack/react-query";
import { TimerReset } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { ExceptDenialDialog } from "@/components/approvals/exceptions/always-allow-dialog";
import { ExceptionRow } from "@/components/approvals/exceptions/exception-row";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { useNow } from "@/components/ui/format/clock";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { decisionKey } from "@/server/decisions/schema";
import type { ExceptionView } from "@/server/exceptions/schema";
import { parseEventKey } from "@/server/recording/event-key-schema";

const EndExceptionDialog = loadWhenOpened(
  () => import("@/components/approvals/exceptions/end-exception-dialog").then((one) => one.EndExceptionDialog),
  "exception",
);
const ReviewExceptionDialog = loadWhenOpened(
  () => import("@/components/approvals/exceptions/review-exception-dialog").then((one) => one.ReviewExceptionDialog),
  "exception",
);

/** The exceptions, and the dialog that makes one from the denied call that the address names. */
export function ExceptionsSection() {
  const [except, setExcept] = useQueryState("except", parseAsString);
  const dispatch = except === null ? null : parseEventKey(except, decisionKey);
  return (
    <>
      {dispatch ? <ExceptDenialDialog example={{ dispatch }} onClose={() => void setExcept(null)} /> : null}
      <ExceptionList />
    </>
  );
}

/** The exceptions, by which rules skip calls. */
function ExceptionList() {
  useLiveQueries(["exceptions"]);
  const trpc = useTRPC();
  const listed = useQuery(trpc.exceptions.list.queryOptions());
  const [ending, setEnding] = useState<ExceptionView | null>(null);
  const [reviewing, setReviewing] = useState<ExceptionView | null>(null);
  const nowMs = useNow(5_000);
  if (listed.isError && !listed.data)
    return (
      <ErrorState
        compact
        title="The exceptions could not be loaded"
        reason={failureSentence(listed.error)}
        onRetry={() => void listed.refetch()}
        retrying={listed.isFetching}
      />
    );
  const rows = listed.data;
  if (rows === undefined || nowMs === null)
    return (
      <Loading label="the exceptions">
        <SkeletonText lines={4} />
      </Loading>
    );
  if (rows.length === 0)
    return (
      <EmptyState icon={TimerReset} title="No exceptions">
        Until it expires, an exception allows calls that certain rules would stop. To add an exception, open a denied
        call.
      </EmptyState>
    );
  const inForce = rows.filter((one) => isInForce(one, nowMs)).length;
  return (
    <Section title="Exceptions" aside={`${inForce} in force`}>
      <ul
        aria-label="Exceptions"
        className="flex flex-col divide-y divide-line overflow-hidden rounded-md border bg-surface"
      >
        {rows.map((one) => (
          <ExceptionRow
            key={one.id}
            exception={one}
            isInForce={isInForce(one, nowMs)}
            onEnd={() => setEnding(one)}
            onReview={() => setReviewing(one)}
          />
        ))}
      </ul>
      <EndExceptionDialog exception={ending} onClose={() => setEnding(null)} />
      <ReviewExceptionDialog exception={reviewing} onClose={() => setReviewing(null)} />
    </Section>
  );
}

const isInForce = ({ endedAt, expiresAt }: ExceptionView, nowMs: number): boolean =>
  endedAt === null && expiresAt.getTime() > nowMs;
