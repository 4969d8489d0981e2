/**
 * Money, read from the digits of the JSON text and never through a float.
 *
 * Units: nano-dollars (1e-9 USD) as bigint.
 */
const NANO_DIGITS = 9;
/** A million dollars for one model call is a mistake, and sums of thousands must fit PostgreSQL's bigint. */
const COST_USD_EXPONENT_MAX = 6;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

export type Cost = { readonly nano: bigint; readonly usd: string };

/**
 * The cost written as `digits` (a JSON number), rounded half up to the nearest nano-dollar, together with its exact
 * plain-decimal spelling.
 *
 * Errors: a string with the reason: not a number, negative, or more than a million dollars.
 */
export function parseCost(digits: string): Cost | string {
  const match = NUMBER.exec(digits);
  if (!match) return "cost must be a number";
  const [, sign, whole = "", fraction = "", exponentText = "0"] = match;
  const significant = (whole + fraction).replace(/^0+/, "");
  if (significant === "") return { nano: 0n, usd: "0" };
  if (sign) return "cost must not be negative";
  const exponent = Number(exponentText);
  // Where the decimal point stands, counted from the first significant digit.
  const leadingZeros = (whole + fraction).length - significant.length;
  const point = whole.length + exponent - leadingZeros;
  if (point > COST_USD_EXPONENT_MAX) return "cost must be under a million dollars";
  if (point < -400 || significant.length > 1000) return "cost has more digits than a cost can have";
  return { nano: rounded(significant, point + NANO_DIGITS), usd: plain(significant, point) };
}

function rounded(significant: string, point: number): bigint {
  if (point < 0) return 0n;
  const kept = significant.slice(0, point).padEnd(point, "0");
  const roundsUp = (significant[point] ?? "0") >= "5";
  return BigInt(kept === "" ? "0" : kept) + (roundsUp ? 1n : 0n);
}

function plain(significant: string, point: number): string {
  if (point <= 0) return `0.${"0".repeat(-point)}${significant}`;
  if (significant.length <= point) return significant.padEnd(point, "0");
  return `${significant.slice(0, point)}.${significant.slice(point)}`;
}

/** `nano` as plain decimal dollars without trailing zeros: 18251961710 → "18.25196171". */
export function formatUsd(nano: bigint): string {
  const digits = nano.toString().padStart(NANO_DIGITS + 1, "0");
  const fraction = digits.slice(-NANO_DIGITS).replace(/0+$/, "");
  return fraction === "" ? digits.slice(0, -NANO_DIGITS) : `${digits.slice(0, -NANO_DIGITS)}.${fraction}`;
}

/** The same for people to read, with cents at least: "$0.50", "$0.000000001". */
export function formatDollars(nano: bigint): string {
  const [whole = "0", fraction = ""] = formatUsd(nano).split(".");
  return `$${whole}.${fraction.padEnd(2, "0")}`;
}

/** A short, rounded form: "$1,234.50", "$0.0042" below a cent, "<$0.0001" for amounts that would round to zero. */
export function shortDollars(nano: bigint): string {
  const decimals = nano === 0n || nano >= 9_995_000n ? 2 : 4;
  const unit = 10n ** BigInt(NANO_DIGITS - decimals);
  const units = (nano + unit / 2n) / unit;
  if (units === 0n && nano > 0n) return "<$0.0001";
  const digits = units.toString().padStart(decimals + 1, "0");
  return `$${grouped(digits.slice(0, -decimals))}.${digits.slice(-decimals)}`;
}

const grouped = (whole: string): string => whole.replace(/\B(?=(\d{3})+$)/g, ",");
