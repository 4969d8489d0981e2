"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import {
  DraftAutosave,
  type DraftPorts,
  type DraftState,
  type ServerDraft,
  type Stash,
  type Stashed,
} from "@/components/layout/draft/draft-autosave";
import { failureSentence } from "@/components/trpc/failure";

export interface DraftAutosaveOptions extends Pick<DraftPorts, "save" | "held" | "isMovedOn"> {
  /** The name under which this browser stores unconfirmed text. */
  readonly id: string;
}

/** The draft of a governed text as it is typed, and its keeper. */
export function useDraftAutosave(
  held: ServerDraft,
  { id, save, held: look, isMovedOn }: DraftAutosaveOptions,
): { draft: DraftState; keeper: DraftAutosave } {
  const [keeper] = useState(
    () => new DraftAutosave(held, { save, held: look, isMovedOn, sentence: failureSentence, stash: browserStash(id) }),
  );
  const draft = useSyncExternalStore(keeper.watch, keeper.snapshot, () => keeper.first);
  useEffect(() => keeper.refresh(held), [keeper, held]);
  useEffect(() => {
    keeper.start();
    // Synchronises with the browser: leaving the page saves first, and asks when there was no time to.
    const leave = (event: BeforeUnloadEvent) => {
      if (!keeper.isDirty) return;
      void keeper.saveNow();
      event.preventDefault();
    };
    const hide = () => {
      if (document.visibilityState === "hidden") void keeper.saveNow();
    };
    window.addEventListener("beforeunload", leave);
    document.addEventListener("visibilitychange", hide);
    return () => {
      window.removeEventListener("beforeunload", leave);
      document.removeEventListener("visibilitychange", hide);
      void keeper.saveNow();
    };
  }, [keeper]);
  return { draft, keeper };
}

/** This browser's own copy of unconfirmed text. Without browser storage, editing still works. */
function browserStash(id: string): Stash {
  const key = `quarterdeck.unsaved.${id}`;
  return {
    read() {
      if (typeof window === "undefined") return null;
      try {
        const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
        return stashedIn(stored);
      } catch {
        return null;
      }
    },
    write(stashed) {
      if (typeof window === "undefined") return;
      try {
        if (stashed === null) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify(stashed));
      } catch {
        // Full or forbidden: the save state on screen is then the only truth.
      }
    },
  };
}

function stashedIn(stored: unknown): Stashed | null {
  if (typeof stored !== "object" || stored === null) return null;
  const { source, version, revision, base } = stored as Record<keyof Stashed, unknown>; // each member is tested here
  if (typeof source !== "string" || typeof version !== "number" || typeof revision !== "number") return null;
  return { source, version, revision, base: typeof base === "string" ? base : null };
}
