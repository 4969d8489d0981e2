"use client";

import { useQuery } from "@tanstack/react-query";
import { MessagesSquare } from "lucide-react";
import { parseAsStringLiteral } from "nuqs";
import { useDrawerParam } from "@/components/layout/use-drawer-param";
import { counted } from "@/components/policies/labels";
import { BindingChanges } from "@/components/policies/review/binding-changes";
import { REVIEW_WORDS } from "@/components/policies/review/review-text";
import { useOpenReview } from "@/components/policies/review/use-reviews";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Drawer } from "@/components/ui/drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import { Segmented } from "@/components/ui/segmented";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { ReviewView } from "@/server/reviews/schema";

export const WHICH = ["current", "all"] as const;

/** Texts that wait for a second person, and reviewed ones. Open while the URL names a list. */
export function ReviewsDrawer() {
  const trpc = useTRPC();
  const [which, setWhich] = useDrawerParam("reviews", parseAsStringLiteral(WHICH));
  const [open, setReview] = useOpenReview();
  const shown = which ?? "current";
  const reviews = useQuery({ ...trpc.reviews.list.queryOptions({ which: shown }), enabled: which !== null });
  return (
    <Drawer
      open={which !== null && open === null}
      onClose={() => void setWhich(null)}
      title="Reviews"
      subtitle="Drafts, and changes of what binds agents, that wait for a second person."
    >
      <div className="flex flex-col gap-3">
        <Segmented
          label="Which reviews"
          value={shown}
          onChange={(next) => void setWhich(next)}
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
            <EmptyState
              icon={MessagesSquare}
              title={shown === "current" ? "No draft is under review" : "No draft was sent for review yet"}
            >
              Open a policy, change its text and press “Send for review”: another person then reads it here.
            </EmptyState>
          )
        ) : reviews.error ? (
          <ErrorState
            compact
            title="The reviews could not be loaded"
            reason={failureSentence(reviews.error)}
            stillWorks="What is in force stays in force."
            onRetry={() => void reviews.refetch()}
            retrying={reviews.isFetching}
          />
        ) : (
          <Loading label="the reviews">
            <SkeletonText lines={6} />
          </Loading>
        )}
      </div>
    </Drawer>
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
