"use client";

import { useEffect, useRef, useSyncExternalStore } from "react";
import { currentHotkeys, type Hotkey, register, watchHotkeys } from "@/components/ui/hotkeys/store";

const NONE: readonly Hotkey[] = [];

/** Synchronises with the document's keyboard: the keys do `run` while the component is mounted. */
export function useHotkey(
  keys: string,
  run: (event: KeyboardEvent) => void,
  {
    label,
    group,
    anywhere,
    enabled = true,
  }: { label?: string; group?: string; anywhere?: boolean; enabled?: boolean } = {},
): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!enabled) return;
    return register({
      keys,
      ...(label === undefined ? {} : { label }),
      ...(group === undefined ? {} : { group }),
      ...(anywhere === undefined ? {} : { anywhere }),
      run: (event) => latest.current(event),
    });
  }, [keys, label, group, anywhere, enabled]);
}

/** Every hotkey that works right now, for the list of shortcuts. */
export const useHotkeys = (): readonly Hotkey[] => useSyncExternalStore(watchHotkeys, currentHotkeys, () => NONE);
