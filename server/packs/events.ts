/** The number of hooks that a pack has on each event. */
import { countHooksByEvent, type EventHookCount } from "@quarterdeck/hooks/contract/count-hooks";
import { readPolicy } from "../policies/index.ts";
import type { Pack } from "./pack.ts";

const known = new WeakMap<Pack, EventHookCount[]>();

/** The events of a pack, in the order of its text. */
export function eventsOf(pack: Pack): EventHookCount[] {
  const counted = known.get(pack) ?? countHooksByEvent(readPolicy(pack.source).hooks ?? {});
  known.set(pack, counted);
  return counted;
}
