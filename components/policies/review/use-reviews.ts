"use client";

import { useQueryClient } from "@tanstack/react-query";
import { parseAsString } from "nuqs";
import { useDrawerParam } from "@/components/layout/use-drawer-param";
import { useTRPC } from "@/components/trpc/client";

/** The review that the page's address names, and another one. */
export function useOpenReview() {
  return useDrawerParam("review", parseAsString);
}

/** Everything about reviews is asked for again. */
export function useRefreshReviews(): () => Promise<unknown> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: trpc.reviews.pathKey() });
}
