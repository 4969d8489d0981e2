import { z } from "zod";
import { longPrompt, storedLongPrompt, storedTokenPrice, tokenPrice } from "../../model-prices/schema.ts";

const STARS_MAX = 8;

/** A model's id as agents write it, or a pattern in which `*` matches any text: `litellm/gemini-*`. */
export const modelPattern = z
  .string()
  .trim()
  .min(1, "Enter a model.")
  .max(200, "A model's name has at most 200 characters.")
  .refine((text) => text.split("*").length <= STARS_MAX + 1, `A pattern has at most ${STARS_MAX} stars.`);

export const price = z.strictObject({
  pattern: modelPattern,
  input: tokenPrice,
  output: tokenPrice,
  /** Null: as much as plain input. */
  cachedInput: tokenPrice.nullable(),
  cacheWrite: tokenPrice.nullable(),
  longPrompt: longPrompt.optional(),
});
export type Price = z.infer<typeof price>;

export const PRICES_MAX = 500;
/** One without prices withdraws every estimate. */
export const pricesInput = z
  .array(price)
  .max(PRICES_MAX, `A price list has at most ${PRICES_MAX} prices.`)
  .refine((all) => new Set(all.map(({ pattern }) => pattern)).size === all.length, "Each pattern has one price.");

const version = z.number().int().min(1).max(1_000_000);

export const savePrices = z.strictObject({
  prices: pricesInput,
  note: z.string().trim().max(200, "A note has at most 200 characters."),
  /** The newest version that was on screen; 0 without one. */
  baseVersion: z.number().int().min(0).max(1_000_000),
});
export type SavePrices = z.infer<typeof savePrices>;

export const priceVersion = z.strictObject({ version });
export type PriceVersionKey = z.infer<typeof priceVersion>;

export const priceVersionView = z.strictObject({
  version,
  note: z.string(),
  createdAt: z.date(),
  createdBy: z.string(),
  prices: z.array(price),
  /** Set where the stored list cannot be read: nothing is estimated by it. */
  problem: z.string().nullable(),
});
export type PriceVersionView = z.infer<typeof priceVersionView>;

export const priceListsView = z.strictObject({
  /** The newest first; without their prices, which are asked for one version at a time. */
  versions: z.array(priceVersionView.omit({ prices: true, problem: true }).extend({ count: z.number().int() })),
  isCut: z.boolean(),
  /** The version used to estimate unpriced calls, and whether its first pass over all calls is complete. */
  estimation: z
    .strictObject({ version, begunAt: z.date(), begunBy: z.string(), settledAt: z.date().nullable() })
    .nullable(),
});
export type PriceListsView = z.infer<typeof priceListsView>;

/** Prices as they are stored: digits. */
export const storedPrices = z.array(
  z.strictObject({
    pattern: z.string(),
    input: storedTokenPrice,
    output: storedTokenPrice,
    cachedInput: storedTokenPrice.nullable(),
    cacheWrite: storedTokenPrice.nullable(),
    longPrompt: storedLongPrompt.optional(),
  }),
);
