/**
 * Step-up on the page: when the server refuses a call until the person has confirmed their identity, the call waits for
 * the confirmation dialog and is sent once more. The caller notices neither.
 */
import type { TRPCLink } from "@trpc/client";
import { observable, type Unsubscribable } from "@trpc/server/observable";
import { useSyncExternalStore } from "react";
import { appCodeOf } from "@/components/trpc/failure";
import type { AppRouter } from "@/server/composition/router";

interface Asked {
  /** The acts that wait, each in the server's sentence. */
  readonly says: readonly string[];
  readonly answer: Promise<boolean>;
  readonly resolve: (isConfirmed: boolean) => void;
}

let asked: Asked | null = null;
const listeners = new Set<() => void>();

const NONE: readonly string[] = [];
/** The sentences of the acts that wait for the person's answer. */
export const waitingActs = (): readonly string[] => asked?.says ?? NONE;

function set(next: Asked | null): void {
  asked = next;
  for (const listener of listeners) listener();
}
export function subscribeToActs(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * True once the person has confirmed; false when they close the dialog, and at once on a page without one. Waiting
 * calls share the answer, so the dialog names the acts of all of them.
 */
export function askToConfirm(says: string): Promise<boolean> {
  if (listeners.size === 0) return Promise.resolve(false);
  if (asked) {
    if (!asked.says.includes(says)) set({ ...asked, says: [...asked.says, says] });
    return asked.answer;
  }
  let resolve: Asked["resolve"] = () => undefined;
  const answer = new Promise<boolean>((done) => {
    resolve = done;
  });
  set({ says: [says], answer, resolve });
  return answer;
}

/** Ends the waiting of all acts alike. */
export function answerActs(isConfirmed: boolean): void {
  asked?.resolve(isConfirmed);
  set(null);
}

/** For the dialog: the sentences of the acts that wait, none when none does. */
export const useWaitingActs = (): readonly string[] => useSyncExternalStore(subscribeToActs, waitingActs, () => NONE);

export const stepUpLink =
  (ask: typeof askToConfirm = askToConfirm): TRPCLink<AppRouter> =>
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let attempt: Unsubscribable | null = null;
      let isOver = false;
      const send = (isRetry: boolean) => {
        attempt = next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error(error) {
            if (isRetry || appCodeOf(error) !== "step_up_required") return observer.error(error);
            void ask(error.message).then((isConfirmed) => {
              if (isOver) return;
              if (isConfirmed) send(true);
              else observer.error(error);
            });
          },
        });
      };
      send(false);
      return () => {
        isOver = true;
        attempt?.unsubscribe();
      };
    });
