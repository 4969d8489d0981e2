"use client";

import { useCallback, useSyncExternalStore } from "react";

/** True if a media query holds; false on the server and while hydrating. */
export function useMedia(query: string): boolean {
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
    () => false,
  );
}

/** A phone's width: tables become cards. */
export const useNarrow = (): boolean => useMedia("(max-width: 639px)");
