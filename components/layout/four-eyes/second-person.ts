import { useSyncExternalStore } from "react";
import type { z } from "zod";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { TakenOver } from "@/components/ui/confirm-dialog";
import type { bindingRequest } from "@/server/reviews/schema";

/** A change of what binds agents, as it is sent. */
export type AskedChange = z.input<typeof bindingRequest>;
type InputOf<K extends AskedChange["kind"]> = Extract<AskedChange, { kind: K }>["input"];

let asked: AskedChange | null = null;
const listeners = new Set<() => void>();

function set(next: AskedChange | null): void {
  asked = next;
  for (const listener of listeners) listener();
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The change that needs a second person, while its dialog is open, and what closes it. */
export function useAskedChange(): readonly [change: AskedChange | null, close: () => void] {
  return [
    useSyncExternalStore(
      subscribe,
      () => asked,
      () => null,
    ),
    () => set(null),
  ];
}

/**
 * For a mutation that changes assignments: if four eyes are required, the dialog for the second person opens and
 * replaces the form, which `onTakenOver` closes. A `ConfirmDialog` closes by `worded`, an `ActDialog` by itself.
 */
export function orSecondPerson<K extends AskedChange["kind"]>(kind: K, onTakenOver?: () => void) {
  return {
    onError: (error: unknown, input: InputOf<K>) => {
      if (!needsSecondPerson(error)) return;
      // Holds: `input` is the one of this kind.
      set({ kind, input } as AskedChange);
      onTakenOver?.();
    },
  };
}

const needsSecondPerson = (error: unknown): boolean => appCodeOf(error) === "review_required";

/** The work, failing with a sentence for people; with `TakenOver` while the dialog for a second person is open. */
export const worded = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw new (asked !== null && needsSecondPerson(error) ? TakenOver : Error)(failureSentence(error));
  });
