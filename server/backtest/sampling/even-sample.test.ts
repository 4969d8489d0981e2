import fc from "fast-check";
import { expect, it } from "vitest";
import { pickEvenly, strideOf } from "./even-sample.ts";

/** The positions that stay when calls arrive in chunks. */
function sampled(total: number, chunk: number, wanted: number): number[] {
  let kept: number[] = [];
  for (let seen = 0; seen < total; seen += chunk) {
    const next = Math.min(total, seen + chunk);
    const stride = strideOf(next, wanted);
    kept = [...kept, ...Array.from({ length: next - seen }, (_, at) => seen + at)].filter((at) => at % stride === 0);
  }
  return pickEvenly(kept, wanted);
}

it("keeps the wanted number at even distances, in whatever chunks the calls arrive", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000 }),
      fc.integer({ min: 1, max: 700 }),
      fc.integer({ min: 1, max: 300 }),
      (total, chunk, wanted) => {
        const found = sampled(total, chunk, wanted);
        expect(found).toHaveLength(Math.min(total, wanted));
        expect(found).toEqual(sampled(total, 1, wanted));
        const gaps = found.slice(1).map((at, index) => at - (found[index] ?? 0));
        if (gaps.length > 0)
          expect(Math.max(...gaps)).toBeLessThanOrEqual(Math.ceil((2 * total) / wanted) + strideOf(total, wanted));
      },
    ),
    { numRuns: 100 },
  );
});

it("keeps all calls where there are few", () => {
  expect(sampled(3, 2, 200)).toEqual([0, 1, 2]);
  expect(strideOf(0, 1)).toBe(1);
});
