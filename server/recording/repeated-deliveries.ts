/** Repeated deliveries of a batch, each answered as its first one was. */
import type { PoolClient } from "../platform/db.ts";
import type { Recorded } from "./dispatch-record.ts";
import { type DeliveryName, findDeliveries, isRepeatOf } from "./repository.ts";
import type { ProjectedRecord } from "./tables.ts";

/** The answer to every named entry that is not in `fresh`. Errors: when a first delivery has been removed. */
export async function findRepeatedDeliveries(
  client: PoolClient,
  entries: readonly ProjectedRecord[],
  fresh: ReadonlySet<ProjectedRecord>,
): Promise<Map<ProjectedRecord, Recorded>> {
  // A name may occur many times in one batch, and its answer may be long: it is read once.
  const names = new Map<string, DeliveryName>();
  for (const entry of entries) if (!fresh.has(entry)) names.set(keyOf(entry), nameOf(entry));
  const found = await findDeliveries(client, [...names.values()]);
  const firstByKey = new Map([...names.keys()].map((key, index) => [key, found[index]]));
  const repeats = new Map<ProjectedRecord, Recorded>();
  for (const entry of entries) {
    const { delivery } = entry.record;
    if (fresh.has(entry) || delivery === null) continue;
    const first = firstByKey.get(keyOf(entry));
    if (!first) throw new Error(`delivery ${delivery.eventId} has no dispatch`);
    const { bodySha256, origin, ...answered } = first;
    const isRepeat = isRepeatOf(first, { bodySha256: delivery.bodySha256, origin: entry.record.origin });
    repeats.set(entry, isRepeat ? { kind: "repeated", ...answered } : { kind: "mismatched" });
  }
  return repeats;
}

const nameOf = ({ record: { workspaceId, agentId, delivery } }: ProjectedRecord): DeliveryName => ({
  workspaceId,
  agentId,
  eventId: delivery?.eventId ?? "",
});

const keyOf = ({ record: { workspaceId, agentId, delivery } }: ProjectedRecord): string =>
  `${workspaceId} ${agentId} ${delivery?.eventId}`;
