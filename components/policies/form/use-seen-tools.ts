"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SeenTool } from "@/components/policies/form/form-context";
import { useTRPC } from "@/components/trpc/client";

const DAY_MS = 86_400_000;

/** The tools that decisions of the last 30 days were about; null while that is not known. */
export function useSeenTools(): readonly SeenTool[] | null {
  const trpc = useTRPC();
  const [range] = useState(() => {
    const to = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS);
    return { from: new Date(to.getTime() - 31 * DAY_MS), to };
  });
  const { data } = useQuery({ ...trpc.decisions.facets.queryOptions({ range }), staleTime: 60_000 });
  return data?.tool ?? null;
}
