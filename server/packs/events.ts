/** The number of hooks that a pack has on each event. */
import { type EventTally, tally } from "../hooks/contract/tally.ts";
import { readPolicy } from "../policies/service.ts";
import type { Pack } from "./pack.ts";

const known = new WeakMap<Pack, EventTally[]>();

/** In the order they are written. */
export function eventsOf(pack: Pack): EventTally[] {
  const counted = known.get(pack) ?? tally(readPolicy(pack.source).hooks ?? {});
  known.set(pack, counted);
  return counted;
}
