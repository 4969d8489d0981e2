import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costAtMost, costOfUsage } from "./price.ts";

const price = { model: "m", input: 150_000_000n, output: 600_000_000n, cachedInput: 75_000_000n, cacheWrite: null };

describe("an answer's cost", () => {
  test("sums every kind at its own price, and what has none of its own as input", () => {
    const usage = { inputTokens: 1_000, outputTokens: 500, cachedInputTokens: 2_000, cacheWriteTokens: 100 };
    expect(costOfUsage(price, usage)).toBe(150_000n + 300_000n + 150_000n + 15_000n);
  });

  test("does not count reasoning twice: it is part of the output", () => {
    expect(costOfUsage(price, { inputTokens: 0, outputTokens: 500, reasoningTokens: 400 })).toBe(300_000n);
  });

  test("is unknown without a price or without usage, and nothing only when the price is", () => {
    expect(costOfUsage(null, { inputTokens: 1, outputTokens: 1 })).toBeNull();
    expect(costOfUsage(price, null)).toBeNull();
    const free = { model: "m", input: 0n, output: 0n, cachedInput: null, cacheWrite: null };
    expect(costOfUsage(free, { inputTokens: 1, outputTokens: 1 })).toBe(0n);
  });

  test("is rounded once, half up", () => {
    const cheap = { ...price, input: 1n, output: 0n };
    expect(costOfUsage(cheap, { inputTokens: 499_999, outputTokens: 0 })).toBe(0n);
    expect(costOfUsage(cheap, { inputTokens: 500_000, outputTokens: 0 })).toBe(1n);
  });
});

test("what is reserved is never less than what a question of that size costs", () => {
  const nano = fc.bigInt({ min: 0n, max: 10n ** 12n });
  const maybe = fc.option(nano);
  const prices = fc.record({
    model: fc.constant("m"),
    input: nano,
    output: nano,
    cachedInput: maybe,
    cacheWrite: maybe,
  });
  const parts = fc.tuple(fc.nat(5_000), fc.nat(5_000), fc.nat(5_000), fc.nat(4_096));
  fc.assert(
    fc.property(prices, parts, (one, [inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens]) => {
      const usage = { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens };
      const bytes = inputTokens + cachedInputTokens + cacheWriteTokens;
      expect(costAtMost(one, bytes, 4_096) >= (costOfUsage(one, usage) ?? 0n)).toBe(true);
    }),
  );
});
