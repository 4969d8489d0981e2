"use client";

import { useQuery } from "@tanstack/react-query";
import { CallReadingView } from "@/components/tool-call/call-reading";
import { RulesOutcome } from "@/components/tool-call/rules-outcome";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { ApprovalView } from "@/server/approvals/schema";

/** The call as it was understood, and the rules that asked. Read by the server: a shell parser is large. */
export function RequestReading({ request: { id, isWhole } }: { request: ApprovalView }) {
  const trpc = useTRPC();
  const { data, error } = useQuery({
    ...trpc.callReadings.ofRequest.queryOptions({ id }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <details open className="min-w-0">
      <summary className="w-fit cursor-pointer rounded-sm text-muted text-sm hover:text-text">
        Commands, paths and hosts in the input
      </summary>
      <div className="mt-2 flex min-w-0 flex-col gap-3 border-line border-l pl-3">
        {isWhole ? null : <p className="text-muted text-sm">Found in the input above, in which secrets are masked.</p>}
        {error ? <ErrorLine>{failureSentence(error)}</ErrorLine> : null}
        {data || error ? null : (
          <Loading label="the reading of the call">
            <SkeletonText lines={3} />
          </Loading>
        )}
        {data?.call ? <CallReadingView reading={data.call} /> : null}
        {data?.hooks.map(({ policy, path, rules, decisive }) => (
          <RulesOutcome
            key={`${policy} ${path}`}
            rules={rules}
            decisive={rules.find(({ index }) => index === decisive) ?? null}
          />
        ))}
      </div>
    </details>
  );
}
