"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import type { DowntimeView } from "@/server/doctor/uptime/schema";

const NONE: DowntimeView = [];
/** Downtime is added only while the console is unavailable, and then the page reconnects. */
const STALE_MS = 60_000;

/** The spans of the range without recording: charts draw them as gaps. Empty until they are known. */
export function useDowntime({ from, to }: { from: Date; to: Date }): DowntimeView {
  const trpc = useTRPC();
  const options = trpc.uptime.downtime.queryOptions({ from, to });
  const { data } = useQuery({ ...options, staleTime: STALE_MS, placeholderData: keepPreviousData });
  return data ?? NONE;
}
