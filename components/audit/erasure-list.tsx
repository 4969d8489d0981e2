"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { ActDialog } from "@/components/layout/act-dialog";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { formatCount, plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { BEYOND_ERASURE, type ErasureView } from "@/server/record/schema";

/** Erasure requests with their progress and result. */
export function ErasureList() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const requests = useQuery(trpc.audit.erasures.queryOptions());
  const [withdrawing, setWithdrawing] = useState<ErasureView | null>(null);
  if (requests.isError && !requests.data) return <ErrorLine>{failureSentence(requests.error)}</ErrorLine>;
  if (!requests.data) return <Skeleton className="h-10" />;
  if (requests.data.length === 0) return <p className="text-muted">No erasures yet.</p>;
  return (
    <div className="flex flex-col gap-4">
      <ul aria-label="Erasure requests">
        {requests.data.map((request) => (
          <li
            key={request.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line py-2 [&:not(:first-child)]:border-t"
          >
            <span className="min-w-0 flex-1">
              <span className="font-medium">{request.reason}</span>{" "}
              <span className="text-muted">
                {subject(request)} · {request.requestedBy}, <RelativeTime at={request.requestedAt} />
              </span>
              <br />
              <span>{progress(request)}</span>
              {request.fault === null ? null : (
                <ErrorLine>The last step failed. It is tried again. {request.fault}</ErrorLine>
              )}
            </span>
            {request.state === "withdrawn" ? null : (
              <PermittedButton
                to="record:manage"
                size="sm"
                onClick={() => setWithdrawing(request)}
                aria-label={`Withdraw ${request.reason}`}
              >
                Withdraw
              </PermittedButton>
            )}
          </li>
        ))}
      </ul>
      <div>
        <p className="text-muted">Not erased:</p>
        <ul className="list-disc pl-5 text-muted">
          {BEYOND_ERASURE.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
      <ActDialog
        mutation={trpc.audit.withdrawErasure.mutationOptions()}
        input={withdrawing && { id: withdrawing.id }}
        onClose={() => setWithdrawing(null)}
        title="Withdraw this request?"
        confirm="Withdraw request"
        onDone={() => void queries.invalidateQueries(trpc.audit.pathFilter())}
      >
        Erased content cannot be restored. The request no longer names the agent or session. New reports are stored
        again.
      </ActDialog>
    </div>
  );
}

function subject({ sessionId, agentName, state }: ErasureView): string {
  if (state === "withdrawn") return "withdrawn";
  return [sessionId === null ? "" : `session ${sessionId}`, agentName === null ? "" : `agent ${agentName}`]
    .filter((part) => part !== "")
    .join(", ");
}

function progress({ state, table, reachedAt, erased, copies, held, agentName, alias }: ErasureView): string {
  const done = `${plural(erased, "dispatch", "dispatches")} erased, ${plural(copies, "copy", "copies")} cleared`;
  const kept = held > 0 ? `, ${formatCount(held)} kept under legal hold` : "";
  if (state === "withdrawn") return `${done}${kept}.`;
  if (state === "standing")
    return `${done}${kept}. ${agentName === null ? "" : `The audit log now shows the name as ${alias}. `}Later reports are erased too.`;
  if (reachedAt !== null)
    return `Erasing. Records up to ${reachedAt.toISOString().slice(0, 10)} are processed: ${done}${kept}.`;
  return table === null ? "Waiting to begin." : `Erasing ${table.replaceAll("_", " ")}: ${done}${kept}.`;
}
