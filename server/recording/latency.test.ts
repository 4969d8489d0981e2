import fc from "fast-check";
import { expect, test } from "vitest";
import { LATENCY_ERROR, type LatencyCount, latencyBucket, latencyPercentile, NO_LATENCY } from "./latency.ts";

const latencies = fc.array(fc.double({ min: 0.001, max: 3_600_000, noNaN: true }), { minLength: 1, maxLength: 300 });

function counted(values: readonly number[]): LatencyCount[] {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(latencyBucket(value), (counts.get(latencyBucket(value)) ?? 0) + 1);
  return [...counts].map(([bucket, count]) => ({ bucket, count }));
}

test("a percentile is within the stated error of the sorted list's, whatever was measured", () => {
  fc.assert(
    fc.property(latencies, fc.constantFrom(0.5, 0.95, 0.99, 1), (values, share) => {
      const exact = values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? 0;
      const told = latencyPercentile(counted(values), share) ?? 0;
      expect(told / exact).toBeLessThanOrEqual(LATENCY_ERROR * 1.000001);
      expect(exact / told).toBeLessThanOrEqual(LATENCY_ERROR * 1.000001);
    }),
  );
  expect(LATENCY_ERROR).toBeLessThan(1.091);
});

test("counts of two stretches together tell what one count of both would", () => {
  fc.assert(
    fc.property(latencies, latencies, (some, others) => {
      const together = latencyPercentile(counted([...some, ...others]), 0.95);
      expect(latencyPercentile([...counted(some), ...counted(others)], 0.95)).toBe(together);
    }),
  );
});

test("what was not started has no latency, and no latency is no percentile", () => {
  expect(latencyPercentile([{ bucket: NO_LATENCY, count: 7 }], 0.5)).toBeNull();
  expect(latencyPercentile([{ bucket: NO_LATENCY, count: 7 }, ...counted([100])], 0.5)).toBeCloseTo(100, -1);
  expect(latencyBucket(0)).toBe(0);
});
