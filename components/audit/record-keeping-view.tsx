"use client";

import { useQuery } from "@tanstack/react-query";
import { CheckpointsSection } from "@/components/audit/checkpoints-section";
import { ErasePersonSection } from "@/components/audit/erase-person-section";
import { EraseSection } from "@/components/audit/erase-section";
import { HoldsSection } from "@/components/audit/holds-section";
import { RawSection } from "@/components/audit/raw-section";
import { RetentionSection } from "@/components/audit/retention-section";
import { VerifySection } from "@/components/audit/verify-section";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorState } from "@/components/ui/error-state";
import { Loading, Skeleton } from "@/components/ui/skeleton";

/** The state of the record, its checkpoints, and the retention of its data. */
export function RecordKeepingView() {
  const trpc = useTRPC();
  const state = useQuery(trpc.audit.state.queryOptions());
  if (state.isError && !state.data)
    return (
      <ErrorState
        title="How the record is kept could not be loaded"
        reason={failureSentence(state.error)}
        stillWorks="Nothing changes without its record: a change whose record cannot be written is refused."
        onRetry={() => void state.refetch()}
        retrying={state.isFetching}
      />
    );
  if (!state.data)
    return (
      <Loading label="how the record is kept" className="flex flex-col gap-6">
        <Skeleton className="h-24" />
        <Skeleton className="h-40" />
        <Skeleton className="h-40" />
      </Loading>
    );
  const { data } = state;
  return (
    <div className="flex max-w-240 flex-col gap-8">
      <VerifySection />
      <CheckpointsSection state={data} />
      <RetentionSection key={JSON.stringify(data.retention)} retention={data.retention} faults={data.retentionFaults} />
      <HoldsSection holds={data.holds} />
      <EraseSection />
      <ErasePersonSection />
      <RawSection />
    </div>
  );
}
