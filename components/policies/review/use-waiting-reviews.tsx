"use client";

import { useQuery } from "@tanstack/react-query";
import { type WaitingItem, WaitingRow, type WaitingSource } from "@/components/layout/waiting/waiting-row";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";

const ROWS_MAX = 3;

/** Drafts and changes of assignments that the reader may review. */
export function useWaitingReviews(): WaitingSource {
  useLiveQueries(["reviews", "policies"]);
  const trpc = useTRPC();
  const reviews = useQuery(trpc.reviews.list.queryOptions({ which: "current" }));
  const changes = useQuery(trpc.reviews.changes.queryOptions());
  const rows: readonly WaitingItem[] | undefined = reviews.data &&
    changes.data && [
      ...reviews.data
        .filter(({ state, whyNot }) => state === "open" && whyNot === null)
        .map(({ id, policyId, policyName, authorName, createdAt }) => ({
          id,
          row: (
            <ReviewRow href={`/policies/${policyId}?review=${id}`} name={policyName} at={createdAt}>
              {authorName} requests a review of the policy <span className="font-medium">{policyName}</span>
            </ReviewRow>
          ),
        })),
      ...changes.data
        .filter(({ state, whyNot }) => state === "open" && whyNot === null)
        .map(({ id, summary, requestedName, createdAt }) => ({
          id,
          row: (
            <ReviewRow href="/policies/reviews" name={summary} at={createdAt}>
              {requestedName} requests a review: <span className="font-medium">{summary}</span>
            </ReviewRow>
          ),
        })),
    ];
  const more = (rows?.length ?? 0) - ROWS_MAX;
  const failed = [reviews, changes].find(({ isError }) => isError);
  return {
    label: "reviews",
    items:
      rows && more > 0 ? [...rows.slice(0, ROWS_MAX), { id: "more reviews", row: <MoreReviews count={more} /> }] : rows,
    failure: failed ? failureSentence(failed.error) : null,
    onRetry: () => {
      for (const query of [reviews, changes]) if (query.isError) void query.refetch();
    },
  };
}

interface ReviewRowProps {
  href: string;
  name: string;
  at: Date;
  children: React.ReactNode;
}

function ReviewRow({ href, name, at, children }: ReviewRowProps) {
  return (
    <WaitingRow
      tone="observe"
      word="Review"
      aside={<RelativeTime at={at} />}
      actions={
        <Button asChild>
          <Link href={href} aria-label={`Review ${name}`}>
            Review
          </Link>
        </Button>
      }
    >
      {children}
    </WaitingRow>
  );
}

function MoreReviews({ count }: { count: number }) {
  return (
    <WaitingRow
      tone="observe"
      word="Review"
      actions={
        <Button asChild>
          <Link href="/policies/reviews">Show all</Link>
        </Button>
      }
    >
      {plural(count, "more review")}
    </WaitingRow>
  );
}
