/**
 * Ledger entries: changes to a call's cost after it was recorded. Each entry holds its difference to every sum, so that
 * a sum of calls plus their entries is right after any number of corrections. Pure. Units: nano-dollars.
 */
import type { EntryKind } from "./schema.ts";

/** A call as it was recorded, as far as its entries need it. */
export interface Call {
  readonly occurredAt: Date;
  readonly dispatchId: string;
  readonly agentId: string;
  readonly agentName: string;
  /** Null: unknown. */
  readonly principalId: string | null;
  readonly sessionId: string;
  readonly modelId: string;
  /** The reported cost; null: unpriced. */
  readonly reported: bigint | null;
  /** Reported as exactly 0, and not as less than a nano-dollar. */
  readonly isFree: boolean;
}

/** The newest entry of a kind. */
export interface LatestEntry {
  readonly id: string;
  readonly step: number;
  readonly nano: bigint | null;
}

/** The amounts that an entry adds to the sums it is part of. */
export interface Adds {
  readonly priced: number;
  readonly free: number;
  readonly unpriced: number;
  readonly corrected: number;
  readonly corrected_nano: bigint;
  readonly estimated: number;
  readonly estimated_nano: bigint;
}

export interface LedgerEntry {
  readonly id: string;
  readonly call: Call;
  readonly kind: EntryKind;
  readonly step: number;
  readonly corrects: string | null;
  readonly nano: bigint | null;
  readonly adds: Adds;
  readonly priceVersion: number | null;
  readonly author: string;
  readonly reason: string;
}

export interface Because {
  readonly id: string;
  readonly author: string;
  readonly reason: string;
  readonly priceVersion?: number;
}

const NOTHING: Adds = {
  priced: 0,
  free: 0,
  unpriced: 0,
  corrected: 0,
  corrected_nano: 0n,
  estimated: 0,
  estimated_nano: 0n,
};

type Pricing = "priced" | "free" | "unpriced";

/** Corrects the cost of the call to `nano`, whatever was reported and corrected before. */
export function correction(call: Call, before: LatestEntry | null, nano: bigint, because: Because): LedgerEntry {
  const was: Pricing =
    before !== null ? pricingOf(before.nano) : call.isFree ? "free" : call.reported === null ? "unpriced" : "priced";
  const becomes = pricingOf(nano);
  const adds = {
    ...NOTHING,
    [was]: -1,
    ...(was === becomes ? { [was]: 0 } : { [becomes]: 1 }),
    corrected: before === null ? 1 : 0,
    corrected_nano: nano - ((before === null ? call.reported : before.nano) ?? 0n),
  };
  return entry("correction", call, before, nano, adds, because);
}

/** Estimates a call without a cost at `nano`; null withdraws the estimate. */
export function repricing(call: Call, before: LatestEntry | null, nano: bigint | null, because: Because): LedgerEntry {
  const known = (of: bigint | null | undefined) => (of === null || of === undefined ? 0 : 1);
  const adds = {
    ...NOTHING,
    estimated: known(nano) - known(before?.nano),
    estimated_nano: (nano ?? 0n) - (before?.nano ?? 0n),
  };
  return entry("repricing", call, before, nano, adds, because);
}

const pricingOf = (nano: bigint | null): Pricing => (nano === null ? "unpriced" : nano === 0n ? "free" : "priced");

function entry(
  kind: EntryKind,
  call: Call,
  before: LatestEntry | null,
  nano: bigint | null,
  adds: Adds,
  { id, author, reason, priceVersion = null }: Omit<Because, "priceVersion"> & { priceVersion?: number | null },
): LedgerEntry {
  const step = (before?.step ?? 0) + 1;
  return { id, call, kind, step, corrects: before?.id ?? null, nano, adds, priceVersion, author, reason };
}
