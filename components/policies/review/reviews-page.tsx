"use client";

import { useQuery } from "@tanstack/react-query";
import { MessagesSquare } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { counted } from "@/components/policies/labels";
import { BindingChanges } from "@/components/policies/review/binding-changes";
import { REVIEW_WORDS } from "@/components/policies/review/review-text";
import { useOpenReview } from "@/components/policies/review/use-reviews";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Mark } from "@/components/ui/mark";
import { Segmented } from "@/components/ui/segmented";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { ReviewView } from "@/server/reviews/schema";

const ReviewDrawer = loadWhenOpened(() =>
  import("@/components/policies/review/review-drawer").then((one) => one.ReviewDrawer),
);

const WHICH = ["current", "all"] as const;

/** Drafts and changes that wait for a second person, and reviewed ones. */
export function ReviewsPage() {
  useLiveQueries(["reviews", "policies"]);
  const trpc = useTRPC();
  const [which, setWhich] = useQueryState("reviews", parseAsStringLiteral(WHICH));
  const [reviewId, setReview] = useOpenReview();
  const shown = which ?? "current";
  const reviews = useQuery(trpc.reviews.list.queryOptions({ which: shown }));
  return (
    <>
      <PageHeader live />
      <PageBody className="max-w-260">
        <Segmented
          label="Which reviews"
          value={shown}
          onChange={(next) => void setWhich(next === "current" ? null : next)}
          options={[
            { value: "current", label: "Under way" },
            { value: "all", label: "All" },
          ]}
          className="self-start"
        />
        <BindingChanges />
        {reviews.data ? (
          reviews.data.length > 0 ? (
            <ul className="flex flex-col divide-y divide-line rounded-md border">
              {reviews.data.map((review) => (
                <Row key={review.id} review={review} onOpen={() => void setReview(review.id)} />
              ))}
            </ul>
          ) : (
            <EmptyState icon={MessagesSquare} title={shown === "current" ? "No open reviews" : "No reviews yet"}>
              Open a policy, edit its draft and select “Send for review”. Another person can then review the draft on
              this page.
            </EmptyState>
          )
        ) : reviews.error ? (
          <ErrorState
            compact
            title="The reviews could not be loaded"
            reason={failureSentence(reviews.error)}
            stillWorks="Policy revisions in force stay in force."
            onRetry={() => void reviews.refetch()}
            retrying={reviews.isFetching}
          />
        ) : (
          <Loading label="the reviews">
            <SkeletonText lines={6} />
          </Loading>
        )}
      </PageBody>
      <ReviewDrawer open={reviewId} onClose={() => void setReview(null)} />
    </>
  );
}

function Row({ review, onOpen }: { review: ReviewView; onOpen: () => void }) {
  const { label, tone } = REVIEW_WORDS[review.state];
  const isForMe = review.state === "open" && review.whyNot === null;
  return (
    <li>
      <button
        type="button"
        className="inset-focus flex w-full flex-col gap-1 px-3 py-2 text-left hover:bg-hover"
        onClick={onOpen}
      >
        <span className="flex w-full flex-wrap items-center gap-2">
          <strong className="font-semibold">{review.policyName}</strong>
          <Mark tone={tone} label={label} />
          {isForMe ? <Mark tone="observe" label="for you" /> : null}
          <span className="ml-auto text-muted text-sm">
            {review.isMine ? "you" : review.authorName}, <RelativeTime at={review.createdAt} />
          </span>
        </span>
        {review.note ? <span className="line-clamp-2 break-words text-muted text-sm">{review.note}</span> : null}
        {review.comments > 0 ? <span className="text-faint text-sm">{counted(review.comments, "comment")}</span> : null}
      </button>
    </li>
  );
}
