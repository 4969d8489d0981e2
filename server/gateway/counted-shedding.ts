import type { LoadClass } from "../access/load-class.ts";
import type { Metrics } from "../composition/metrics.ts";
import type { Shedding } from "../load-shedding/index.ts";

/** `shedding` whose refusals are counted for the metrics too. */
export function countedShedding(
  shedding: Omit<Shedding, "close">,
  metrics: Pick<Metrics, "shed">,
): Omit<Shedding, "close"> {
  return {
    check: shedding.check,
    turn: shedding.turn,
    count(workspaceId, of) {
      metrics.shed(of);
      shedding.count(workspaceId, of);
    },
  };
}
