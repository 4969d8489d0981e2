/** Our own price of one call, from its tokens and the price list: beside a cost that its client computed itself. */
import type { Database } from "../../platform/db.ts";
import { costOfKnown, priceFinder, type Usage } from "./pricing.ts";
import * as prices from "./repository.ts";
import { storedPrices } from "./schema.ts";

export interface OwnPrice {
  readonly nano: bigint;
  readonly version: number;
}

/** By the version that estimates are made by, else the newest. Null without one, without tokens, or for a model it does not price. */
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
