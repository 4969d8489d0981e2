/** The ledger's tables as they are written: entries, and the sums that they add to. */
import type { Table } from "../../recording/index.ts";
import type { Adds, LedgerEntry } from "./entry.ts";

export const entryTable = (workspaceId: string): Table<LedgerEntry> => ({
  name: "ledger_entry",
  columns: {
    workspace_id: ["uuid", () => workspaceId],
    id: ["uuid", (e) => e.id],
    occurred_at: ["timestamptz", (e) => e.call.occurredAt.toISOString()],
    dispatch_id: ["uuid", (e) => e.call.dispatchId],
    kind: ["text", (e) => e.kind],
    step: ["int4", (e) => e.step],
    corrects: ["uuid", (e) => e.corrects],
    agent_id: ["uuid", (e) => e.call.agentId],
    agent_name: ["text", (e) => e.call.agentName],
    principal_id: ["uuid", (e) => e.call.principalId],
    session_id: ["text", (e) => e.call.sessionId],
    model_id: ["text", (e) => e.call.modelId],
    nano: ["int8", (e) => e.nano],
    priced: ["int2", (e) => e.adds.priced],
    free: ["int2", (e) => e.adds.free],
    unpriced: ["int2", (e) => e.adds.unpriced],
    corrected: ["int2", (e) => e.adds.corrected],
    corrected_nano: ["int8", (e) => e.adds.corrected_nano],
    estimated: ["int2", (e) => e.adds.estimated],
    estimated_nano: ["int8", (e) => e.adds.estimated_nano],
    price_version: ["int4", (e) => e.priceVersion],
    author: ["text", (e) => e.author],
    reason: ["text", (e) => e.reason],
  },
});

type Sums = { -readonly [Name in keyof Adds]: bigint };
export interface Bucket {
  readonly bucket: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly modelId: string;
  readonly sums: Sums;
}
export const UNITS = ["minute", "hour", "day"] as const;
export type Unit = (typeof UNITS)[number];

const WIDTHS_MS: Readonly<Record<Unit, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** The parts of an entry that its buckets need. */
type BucketEntry = Pick<LedgerEntry, "adds"> & {
  readonly call: Pick<LedgerEntry["call"], "occurredAt" | "agentId" | "agentName" | "modelId">;
};

/** The entries' sums per bucket, sorted by key so that concurrent transactions lock in the same order. */
export function sumByBucket(entries: readonly BucketEntry[], unit: Unit): Bucket[] {
  const buckets = new Map<string, Bucket>();
  for (const { call, adds } of entries) {
    const ms = call.occurredAt.getTime();
    const bucket = new Date(Math.floor(ms / WIDTHS_MS[unit]) * WIDTHS_MS[unit]).toISOString();
    const { agentId, agentName, modelId } = call;
    const key = [bucket, agentId, agentName, modelId].join("\0");
    const known = buckets.get(key) ?? { bucket, agentId, agentName, modelId, sums: none() };
    buckets.set(key, known);
    add(known.sums, adds);
  }
  return [...buckets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

const none = (): Sums => ({
  priced: 0n,
  free: 0n,
  unpriced: 0n,
  corrected: 0n,
  corrected_nano: 0n,
  estimated: 0n,
  estimated_nano: 0n,
});

function add(into: Sums, adds: Adds): void {
  for (const name in adds) {
    const key = name as keyof Adds; // holds: Adds has no other members
    into[key] += BigInt(adds[key]);
  }
}

const SUMS = ["corrected", "corrected_nano", "estimated", "estimated_nano"] as const;

export const sumTable = (workspaceId: string, unit: Unit): Table<Bucket> => ({
  name: `ledger_${unit}`,
  columns: {
    workspace_id: ["uuid", () => workspaceId],
    bucket: ["timestamptz", (b) => b.bucket],
    agent_id: ["uuid", (b) => b.agentId],
    agent_name: ["text", (b) => b.agentName],
    model_id: ["text", (b) => b.modelId],
    ...Object.fromEntries(SUMS.map((name) => [name, ["int8", (b: Bucket) => b.sums[name]] as const])),
  },
  tail: `ON CONFLICT (workspace_id, bucket, agent_id, agent_name, model_id) DO UPDATE SET
    ${SUMS.map((name) => `${name} = ledger_${unit}.${name} + excluded.${name}`).join(", ")}`,
});
