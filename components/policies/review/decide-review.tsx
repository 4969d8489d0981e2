"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useRefreshReviews } from "@/components/policies/review/use-reviews";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import type { ReviewDetailView } from "@/server/reviews/schema";

/** Approving exactly this text, asking for changes, or only saying something. */
export function Deciding({ review }: { review: ReviewDetailView }) {
  const trpc = useTRPC();
  const renew = useRefreshReviews();
  const [words, setWords] = useState("");
  const done = async () => {
    setWords("");
    await renew();
  };
  const decide = useMutation(
    trpc.reviews.decide.mutationOptions({
      onSuccess: async (_decided, { outcome }) => {
        toast.success(outcome === "approved" ? "You approved this draft" : "You requested changes", {
          description: outcome === "approved" ? "The draft can now be published." : "The author sees your comment.",
        });
        await done();
      },
    }),
  );
  const comment = useMutation(trpc.reviews.comment.mutationOptions({ onSuccess: done }));
  const isCurrent = review.state === "open" || review.state === "approved";
  const mayDecide = isCurrent && review.whyNot === null;
  const busy = decide.isPending || comment.isPending;
  const failure = decide.error ?? comment.error;
  const say = (outcome: "approved" | "changes_requested") =>
    decide.mutate({ reviewId: review.id, sha256: review.sha256, outcome, comment: words });
  return (
    <div className="flex flex-col gap-3">
      {isCurrent && review.whyNot !== null ? <Notice>{review.whyNot}</Notice> : null}
      <Field label="Comment" help={mayDecide ? "A comment is required if you request changes." : undefined}>
        <Textarea value={words} onChange={(event) => setWords(event.target.value)} rows={3} maxLength={4000} />
      </Field>
      {failure ? <ErrorLine>{failureSentence(failure)}</ErrorLine> : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          disabled={busy || words.trim() === ""}
          onClick={() => comment.mutate({ reviewId: review.id, body: words })}
        >
          Comment
        </Button>
        {mayDecide ? (
          <>
            <Button disabled={busy || words.trim() === ""} onClick={() => say("changes_requested")}>
              Request changes
            </Button>
            {review.state === "open" ? (
              <Button variant="primary" busy={decide.isPending} disabled={busy} onClick={() => say("approved")}>
                Approve
              </Button>
            ) : null}
          </>
        ) : null}
      </div>
    </div>
  );
}
