"use client";

import { useConnection } from "@/components/trpc/live-queries";

/** `every 5 seconds`; null where nothing changes: a past range, a paused page, and one without a connection. */
export function usePaceWords(isLive: boolean, everyMs: number): string | null {
  const { connection } = useConnection();
  const isFollowing = isLive && connection.status !== "paused" && connection.status !== "stale";
  return isFollowing ? `every ${everyMs / 1_000} seconds` : null;
}
