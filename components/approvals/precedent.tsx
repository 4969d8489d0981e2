"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { formatCount } from "@/components/ui/format/count";
import { Skeleton } from "@/components/ui/skeleton";
import { PRECEDENTS_MAX, type PrecedentView } from "@/server/approvals/schema";

/** The ends of earlier requests like this one, in a sentence. */
export function Precedent({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.approvals.precedent.queryOptions({ id }));
  if (error) return <span className="text-muted">{failureSentence(error)}</span>;
  if (!data) return <Skeleton className="my-1 h-4 w-48" />;
  return <>{precedentSentence(data)}</>;
}

export function precedentSentence({ same, tool }: PrecedentView): string {
  const exactly = endingsOf(same);
  if (exactly !== null) return `Earlier requests for this exact call, ${exactly}.`;
  const alike = endingsOf(tool);
  return alike === null
    ? "No earlier request from this agent for this tool ended in the last 30 days."
    : `No earlier request for this exact call. Other requests of this agent for this tool, ${alike}.`;
}

function endingsOf({ allowed, denied, lapsed }: PrecedentView["same"]): string | null {
  const parts = [
    ...(allowed > 0 ? [`${allowed} allowed`] : []),
    ...(denied > 0 ? [`${denied} denied`] : []),
    ...(lapsed > 0 ? [`${lapsed} lapsed`] : []),
  ];
  if (parts.length === 0) return null;
  const isPart = allowed + denied + lapsed >= PRECEDENTS_MAX;
  return `${isPart ? `the newest ${formatCount(PRECEDENTS_MAX)}` : "in the last 30 days"}: ${parts.join(", ")}`;
}
