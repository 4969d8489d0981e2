"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { AssigneeSelect } from "@/components/decisions/follow-up/assignee-select";
import { Comments } from "@/components/decisions/follow-up/comments";
import { Keywords } from "@/components/decisions/follow-up/keywords";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorState } from "@/components/ui/error-state";
import { plural } from "@/components/ui/format/count";
import { Section } from "@/components/ui/section";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { EventKey } from "@/server/recording/event-key-schema";

/** The assignee, the keywords and the comments of one call. They change no verdict and are not in the record. */
export function FollowUp({ of: { occurredAt, id } }: { of: EventKey }) {
  const trpc = useTRPC();
  const call = { occurredAt, id };
  const found = useQuery(trpc.followUps.get.queryOptions({ call }));
  const assign = useMutation(
    trpc.followUps.assign.mutationOptions({
      onSuccess: (_done, { assigneeId }) => toast.success(assigneeId === null ? "Assignee removed" : "Call assigned"),
      onError: (error) => toast.error("The call could not be assigned", { description: failureSentence(error) }),
    }),
  );
  const { data } = found;
  return (
    <Section title="Follow-up" aside={data ? plural(data.comments.length, "comment") : null}>
      {data ? (
        <div className="flex flex-col gap-3">
          <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
            <AssigneeSelect
              assignee={data.assignee}
              disabled={assign.isPending}
              onChange={(assigneeId) => assign.mutate({ calls: [call], assigneeId })}
            />
            <Keywords call={call} keywords={data.keywords} />
          </div>
          <Comments call={call} comments={data.comments} />
        </div>
      ) : found.isError ? (
        <ErrorState
          title="Comments, keywords and assignee could not be loaded"
          reason={failureSentence(found.error)}
          stillWorks="The recorded call is shown below."
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Loading label="the follow-up">
          <Skeleton className="h-20" />
        </Loading>
      )}
    </Section>
  );
}
