import { expect, it } from "vitest";
import { untilMonitorEnds } from "@/components/layout/monitor-mode/monitor-end";

const until = (ms: number) => ({ observed: { until: new Date(ms), since: new Date(0), by: "a", agents: 1 } });

it("is the time to the first end, past ones at once, and no longer than a browser's timer holds", () => {
  expect(untilMonitorEnds([{ observed: null }], 0)).toBe(false);
  expect(untilMonitorEnds([until(9_000), { observed: null }, until(5_000)], 1_000)).toBe(4_500);
  expect(untilMonitorEnds([until(500)], 1_000)).toBe(500);
  expect(untilMonitorEnds([until(40 * 86_400_000)], 0)).toBe(86_400_000);
});
