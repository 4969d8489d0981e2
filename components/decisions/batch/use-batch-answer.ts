"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import type { CallRequest } from "@/server/decisions/schema";

/** The most calls that are answered at once. */
export const BATCH_MAX = 50;

export type BatchResult = "waiting" | "sending" | "done" | "partly" | { readonly failure: string };
type Reply = { readonly verdict: "allow" } | { readonly verdict: "deny"; readonly words: string };

/** Answers requests one by one, each by itself: a refusal of one does not stop the others. */
export function useBatchAnswer() {
  const trpc = useTRPC();
  const answer = useMutation(trpc.approvals.answer.mutationOptions());
  const [results, setResults] = useState<ReadonlyMap<string, BatchResult>>(new Map());
  const note = (id: string, result: BatchResult) => setResults((before) => new Map(before).set(id, result));
  const run = async (requests: readonly CallRequest[], reply: Reply) => {
    for (const { id } of requests.slice(0, BATCH_MAX)) {
      note(id, "sending");
      try {
        const { isLast } = await answer.mutateAsync({ id, ...reply });
        note(id, isLast ? "done" : "partly");
      } catch (error) {
        note(id, { failure: failureSentence(error) });
      }
    }
  };
  return { results, run, reset: () => setResults(new Map()) };
}
