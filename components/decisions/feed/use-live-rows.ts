"use client";

import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { type FollowedList, followCalls } from "@/components/decisions/feed/follow-calls";
import type { DecisionsInput } from "@/components/decisions/query";
import { useTRPCClient } from "@/components/trpc/client";
import { useConnection } from "@/components/trpc/live-queries";
import { isFollowable } from "@/server/decisions/live-calls/schema";

/** The filters are sent in the address of the stream. */
const QUESTION_CHARACTERS_MAX = 3_000;

/** True if new and changed calls can be placed in this list one by one. */
export const isFollowableList = ({ filters, order }: DecisionsInput): boolean =>
  order === "newest" &&
  isFollowable(filters) &&
  encodeURIComponent(JSON.stringify(filters)).length <= QUESTION_CHARACTERS_MAX;

/**
 * Keeps a followable list up with the rows that the server sends, while it is visible and live. Returns true while some
 * changes come only when the list is read again.
 */
export function useLiveRows(queryKey: QueryKey, { range, filters, limit }: DecisionsInput, isFollowing: boolean) {
  const client = useTRPCClient();
  const queries = useQueryClient();
  const { connection } = useConnection();
  const isVisible = useSyncExternalStore(watchVisibility, isVisibleNow, () => false);
  const [isSlowed, setSlowed] = useState(false);
  const current = useRef<FollowedList>({ queryKey, range, limit });
  useEffect(() => {
    current.current = { queryKey, range, limit };
  });
  const question = JSON.stringify(filters);
  const asked = useMemo(() => JSON.parse(question) as DecisionsInput["filters"], [question]); // of the line above
  const isOn = isFollowing && isVisible && connection.status !== "paused";
  useEffect(() => {
    // Synchronises with the server's stream of calls.
    if (!isOn) return;
    return followCalls({ client, queries, filters: asked, current: () => current.current, onPace: setSlowed });
  }, [client, queries, asked, isOn]);
  return isSlowed;
}

const isVisibleNow = () => document.visibilityState === "visible";

function watchVisibility(changed: () => void): () => void {
  document.addEventListener("visibilitychange", changed);
  return () => document.removeEventListener("visibilitychange", changed);
}
