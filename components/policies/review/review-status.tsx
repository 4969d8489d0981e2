"use client";

import { useQuery } from "@tanstack/react-query";
import { BindingChanges } from "@/components/policies/review/binding-changes";
import { REVIEW_WORDS, reviewStatusText } from "@/components/policies/review/review-text";
import { useOpenReview } from "@/components/policies/review/use-reviews";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { Mark } from "@/components/ui/mark";

/** The state of a policy's review, and whether publishing needs one. Renders nothing without either. */
export function ReviewStatus({ policyId, onFourEyes }: { policyId: string; onFourEyes: () => void }) {
  const trpc = useTRPC();
  const [, setReview] = useOpenReview();
  const found = useQuery(trpc.reviews.ofPolicy.queryOptions({ policyId }));
  if (found.error)
    return <ErrorLine>The status of the review could not be loaded: {failureSentence(found.error)}</ErrorLine>;
  const { data } = found;
  if (!data) return null;
  const { fourEyes, offAsked } = data;
  const review =
    data.current ?? (data.last?.state === "changes_requested" || data.last?.state === "outdated" ? data.last : null);
  if (!fourEyes && !review) return null;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-2 text-sm md:px-6">
      {fourEyes ? (
        <span className="flex items-center gap-1.5">
          <Mark tone="observe" label="second approver" />
          <Button variant="link" size="sm" onClick={onFourEyes}>
            {offAsked ? `${offAsked.isMine ? "You" : offAsked.name} requested to remove the requirement` : "Details"}
          </Button>
        </span>
      ) : null}
      {review ? (
        <span className="flex min-w-0 flex-wrap items-center gap-1.5">
          <Mark tone={REVIEW_WORDS[review.state].tone} label={REVIEW_WORDS[review.state].label} />
          <span className="min-w-0 text-muted">{reviewStatusText(review)}</span>
          <Button variant="link" size="sm" onClick={() => void setReview(review.id)}>
            Open the review
          </Button>
        </span>
      ) : null}
      <BindingChanges policyId={policyId} />
    </div>
  );
}
