/** A stored connection as this release reads it: one that cannot be read answers no judge, and its hooks deny. */
import { z } from "zod";
import { storedProblem } from "../platform/stored-fault.ts";
import { dailyCap, type Provider, provider } from "./schema.ts";
import { type PriceRow, readablePrice } from "./stored-price.ts";

const UNKNOWN = "this release does not know it";

const storedConnection = z.object({
  provider: z.string().refine((name) => provider.safeParse(name).success, UNKNOWN),
  baseUrl: z.url({ protocol: /^https?$/, error: "no address" }),
  nanoPerDay: dailyCap.shape.nanoPerDay,
  callsPerDay: z.bigint().nonnegative().nullable(),
  prices: z.array(readablePrice),
});

export interface ConnectionColumns {
  readonly provider: string;
  readonly baseUrl: string;
  readonly callsPerDay: bigint | null;
  readonly nanoPerDay: bigint | null;
  readonly prices: readonly PriceRow[];
}

/** The first problem of a connection; null where all of it can be read. */
export function connectionProblem({ prices, ...row }: ConnectionColumns): string | null {
  const listed = prices.map(({ model, input, output, cachedInput, cacheWrite, hourCacheWrite, longPrompt }) => ({
    ...{ model, input, output },
    ...{ cachedInput, cacheWrite, hourCacheWrite, longPrompt },
  }));
  const read = storedConnection.safeParse({ ...row, prices: listed });
  return read.success ? null : storedProblem(read.error);
}

/** The provider as pages show it. */
export const shownProvider = (name: string): Provider => provider.safeParse(name).data ?? "openai-compatible";
