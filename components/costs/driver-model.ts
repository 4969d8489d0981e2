/** The drivers of a change in spend: who spent more or less than in the period before, and by calls or by price per call. Exact. */
import { plural } from "@/components/ui/format/count";
import type { CostBreakdownView, LedgerView } from "@/server/costs/schema";

interface Factor {
  readonly now: bigint;
  readonly before: bigint;
}

export interface Driver {
  readonly name: string;
  /** Nano-dollars, more or less than before; null when all its calls of one period are unpriced. */
  readonly nano: bigint | null;
  /** Calls with a known cost; null if either period has no such call. */
  readonly calls: Factor | null;
  /** Cost per such call, with the calls of both periods as one denominator; null when one of them has no cost. */
  readonly price: Factor | null;
  /** Calls of both periods that are not included in any sum. */
  readonly unpriced: number;
}

/** The largest changes first, in either direction; what cannot be compared last. */
export function driversOf(now: CostBreakdownView, before: CostBreakdownView): Driver[] {
  const old = new Map(before.lines.map(({ name, ledger }) => [name, ledger]));
  const names = new Set(now.lines.map(({ name }) => name));
  const pairs = [
    ...now.lines.map(({ name, ledger }) => ({ name, now: ledger, before: old.get(name) ?? null })),
    ...before.lines.flatMap(({ name, ledger }) => (names.has(name) ? [] : [{ name, now: null, before: ledger }])),
  ];
  // A name that one period lists and the other sums up with the rest has no figure there to compare with.
  const known = pairs.filter((pair) => (pair.now || now.rest === null) && (pair.before || before.rest === null));
  const drivers = known.map(({ name, now, before }) => driverOf(name, now, before));
  return drivers.filter(({ nano }) => nano !== 0n).toSorted((a, b) => compare(size(b), size(a)));
}

const pricedIn = (ledger: LedgerView | null): bigint => BigInt(ledger ? ledger.calls - ledger.unpriced : 0);
const isUnknown = (ledger: LedgerView | null): boolean =>
  ledger !== null && ledger.calls > 0 && ledger.calls === ledger.unpriced;
const size = ({ nano }: Driver): bigint => (nano === null ? -1n : nano < 0n ? -nano : nano);
const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

function driverOf(name: string, now: LedgerView | null, before: LedgerView | null): Driver {
  const [calls, oldCalls] = [pricedIn(now), pricedIn(before)];
  const [nano, oldNano] = [now?.nano ?? 0n, before?.nano ?? 0n];
  const hasBoth = calls > 0n && oldCalls > 0n;
  return {
    name,
    nano: isUnknown(now) || isUnknown(before) ? null : nano - oldNano,
    calls: hasBoth ? { now: calls, before: oldCalls } : null,
    price: hasBoth && nano > 0n && oldNano > 0n ? { now: nano * oldCalls, before: oldNano * calls } : null,
    unpriced: (now?.unpriced ?? 0) + (before?.unpriced ?? 0),
  };
}

/** A factor as text: `1.9×`. Above tenfold the exact factor is not shown. */
export function factorText({ now, before }: Factor): string {
  if (now > before * 10n) return ">10×";
  if (now * 10n < before) return "<0.1×";
  const tenths = (now * 20n + before) / (before * 2n);
  return `${tenths / 10n}.${tenths % 10n}×`;
}

/** `1.9× calls, 1.1× price per call`, and the calls that are in neither. */
export function driverText({ nano, calls, price, unpriced }: Driver): string {
  const parts = [
    ...(nano === null ? ["not comparable: one period has no priced calls"] : []),
    ...(calls ? [`${factorText(calls)} calls`] : []),
    ...(price ? [`${factorText(price)} price per call`] : []),
    ...(calls || nano === null ? [] : [nano > 0n ? "no priced calls before" : "no priced calls now"]),
    ...(unpriced > 0 ? [`${plural(unpriced, "unpriced call")} not included`] : []),
  ];
  return parts.join(", ");
}

const HOUR = 3_600_000;

/** The compared period by its length: "previous 24 hours". */
export function previousWords({ from, to }: { readonly from: Date; readonly to: Date }): string {
  const ms = to.getTime() - from.getTime();
  const [count, unit] =
    ms >= 47.5 * HOUR
      ? [Math.round(ms / (24 * HOUR)), "days"]
      : ms >= 1.5 * HOUR
        ? [Math.round(ms / HOUR), "hours"]
        : [Math.round(ms / 60_000), "minutes"];
  return unit === "minutes" && Math.abs(count - 60) <= 1 ? "previous hour" : `previous ${count} ${unit}`;
}
