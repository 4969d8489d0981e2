/** The effect of a failure. Only this module decides it. */
import type { EventContract } from "../contract/events.ts";
import type { PlannedHook } from "./plan.ts";

export type FailureMeans = "refused" | "warned" | "silent";

/**
 * A failed gate refuses. So does a hook that can never run because its type or text is unknown. Otherwise the hook's `on_error`
 * decides, if the event can block.
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
