"use client";

import { useCallback, useSyncExternalStore } from "react";

/** True if a media query holds; on the server and while hydrating what most screens would say. */
export function useMedia(query: string, onServer = false): boolean {
  const subscribe = useCallback(
    (watch: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", watch);
      return () => media.removeEventListener("change", watch);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => onServer,
  );
}

/** A phone's width: tables become cards. */
export const useNarrow = (): boolean => useMedia("(max-width: 639px)");
