/** Our own price of one call, from its tokens and the price list, to compare with the cost that its client computed. */
import type { Database } from "../../platform/db.ts";
import { costOfKnown, priceFinder, type Usage } from "./pricing.ts";
import * as prices from "./repository.ts";
import { storedPrices } from "./schema.ts";

export interface OwnPrice {
  readonly nano: bigint;
  readonly version: number;
}

/**
 * The price by the version used for estimates, else by the newest. Null without a version, without tokens, or for an
 * unlisted model.
 */
export async function ownPrice(
  db: Database,
  workspaceId: string,
  { modelId, usage }: { readonly modelId: string; readonly usage: Usage },
): Promise<OwnPrice | null> {
  const estimation = await prices.findEstimation(db.pool, workspaceId);
  const version = estimation?.version ?? (await prices.newestVersion(db.prisma, workspaceId));
  if (version === 0) return null;
  const list = await prices.find(db.prisma, workspaceId, version);
  const stored = storedPrices.safeParse(list?.prices).data;
  const price = stored ? priceFinder(stored)(modelId) : null;
  const nano = price ? costOfKnown(price, usage) : null;
  return nano === null ? null : { nano, version };
}
