import type { LoadClass } from "../access/load-class.ts";
import type { Metrics } from "../composition/metrics.ts";
import type { Shedding } from "./agent-api.ts";

/** `shedding` whose refusals are counted for the metrics too. */
export function countedShedding(shedding: Shedding, metrics: Pick<Metrics, "shed">): Shedding {
  return {
    check: (of: LoadClass) => shedding.check(of),
    count(workspaceId, of) {
      metrics.shed(of);
      shedding.count(workspaceId, of);
    },
  };
}
