import type { Metrics } from "../composition/metrics.ts";
import type { Shedding } from "./agent-api.ts";

/** `shedding` whose refusals are counted for the metrics too. */
export function countedShedding(shedding: Shedding, metrics: Pick<Metrics, "shed">): Shedding {
  return {
    check: (...asked) => shedding.check(...asked),
    turn: (...asked) => shedding.turn(...asked),
    count(workspaceId, of) {
      metrics.shed(of);
      shedding.count(workspaceId, of);
    },
  };
}
