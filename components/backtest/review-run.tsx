"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { PermittedButton } from "@/components/access/permitted-button";
import { unknownCount } from "@/components/backtest/backtest-text";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Notice } from "@/components/ui/notice";
import type { BacktestRunView } from "@/server/backtest/run-schema";

/** The review of a finished run, where the workspace requires one. */
export function ReviewRun({ run }: { run: BacktestRunView }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const requirements = useQuery(trpc.policies.requirements.queryOptions()).data;
  const review = useMutation(
    trpc.backtest.review.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.backtest.pathKey() }),
    }),
  );
  const { reviewedBy, reviewedAt, state, tally } = run;
  const unknown = unknownCount(tally);
  if (state !== "finished") return null;
  if (reviewedBy !== null && reviewedAt !== null)
    return (
      <p className="text-sm">
        Reviewed by {reviewedBy}, <RelativeTime at={reviewedAt} />.
      </p>
    );
  if (!requirements?.needsReview || tally.looser + unknown === 0) return null;
  return (
    <div className="flex flex-col gap-1">
      <Notice
        kind="warning"
        action={
          <PermittedButton
            to="policy:publish"
            size="sm"
            busy={review.isPending}
            onClick={() => review.mutate({ policyId: run.policyId, runId: run.id })}
          >
            Mark as reviewed
          </PermittedButton>
        }
      >
        The workspace requires a review before this draft takes effect: {plural(tally.looser, "call")} with a less
        strict outcome, {plural(unknown, "call")} with an unknown one.
      </Notice>
      {review.error ? <ErrorLine>{failureSentence(review.error)}</ErrorLine> : null}
    </div>
  );
}
