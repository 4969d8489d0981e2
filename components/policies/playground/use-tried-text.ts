import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import type { PlaygroundSubject } from "@/server/playground/schema";

/** The text that ran; null while it is not available. */
export function useTriedText(policyId: string, liveRevision: number, subject: PlaygroundSubject): string | null {
  const trpc = useTRPC();
  const number = subject.kind === "revision" ? subject.number : liveRevision;
  const found = useQuery({
    ...trpc.policies.revision.queryOptions({ policyId, number: Math.max(1, number) }),
    enabled: subject.kind !== "text" && number > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return subject.kind === "text" ? subject.source : (found.data?.source ?? null);
}
