/** Calls by outcome over time: of the calls that a filter finds, as its list shows them. */
import type { Database } from "../platform/db.ts";
import { chartBucketsOf } from "../recording/index.ts";
import { countOutcomes } from "./calls-repository.ts";
import { type CallSeries, COUNTED_DECISIONS_MAX, type CountDecisionsInput } from "./schema.ts";
import { asStored } from "./service.ts";

export async function callSeries(
  { pool }: Database,
  workspaceId: string,
  { range, filters }: CountDecisionsInput,
): Promise<CallSeries> {
  const buckets = chartBucketsOf(range);
  const asked = { buckets, range, filters: asStored(filters) };
  const { read, since, points } = await countOutcomes(pool, workspaceId, asked, COUNTED_DECISIONS_MAX);
  const { from, to, bucketMs } = buckets;
  return { from, to, bucketMs, since: read < COUNTED_DECISIONS_MAX ? null : since, points: [...points] };
}
