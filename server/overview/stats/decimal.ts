/** Sums of plain decimals of any length, none rounded. */
export interface Decimal {
  readonly units: bigint;
  /** Digits after the point. */
  readonly scale: number;
}

export const ZERO: Decimal = { units: 0n, scale: 0 };

/** The value of `text`, a plain decimal such as PostgreSQL writes. */
export function decimalOf(text: string): Decimal {
  const [whole = "0", fraction = ""] = text.split(".");
  return { units: BigInt(whole + fraction), scale: fraction.length };
}

export function plus(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  const at = ({ units, scale: own }: Decimal) => units * 10n ** BigInt(scale - own);
  return { units: at(left) + at(right), scale };
}

/** Without trailing zeros: 1.50 → "1.5", 2.00 → "2". */
export function textOf({ units, scale }: Decimal): string {
  const digits = units.toString().padStart(scale + 1, "0");
  const fraction = scale === 0 ? "" : digits.slice(-scale).replace(/0+$/, "");
  const whole = scale === 0 ? digits : digits.slice(0, -scale);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
