import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeLongPrompt, longPrompt, longPromptJson, storedJudgeLongPrompt } from "./schema.ts";
import { costAtMost, costOfTokens, type TieredPrices } from "./token-cost.ts";

const prices: TieredPrices = {
  ...{ input: 3_000_000_000n, output: 15_000_000_000n, cachedInput: 300_000_000n, cacheWrite: 3_750_000_000n },
  hourCacheWrite: 6_000_000_000n,
  longPrompt: {
    ...{ aboveTokens: 200_000, input: 6_000_000_000n, output: 22_500_000_000n, cachedInput: 600_000_000n },
    ...{ cacheWrite: 7_500_000_000n, hourCacheWrite: 12_000_000_000n },
  },
};
const none = { input: 0n, output: 0n, cachedInput: 0n, cacheWrite: 0n, hourCacheWrite: 0n };

describe("the cost of tokens", () => {
  test("has a price of its own for cache writes that are kept for an hour", () => {
    expect(costOfTokens(prices, { ...none, cacheWrite: 1_000n, hourCacheWrite: 1_000n })).toBe(3_750_000n + 6_000_000n);
    const { hourCacheWrite: _, ...plain } = prices;
    expect(costOfTokens(plain, { ...none, hourCacheWrite: 1_000n })).toBe(3_750_000n);
    expect(costOfTokens({ ...plain, cacheWrite: null }, { ...none, hourCacheWrite: 1_000n })).toBe(3_000_000n);
  });

  test("takes every price from the tier of a long prompt, cached tokens included, one token above its limit", () => {
    const at = { input: 100_000n, output: 1_000n, cachedInput: 50_000n, cacheWrite: 40_000n, hourCacheWrite: 10_000n };
    expect(costOfTokens(prices, at)).toBe(300_000_000n + 15_000_000n + 15_000_000n + 150_000_000n + 60_000_000n);
    const above = { ...at, cachedInput: 50_001n };
    expect(costOfTokens(prices, above)).toBe(600_000_000n + 22_500_000n + 30_000_600n + 300_000_000n + 120_000_000n);
  });

  test("is the sum of every kind at its own price, in each tier, rounded once", () => {
    const nano = fc.bigInt({ min: 0n, max: 10n ** 12n });
    const kinds = fc.record({
      ...{ input: nano, output: nano, cachedInput: fc.option(nano), cacheWrite: fc.option(nano) },
      hourCacheWrite: fc.option(nano),
    });
    const count = fc.bigInt({ min: 0n, max: 300_000n });
    const tokens = fc.record({
      ...{ input: count, output: count, cachedInput: count, cacheWrite: count, hourCacheWrite: count },
    });
    fc.assert(
      fc.property(kinds, kinds, fc.integer({ min: 1, max: 400_000 }), tokens, (base, long, aboveTokens, used) => {
        const prompt = used.input + used.cachedInput + used.cacheWrite + used.hourCacheWrite;
        const tier = prompt > BigInt(aboveTokens) ? long : base;
        const write = tier.cacheWrite ?? tier.input;
        const sum =
          used.input * tier.input +
          used.output * tier.output +
          used.cachedInput * (tier.cachedInput ?? tier.input) +
          used.cacheWrite * write +
          used.hourCacheWrite * (tier.hourCacheWrite ?? write);
        const tiered = { ...base, longPrompt: { ...long, aboveTokens } };
        const cost = costOfTokens(tiered, used);
        expect(cost).toBe((sum + 500_000n) / 1_000_000n);
        expect(costAtMost(tiered, Number(prompt), Number(used.output)) >= cost).toBe(true);
      }),
    );
  });

  test("at most is that of the tiers within reach", () => {
    expect(costAtMost(prices, 200_000, 0)).toBe(1_200_000_000n);
    expect(costAtMost(prices, 200_001, 0)).toBe(2_400_012_000n);
  });
});

describe("the prices of long prompts", () => {
  const valid = { aboveTokens: 200_000, input: 1n, output: 2n, cachedInput: null, cacheWrite: 3n, hourCacheWrite: 4n };

  test("are the same after they were stored as JSON", () => {
    const json: unknown = JSON.parse(JSON.stringify(longPromptJson(valid)));
    expect(storedJudgeLongPrompt.parse(json)).toEqual(valid);
  });

  test.each([
    [{ aboveTokens: 0 }, "Enter a whole number of tokens, such as 200000."],
    [{ aboveTokens: 1.5 }, "Enter a whole number of tokens, such as 200000."],
    [{ aboveTokens: Number.NaN }, "Enter a whole number of tokens, such as 200000."],
    [{ aboveTokens: "200000" }, "Enter a whole number of tokens, such as 200000."],
    [{ aboveTokens: 100_000_001 }, "A limit is at most 100,000,000 tokens."],
    [{ output: 10n ** 15n + 1n }, "At most one million dollars."],
    [{ cacheWrite: -1n }, "A price is 0 or more."],
    [{ longPrompt: valid }, /Unrecognized key/],
  ])("are refused with a sentence: %o", (more, sentence) => {
    const parsed = judgeLongPrompt.safeParse({ ...valid, ...more });
    expect(parsed.error?.issues[0]?.message).toMatch(sentence);
  });

  test("of a price list have no price for writes that are kept for an hour: agents do not report these apart", () => {
    expect(longPrompt.safeParse(valid).success).toBe(false);
  });
});
