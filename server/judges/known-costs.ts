/** The cost of questions to judges, as the ledger has it. */
import type { Database } from "../platform/db.ts";
import { rollupRangeOf } from "../recording/index.ts";
import { listSums } from "./calls.ts";
import type { JudgeRange } from "./schema.ts";

export interface KnownCosts {
  /** The sum in nano-dollars. */
  readonly nano: bigint;
  /** The questions with a known cost, free ones included. */
  readonly calls: bigint;
}

const GROUPS_MAX = 2_000;

/** The known costs by model. A model without a priced or free question is absent. */
export async function sumCostsByModel(
  db: Database,
  workspaceId: string,
  range: JudgeRange,
): Promise<ReadonlyMap<string, KnownCosts>> {
  const costs = new Map<string, KnownCosts>();
  for (const row of await listSums(db.pool, workspaceId, rollupRangeOf(range), GROUPS_MAX)) {
    const known = costs.get(row.model) ?? { nano: 0n, calls: 0n };
    const calls = known.calls + BigInt(row.priced) + BigInt(row.free);
    if (calls > 0n) costs.set(row.model, { nano: known.nano + BigInt(row.nano), calls });
  }
  return costs;
}
