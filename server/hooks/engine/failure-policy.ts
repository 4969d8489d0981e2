/** The meaning of a failure. The one place that decides it. */
import type { EventContract } from "../contract/events.ts";
import type { PlannedHook } from "./plan.ts";

export type FailureMeans = "refused" | "warned" | "silent";

/**
 * A failed gate has refused, and so has a hook that could never run: its type or its text is not known. Elsewhere the hook's own
 * `on_error` says, as far as the event can block at all.
 */
export function failurePolicy(
  contract: EventContract,
  { onError, handler }: Pick<PlannedHook, "onError" | "handler">,
): FailureMeans {
  if (contract.failsClosed) return "refused";
  const guards = "run" in handler ? handler.failsClosed === true : true;
  if (onError === "block" || (guards && contract.canBlock)) return contract.canBlock ? "refused" : "warned";
  return onError === "ignore" ? "silent" : "warned";
}
