"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { PermittedButton } from "@/components/access/permitted-button";
import { coverageText } from "@/components/backtest/backtest-text";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/components/ui/toast";
import type { BacktestRunView } from "@/server/backtest/run-schema";

interface LiveTestNotesProps {
  run: BacktestRunView;
  live: NonNullable<BacktestRunView["live"]>;
}

/** The calls that a live test looked at, its end, and what its counts cover. */
export function LiveTestNotes({ run, live }: LiveTestNotesProps) {
  const { state, says, endedAt } = run;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <p role="status">
          {coverageText(run)}{" "}
          {state !== "following" ? (
            <>
              {says} {endedAt ? <RelativeTime at={endedAt} /> : null}
            </>
          ) : live.until ? (
            <>
              The live test ends <RelativeTime at={live.until} />.
            </>
          ) : (
            "The live test runs until a person ends it."
          )}
        </p>
        <StopLiveTest run={run} />
      </div>
      {live.changes > 0 ? (
        <Notice>
          The policies in force changed {plural(live.changes, "time")} since the start. Each call is compared with those
          in force when it was checked.
        </Notice>
      ) : null}
    </>
  );
}

/** Ends a live test; its result stays. */
function StopLiveTest({ run: { policyId, state } }: { run: BacktestRunView }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const stop = useMutation(
    trpc.backtest.stopLive.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.backtest.pathKey() }),
      onError: (error) => toast.error(failureSentence(error)),
    }),
  );
  if (state !== "following") return null;
  return (
    <PermittedButton to="policy:write" size="sm" busy={stop.isPending} onClick={() => stop.mutate({ policyId })}>
      End the live test
    </PermittedButton>
  );
}
