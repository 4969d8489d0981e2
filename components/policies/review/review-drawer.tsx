"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { ChangesView } from "@/components/policies/diff/changes-view";
import { CaseResults } from "@/components/policies/playground/case-results";
import { Deciding } from "@/components/policies/review/decide-review";
import { ImpactPanel } from "@/components/policies/review/impact-panel";
import { REVIEW_WORDS, reviewStatusText } from "@/components/policies/review/review-text";
import { useRefreshReviews } from "@/components/policies/review/use-reviews";
import { useTRPC } from "@/components/trpc/client";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";
import { ErrorLine, ErrorState } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { KeyValue } from "@/components/ui/key-value";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { ReviewDetailView } from "@/server/reviews/schema";

/** One text under review: the author and reviewers, the reason, the changes, the comments and the decision. */
export function ReviewDrawer({ open: reviewId, onClose }: { open: string | null; onClose: () => void }) {
  useLiveQueries(["reviews", "policies"]);
  const trpc = useTRPC();
  const asked = useQuery({
    ...trpc.reviews.get.queryOptions({ reviewId: reviewId ?? "" }),
    enabled: reviewId !== null,
    retry: false,
  });
  const { data } = asked;
  const isGone = appCodeOf(asked.error) === "review_not_found" || appCodeOf(asked.error) === "invalid_input";
  return (
    <Drawer
      open={reviewId !== null}
      onClose={onClose}
      width="lg"
      title={
        data ? (
          <>
            Review of {data.policyName}{" "}
            <Mark tone={REVIEW_WORDS[data.state].tone} label={REVIEW_WORDS[data.state].label} />
          </>
        ) : (
          "Review"
        )
      }
      subtitle={data ? reviewStatusText(data) : undefined}
    >
      {data ? (
        <Body review={data} />
      ) : asked.error ? (
        <ErrorState
          compact
          title={isGone ? "This review does not exist" : "The review could not be loaded"}
          reason={isGone ? "The policy was deleted, or the link is incorrect." : failureSentence(asked.error)}
          {...(isGone ? {} : { onRetry: () => void asked.refetch() })}
        />
      ) : (
        <Loading label="the review">
          <SkeletonText lines={10} />
        </Loading>
      )}
    </Drawer>
  );
}

function Body({ review }: { review: ReviewDetailView }) {
  const { policyId, baseRevision, baseSource, source, state } = review;
  const isCurrent = state === "open" || state === "approved";
  const measured = () => Promise.resolve({ policyId, of: { kind: "review" as const, reviewId: review.id } });
  return (
    <div className="flex flex-col gap-4">
      <KeyValue
        items={[
          { label: "Sent by", value: <Sent review={review} /> },
          { label: "Note", value: review.note || "none" },
          { label: "Edited by", value: review.editors.length > 0 ? review.editors.join(", ") : undefined },
          {
            label: "Policy",
            value: (
              <Link href={`/policies/${policyId}`} className="underline">
                {review.policyName}
              </Link>
            ),
          },
          { label: "sha256", value: review.sha256, mono: true },
        ]}
      />
      {baseSource === null ? (
        <Notice kind="warning">The base revision {baseRevision} was deleted. The whole draft is shown as new.</Notice>
      ) : null}
      <ChangesView
        before={baseSource ?? ""}
        after={source}
        beforeLabel={baseRevision > 0 && baseSource !== null ? `Revision ${baseRevision}` : "No base revision"}
        afterLabel="Draft sent for review"
        same={`The draft is identical to revision ${baseRevision}.`}
      />
      {isCurrent ? <CaseResults policyId={policyId} source={source} /> : null}
      {isCurrent ? <ImpactPanel prepare={measured} /> : null}
      {review.said.length > 0 ? <Said review={review} /> : null}
      <Deciding key={review.state} review={review} />
      {review.isMine && isCurrent ? <Withdraw reviewId={review.id} /> : null}
    </div>
  );
}

const Sent = ({ review }: { review: ReviewDetailView }) => (
  <>
    {review.isMine ? "you" : review.authorName}, <RelativeTime at={review.createdAt} />
  </>
);

function Said({ review }: { review: ReviewDetailView }) {
  return (
    <Section title="Comments">
      <ul className="flex flex-col gap-2">
        {review.said.map(({ id, authorName, body, createdAt }) => (
          <li key={id} className="rounded-md border px-3 py-2">
            <span className="text-muted text-sm">
              {authorName}, <RelativeTime at={createdAt} />
            </span>
            <p className="whitespace-pre-wrap break-words">{body}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Withdraw({ reviewId }: { reviewId: string }) {
  const trpc = useTRPC();
  const renew = useRefreshReviews();
  const withdraw = useMutation(trpc.reviews.withdraw.mutationOptions({ onSuccess: renew }));
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button busy={withdraw.isPending} onClick={() => withdraw.mutate({ reviewId })}>
        Withdraw
      </Button>
      {withdraw.error ? <ErrorLine>{failureSentence(withdraw.error)}</ErrorLine> : null}
    </div>
  );
}
