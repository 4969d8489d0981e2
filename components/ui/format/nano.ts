/**
 * Money as text, from integer nano-dollars. Digits are moved, never computed in floating point.
 */

const NANO = 1_000_000_000n;

/** Nano-dollars from a wire value: a bigint, or its decimal digits. */
export const toNano = (nano: bigint | string | number): bigint => BigInt(nano);

/** Every digit: `$0.00421375`, `$12.40`; at least two after the point. */
export function exactMoney(nano: bigint): string {
  const sign = nano < 0n ? "-" : "";
  const size = nano < 0n ? -nano : nano;
  const fraction = (size % NANO).toString().padStart(9, "0").replace(/0+$/, "").padEnd(2, "0");
  return `${sign}$${group(size / NANO)}.${fraction}`;
}

/** To read at a glance: four decimals under a cent (more when even those are zeros), two above. */
export function shortMoney(nano: bigint): string {
  const sign = nano < 0n ? "-" : "";
  const size = nano < 0n ? -nano : nano;
  if (size === 0n) return "$0.00";
  if (size >= 9_995_000n) {
    const cents = rounded(size, 10_000_000n);
    return `${sign}$${group(cents / 100n)}.${(cents % 100n).toString().padStart(2, "0")}`;
  }
  if (size < 50_000n) return `${sign}<$0.0001`;
  return `${sign}$0.${rounded(size, 100_000n).toString().padStart(4, "0")}`;
}

/** After "at least" and "≥": an amount too small for four decimals with its digits, for it is not less than itself. */
export const leastMoney = (nano: bigint): string => (nano > 0n && nano < 50_000n ? exactMoney(nano) : shortMoney(nano));

const rounded = (value: bigint, unit: bigint): bigint => (value + unit / 2n) / unit;
const group = (whole: bigint): string => whole.toString().replace(/\B(?=(\d{3})+$)/g, ",");
