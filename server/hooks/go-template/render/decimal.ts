/** Formats floats as Go's strconv does. */

/** Digits without leading and trailing zeros, and the position of the point: 0.digits × 10^point. Zero has no digits. */
interface Decimal {
  readonly digits: string;
  readonly point: number;
}

export type FloatFormat = "e" | "E" | "f" | "g" | "G" | "b" | "x" | "X";

/** The text of a finite float. With `precision` -1, it has as many digits as needed to parse the same float. */
export function formatFloat(value: number, format: FloatFormat, precision: number): string {
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const size = Math.abs(value);
  switch (format) {
    case "b":
      return sign + binary(size);
    case "x":
      return sign + hexadecimal(size, precision);
    case "X":
      return sign + hexadecimal(size, precision).toUpperCase();
    case "e":
    case "E": {
      const decimal = precision < 0 ? shortest(size) : rounded(size, precision + 1, "digits");
      return sign + exponential(decimal, precision < 0 ? Math.max(decimal.digits.length - 1, 0) : precision, format);
    }
    case "f": {
      const decimal = precision < 0 ? shortest(size) : rounded(size, precision, "places");
      const places = precision < 0 ? Math.max(decimal.digits.length - decimal.point, 0) : precision;
      return sign + positional(decimal, places);
    }
    case "g":
    case "G":
      return sign + general(size, precision, format);
  }
}

const GENERAL_EXPONENT = 6;

function general(size: number, asked: number, format: "g" | "G"): string {
  const precision = asked === 0 ? 1 : asked;
  const decimal = asked < 0 ? shortest(size) : rounded(size, precision, "digits");
  const { digits, point } = decimal;
  let limit = precision;
  if (limit > digits.length && digits.length >= point) limit = digits.length;
  if (asked < 0) limit = GENERAL_EXPONENT;
  if (point - 1 < -4 || point - 1 >= limit) {
    const shown = asked < 0 ? digits.length : Math.min(precision, digits.length);
    return exponential(decimal, Math.max(shown - 1, 0), format === "g" ? "e" : "E");
  }
  return positional(decimal, Math.max(digits.length - point, 0));
}

function exponential({ digits, point }: Decimal, places: number, e: string): string {
  const exponent = digits === "" ? 0 : point - 1;
  const fraction = digits.slice(1, places + 1).padEnd(places, "0");
  const power = String(Math.abs(exponent)).padStart(2, "0");
  return `${digits[0] ?? "0"}${places > 0 ? `.${fraction}` : ""}${e}${exponent < 0 ? "-" : "+"}${power}`;
}

function positional({ digits, point }: Decimal, places: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  if (places <= 0) return whole;
  const fraction = point >= 0 ? digits.slice(point) : "0".repeat(Math.min(-point, places)) + digits;
  return `${whole}.${fraction.slice(0, places).padEnd(places, "0")}`;
}

function decimalOf(digits: string, point: number): Decimal {
  const significant = digits.replace(/^0+/, "");
  const trimmed = significant.replace(/0+$/, "");
  return { digits: trimmed, point: trimmed === "" ? 0 : point - (digits.length - significant.length) };
}

/** JavaScript also produces the shortest digits, in its own notation. */
function shortest(size: number): Decimal {
  const [mantissa = "", exponent = "0"] = size.toExponential().split("e");
  return decimalOf(mantissa.replace(".", ""), Number(exponent) + 1);
}

/** The exact value, rounded to `count` digits or places, half to even. */
function rounded(size: number, count: number, unit: "digits" | "places"): Decimal {
  const { mantissa, power } = parts(size);
  const all =
    power >= 0
      ? decimalOf((mantissa << BigInt(power)).toString(), (mantissa << BigInt(power)).toString().length)
      : fractional(mantissa, -power);
  const keep = unit === "digits" ? count : all.point + count;
  if (keep >= all.digits.length) return all;
  if (keep < 0) return { digits: "", point: 0 };
  const kept = all.digits.slice(0, keep);
  const rest = all.digits.slice(keep);
  const odd = Number(kept.at(-1) ?? "0") % 2 === 1;
  const up = rest[0] !== undefined && (rest > "5" ? true : rest === "5" && odd);
  if (!up) return decimalOf(kept, all.point);
  const raised = (BigInt(kept === "" ? "0" : kept) + 1n).toString().padStart(keep, "0");
  return decimalOf(raised, all.point + raised.length - keep);
}

/** mantissa / 2^power as digits: the same as mantissa × 5^power / 10^power. */
function fractional(mantissa: bigint, power: number): Decimal {
  const digits = (mantissa * 5n ** BigInt(power)).toString();
  return decimalOf(digits, digits.length - power);
}

const FRACTION_BITS = 52;
const BIAS = 1_075;

/** mantissa × 2^power. */
function parts(size: number): { mantissa: bigint; power: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, size);
  const bits = view.getBigUint64(0);
  const exponent = Number(bits >> BigInt(FRACTION_BITS)) & 0x7ff;
  const fraction = bits & ((1n << BigInt(FRACTION_BITS)) - 1n);
  return exponent === 0
    ? { mantissa: fraction, power: 1 - BIAS }
    : { mantissa: fraction | (1n << BigInt(FRACTION_BITS)), power: exponent - BIAS };
}

function binary(size: number): string {
  const { mantissa, power } = parts(size);
  return `${mantissa}p${power < 0 ? "-" : "+"}${Math.abs(power)}`;
}

const FRACTION_NIBBLES = FRACTION_BITS / 4;

/** 0x1.8p+01: one binary digit, a point, sixteenths. */
function hexadecimal(size: number, precision: number): string {
  let { mantissa, power } = parts(size);
  if (mantissa === 0n) power = 0;
  else {
    const missing = FRACTION_BITS + 1 - mantissa.toString(2).length;
    mantissa <<= BigInt(missing);
    power += FRACTION_BITS - missing;
  }
  if (precision >= 0 && precision < FRACTION_NIBBLES) {
    const drop = BigInt((FRACTION_NIBBLES - precision) * 4);
    const rest = mantissa & ((1n << drop) - 1n);
    const half = 1n << (drop - 1n);
    mantissa >>= drop;
    if (rest > half || (rest === half && mantissa % 2n === 1n)) mantissa++;
    mantissa <<= drop;
    if (mantissa >> BigInt(FRACTION_BITS + 1) !== 0n) {
      mantissa >>= 1n;
      power++;
    }
  }
  const lead = mantissa >> BigInt(FRACTION_BITS);
  const nibbles = (mantissa & ((1n << BigInt(FRACTION_BITS)) - 1n)).toString(16).padStart(FRACTION_NIBBLES, "0");
  const fraction = precision < 0 ? nibbles.replace(/0+$/, "") : nibbles.padEnd(precision, "0").slice(0, precision);
  const exponent = `${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  return `0x${lead}${fraction === "" ? "" : `.${fraction}`}p${exponent}`;
}
