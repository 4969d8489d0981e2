import { useSyncExternalStore } from "react";
import type { z } from "zod";
import { appCodeOf } from "@/components/trpc/failure";
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

/** For a mutation that changes what binds: where four eyes are asked for, the dialog that asks for them opens. */
export function orSecondPerson<K extends AskedChange["kind"]>(kind: K) {
  return {
    onError: (error: unknown, input: InputOf<K>) => {
      // Holds: `input` is the one of this kind.
      if (appCodeOf(error) === "review_required") set({ kind, input } as AskedChange);
    },
  };
}
