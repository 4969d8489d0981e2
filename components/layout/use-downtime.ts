"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import type { DowntimeView } from "@/server/doctor/uptime/schema";

const NONE: DowntimeView = [];
/** It only ever grows when the console was away, and then the page connects anew. */
const STALE_MS = 60_000;

/** When nobody recorded within the range: charts draw it as a gap. None while it is not known yet. */
export function useDowntime({ from, to }: { from: Date; to: Date }): DowntimeView {
  const trpc = useTRPC();
  const options = trpc.uptime.downtime.queryOptions({ from, to });
  const { data } = useQuery({ ...options, staleTime: STALE_MS, placeholderData: keepPreviousData });
  return data ?? NONE;
}
