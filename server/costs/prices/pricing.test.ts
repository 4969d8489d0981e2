import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costBy, costOfKnown, priceFinder, priceText } from "./pricing.ts";
import { modelPattern, type Price } from "./schema.ts";

const price = (pattern: string, more: Partial<Price> = {}): Price => ({
  pattern,
  input: 3_000_000_000n,
  output: 15_000_000_000n,
  cachedInput: 300_000_000n,
  cacheWrite: 3_750_000_000n,
  ...more,
});
const tokens = fc.bigInt({ min: 0n, max: 10n ** 9n });

describe("what a call costs by a price list", () => {
  test("is the formula of the spec, to the nano-dollar", () => {
    const usage = { input: 1_000n, output: 200n, cachedInput: 50_000n, cachedWrite: 7n };
    // 3,000,000 + 3,000,000 + 15,000,000 + 26,250
    expect(costBy(price("m"), usage)).toBe(21_026_250n);
    expect(
      costBy(price("m", { input: 1n, output: 0n }), { input: 1n, output: 0n, cachedInput: 0n, cachedWrite: 0n }),
    ).toBe(0n);
    expect(costBy(price("m", { input: 500_000n }), { input: 1n, output: 0n, cachedInput: 0n, cachedWrite: 0n })).toBe(
      1n,
    );
  });

  test("charges each token once: cached ones at their own price and not as input too", () => {
    fc.assert(
      fc.property(tokens, tokens, tokens, tokens, (input, output, cachedInput, cachedWrite) => {
        const flat = price("m", { input: 7n * 10n ** 6n, output: 7n * 10n ** 6n, cachedInput: null, cacheWrite: null });
        expect(costBy(flat, { input, output, cachedInput, cachedWrite })).toBe(
          7n * (input + output + cachedInput + cachedWrite),
        );
        const free = price("m", { cachedInput: 0n, cacheWrite: 0n });
        const without = { input, output, cachedInput: 0n, cachedWrite: 0n };
        expect(costBy(free, { input, output, cachedInput, cachedWrite })).toBe(costBy(free, without));
      }),
    );
  });

  test("is unknown without usage, and nothing is charged for a kind that was left out", () => {
    expect(costBy(price("m"), { input: null, output: null, cachedInput: null, cachedWrite: null })).toBeNull();
    expect(costBy(price("m"), { input: 1_000_000n, output: null, cachedInput: null, cachedWrite: null })).toBe(
      3_000_000_000n,
    );
  });
});

describe("what a call costs whose client leaves out what it does not know", () => {
  const usage = { input: 10n, output: 10n, cachedInput: 10n, cachedWrite: null };
  test.each(["input", "output", "cachedInput"] as const)("is unknown without %s", (kind) => {
    expect(costOfKnown(price("m"), usage)).toBe(costBy(price("m"), usage));
    expect(costOfKnown(price("m"), { ...usage, [kind]: null })).toBeNull();
  });

  test("needs no number of cached tokens where they cost what others cost", () => {
    expect(costOfKnown(price("m", { cachedInput: null }), { ...usage, cachedInput: null })).toBe(180_000n);
  });
});

describe("what a call with a long prompt costs", () => {
  const longPrompt = { aboveTokens: 200_000, input: 6_000_000_000n, output: 0n, cachedInput: null, cacheWrite: 1n };
  const tiered = price("m*", { longPrompt });

  test("is by the prices of long prompts, and says so", () => {
    const at = { input: 150_000n, output: 10n, cachedInput: 50_000n, cachedWrite: 0n };
    expect([costBy(tiered, at), priceText(tiered, at)]).toEqual([costBy(price("m*"), at), "m*"]);
    const above = { ...at, cachedWrite: 1_000_000n };
    expect(costBy(tiered, above)).toBe(200_000n * 6_000n + 1n);
    expect(priceText(tiered, above)).toBe("m* for prompts of more than 200,000 tokens");
  });

  test("is unknown without cached tokens where only long prompts have a price for them", () => {
    const usage = { input: 10n, output: 10n, cachedInput: null, cachedWrite: null };
    const flat = price("m", { cachedInput: null, longPrompt });
    expect(costOfKnown(flat, usage)).toBe(180_000n);
    expect(costOfKnown({ ...flat, longPrompt: { ...longPrompt, cachedInput: 5n } }, usage)).toBeNull();
  });
});

describe("which price is taken", () => {
  const find = priceFinder(
    ["*", "dmr/*", "litellm/gemini-*", "litellm/*-preview", "litellm/gemini-3", "a*b*c"].map((one) => price(one)),
  );
  test.each([
    ["litellm/gemini-3", "litellm/gemini-3"],
    ["litellm/gemini-3-pro-preview", "litellm/*-preview"],
    ["litellm/gemini-2", "litellm/gemini-*"],
    ["dmr/ai/qwen3", "dmr/*"],
    ["codex", "*"],
    ["", "*"],
    ["axbxc", "a*b*c"],
    ["abc", "a*b*c"],
    ["acb", "*"],
  ])("%s: %s", (model, pattern) => {
    expect(find(model)?.pattern).toBe(pattern);
  });

  test("a pattern whose ends would share a letter does not match, and what nothing matches has no price", () => {
    expect(priceFinder([price("ab*ba")])("aba")).toBeNull();
    expect(priceFinder([price("x")])("y")).toBeNull();
  });

  test("a pattern has few stars", () => {
    expect(modelPattern.safeParse("*".repeat(9)).success).toBe(false);
  });
});
