"use client";

import { useSyncExternalStore } from "react";

/** Whether a media query holds; false on the server and while hydrating. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (watch) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", watch);
      return () => media.removeEventListener("change", watch);
    },
    () => window.matchMedia(query).matches,
    () => false,
  );
}

/** A phone's width: tables become cards. */
export const useNarrow = (): boolean => useMedia("(max-width: 639px)");
