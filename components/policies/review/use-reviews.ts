"use client";

import { useQueryClient } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useTRPC } from "@/components/trpc/client";

/** The review that the page's address names, and another one. */
export function useOpenReview() {
  return useQueryState("review", parseAsString.withOptions({ history: "push" }));
}

/** Everything about reviews is asked for again. */
export function useRefreshReviews(): () => Promise<unknown> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: trpc.reviews.pathKey() });
}
