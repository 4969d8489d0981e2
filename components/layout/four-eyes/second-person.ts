import { useSyncExternalStore } from "react";
import type { z } from "zod";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { TakenOver } from "@/components/ui/confirm-dialog";
import type { bindingRequest } from "@/server/reviews/schema";

/** A change of what binds agents, as it is sent. */
export type AskedChange = z.input<typeof bindingRequest>;
type InputOf<K extends AskedChange["kind"]> = Extract<AskedChange, { kind: K }>["input"];

/** A change that stopped at the gate. */
export interface StoppedChange {
  readonly change: AskedChange;
  /** The publish requirements that it does not meet, in sentences; null where it needs a second person. */
  readonly unmet: string | null;
}

let asked: StoppedChange | null = null;
const listeners = new Set<() => void>();

function set(next: StoppedChange | null): void {
  asked = next;
  for (const listener of listeners) listener();
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The change that stopped at the gate, while its dialog is open, and what closes it. */
export function useAskedChange(): readonly [stopped: StoppedChange | null, close: () => void] {
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
 * For a mutation that changes assignments: if four eyes are required or a publish requirement is not met, the dialog
 * with the ways past it opens and replaces the form, which `onTakenOver` closes. A `ConfirmDialog` closes by `worded`, an `ActDialog` by itself.
 */
export function orSecondPerson<K extends AskedChange["kind"]>(kind: K, onTakenOver?: () => void) {
  return {
    onError: (error: unknown, input: InputOf<K>) => {
      if (!stopsAtGate(error)) return;
      const unmet = appCodeOf(error) === "requirements_unmet" ? failureSentence(error) : null;
      // Holds: `input` is the one of this kind.
      set({ change: { kind, input } as AskedChange, unmet });
      onTakenOver?.();
    },
  };
}

const stopsAtGate = (error: unknown): boolean =>
  appCodeOf(error) === "review_required" || appCodeOf(error) === "requirements_unmet";

/** The work, failing with a sentence for people; with `TakenOver` while the dialog of a stopped change is open. */
export const worded = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw new (asked !== null && stopsAtGate(error) ? TakenOver : Error)(failureSentence(error));
  });
