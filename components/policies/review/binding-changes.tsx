"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import { toast } from "@/components/ui/toast";
import type { ChangeView } from "@/server/reviews/schema";

const STATES = {
  open: { label: "waiting for a second approver", tone: "ask" },
  approved: { label: "approved", tone: "allow" },
  emergency: { label: "emergency", tone: "deny" },
  declined: { label: "declined", tone: "canceled" },
} as const;

/**
 * Requests to change what binds agents, the person's own declined requests, and recent emergencies; of one policy or of
 * all.
 */
export function BindingChanges({ policyId }: { policyId?: string }) {
  const trpc = useTRPC();
  const changes = useQuery(trpc.reviews.changes.queryOptions());
  if (changes.error) return <ErrorLine>The requests could not be loaded: {failureSentence(changes.error)}</ErrorLine>;
  const shown = (changes.data ?? []).filter((one) => policyId === undefined || one.policyIds.includes(policyId));
  if (shown.length === 0) return null;
  return (
    <ul aria-label="Assignment changes" className="flex w-full flex-col divide-y divide-line rounded-md border text-sm">
      {shown.map((change) => (
        <Row key={change.id} change={change} />
      ))}
    </ul>
  );
}

function Row({ change }: { change: ChangeView }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { id: changeId, state, summary, note, requestedName, decidedName, isMine, createdAt, whyNot } = change;
  const renew = async () => {
    const rooms = [trpc.reviews, trpc.policies, trpc.agents];
    await Promise.all(rooms.map((room) => queries.invalidateQueries({ queryKey: room.pathKey() })));
  };
  const decide = useMutation(trpc.reviews.decideChange.mutationOptions({ onSuccess: renew }));
  const withdraw = useMutation(trpc.reviews.withdrawChange.mutationOptions({ onSuccess: renew }));
  const apply = useMutation(
    trpc.reviews.applyChange.mutationOptions({
      onSuccess: async () => {
        await renew();
        toast.success("Change applied", { description: summary });
      },
    }),
  );
  const failure = decide.error ?? withdraw.error ?? apply.error;
  const known = state === "withdrawn" || state === "applied" ? null : STATES[state];
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <span className="flex flex-wrap items-center gap-2">
        {known ? <Mark tone={known.tone} label={known.label} /> : null}
        <span className="min-w-0">{summary}</span>
        <span className="ml-auto text-muted">
          {isMine ? "you" : requestedName}, <RelativeTime at={createdAt} />
        </span>
      </span>
      {note ? (
        <span className="break-words text-muted">
          {state === "emergency" ? "Reason: " : ""}
          {note}
        </span>
      ) : null}
      {state === "open" && whyNot !== null && !isMine ? <span className="text-faint">{whyNot}</span> : null}
      {state === "approved" ? <span className="text-muted">{decidedName} approved this change.</span> : null}
      {state === "declined" ? <span className="text-muted">{decidedName} declined this change.</span> : null}
      {failure ? <ErrorLine>{failureSentence(failure)}</ErrorLine> : null}
      <span className="flex flex-wrap gap-2">
        {state === "open" && whyNot === null ? (
          <>
            <Button
              size="sm"
              variant="primary"
              busy={decide.isPending}
              onClick={() => decide.mutate({ changeId, outcome: "approved" })}
            >
              Agree
            </Button>
            <Button size="sm" onClick={() => decide.mutate({ changeId, outcome: "declined" })}>
              Decline
            </Button>
          </>
        ) : null}
        {state === "approved" ? (
          <Button size="sm" variant="primary" busy={apply.isPending} onClick={() => apply.mutate({ changeId })}>
            Apply change
          </Button>
        ) : null}
        {isMine && (state === "open" || state === "approved") ? (
          <Button size="sm" busy={withdraw.isPending} onClick={() => withdraw.mutate({ changeId })}>
            Withdraw request
          </Button>
        ) : null}
      </span>
    </li>
  );
}
