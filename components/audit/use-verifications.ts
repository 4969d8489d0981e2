"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import type { VerificationRun } from "@/server/record/verification/verification-schema";

export const isUnderWay = ({ state }: Pick<VerificationRun, "state">): boolean =>
  state !== "done" && state !== "failed";

/** The workspace's verifications, the newest first; a running one is followed until it ends. */
export function useVerifications() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const query = useQuery(trpc.audit.verifications.queryOptions());
  const [newest] = query.data?.runs ?? [];
  const following = newest && isUnderWay(newest) ? newest.id : null;
  useEffect(() => {
    if (following === null) return;
    const key = trpc.audit.verifications.queryKey();
    const stream = client.audit.verify.subscribe(undefined, {
      onData(run) {
        queries.setQueryData(key, (known) =>
          known ? { ...known, runs: known.runs.map((one) => (one.id === run.id ? run : one)) } : known,
        );
        if (!isUnderWay(run)) void queries.invalidateQueries({ queryKey: key });
      },
      // The list shows its own error, or the next poll succeeds.
      onError: () => void queries.invalidateQueries({ queryKey: key }),
    });
    return () => stream.unsubscribe();
  }, [following, client, queries, trpc]);
  return query;
}
