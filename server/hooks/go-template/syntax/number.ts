/** Parses number literals with every possible type. Their use decides the type. */
import { type Bytes, textOf } from "./bytes.ts";
import { unquoteRune } from "./unquote.ts";

export interface NumberLiteral {
  /** As written. */
  readonly text: Bytes;
  readonly int?: bigint;
  readonly uint?: bigint;
  readonly float?: number;
  readonly complex?: { readonly re: number; readonly im: number };
}

const INT_MAX = 2n ** 63n - 1n;
const UINT_MAX = 2n ** 64n - 1n;

/** A number literal, or an error sentence. */
export function readNumber(text: Bytes, kind: "number" | "char constant" | "complex"): NumberLiteral | string {
  if (kind === "char constant") return readRune(text);
  if (kind === "complex") {
    const parts = /^(.*[^eEpP])([+-].*)i$/.exec(text);
    const re = parseFloatLiteral(parts?.[1] ?? "");
    const im = parseFloatLiteral(parts?.[2] ?? "");
    return re === undefined || im === undefined ? illegal(text) : withComplex(text, re, im);
  }
  const imaginary = text.endsWith("i") ? parseFloatLiteral(text.slice(0, -1)) : undefined;
  if (imaginary !== undefined) return withComplex(text, 0, imaginary);

  const whole = parseInteger(text);
  const int = whole !== undefined && whole <= INT_MAX && whole >= -INT_MAX - 1n ? whole : undefined;
  const signed = /^[+-]/.test(text);
  const uint = whole !== undefined && whole <= UINT_MAX && (!signed || whole === 0n) && whole >= 0n ? whole : undefined;
  if (int !== undefined || uint !== undefined) {
    return { text, float: Number(int ?? uint), ...(int !== undefined && { int }), ...(uint !== undefined && { uint }) };
  }
  const float = parseFloatLiteral(text);
  if (float === undefined) return illegal(text);
  if (!/[.eEpP]/.test(text)) return `integer overflow: "${text}"`;
  return { text, float, ...integral(float) };
}

function readRune(text: Bytes): NumberLiteral | string {
  const rune = unquoteRune(text);
  if (rune === undefined) return `malformed character constant: ${textOf(text)}`;
  return { text, int: BigInt(rune), uint: BigInt(rune), float: rune };
}

function illegal(text: Bytes): string {
  return `illegal number syntax: "${textOf(text)}"`;
}

function withComplex(text: Bytes, re: number, im: number): NumberLiteral {
  return { text, complex: { re, im }, ...(im === 0 && { float: re, ...integral(re) }) };
}

/** The integers that equal a float. */
function integral(float: number): { int?: bigint; uint?: bigint } {
  if (!Number.isInteger(float)) return {};
  const whole = BigInt(float);
  return {
    ...(whole >= -INT_MAX - 1n && whole <= INT_MAX && { int: whole }),
    ...(whole >= 0n && whole <= UINT_MAX && { uint: whole }),
  };
}

const BASES: readonly (readonly [RegExp, string])[] = [
  [/^0[xX](?:_?[0-9a-fA-F])+$/, "0x"],
  [/^0[bB](?:_?[01])+$/, "0b"],
  [/^0[oO](?:_?[0-7])+$/, "0o"],
];

function parseInteger(text: string): bigint | undefined {
  const unsigned = text.replace(/^[+-]/, "");
  const digits = (from: number) => unsigned.slice(from).replaceAll("_", "");
  const prefixed = BASES.find(([shape]) => shape.test(unsigned));
  let value: bigint | undefined;
  if (prefixed) value = BigInt(prefixed[1] + digits(2));
  else if (/^0(?:_?[0-7])+$/.test(unsigned)) value = BigInt(`0o${digits(1)}`);
  else if (/^(?:0|[1-9](?:_?[0-9])*)$/.test(unsigned)) value = BigInt(digits(0));
  return value !== undefined && text.startsWith("-") ? -value : value;
}

const DECIMAL =
  /^[+-]?(?:[0-9](?:_?[0-9])*\.?(?:[0-9](?:_?[0-9])*)?|\.[0-9](?:_?[0-9])*)(?:[eE][+-]?[0-9](?:_?[0-9])*)?$/;
const HEXADECIMAL =
  /^([+-]?)0[xX](_?[0-9a-fA-F](?:_?[0-9a-fA-F])*)?\.?([0-9a-fA-F](?:_?[0-9a-fA-F])*)?[pP]([+-]?[0-9](?:_?[0-9])*)$/;

/** The value of a float literal; undefined if it is invalid or too large for a float. */
function parseFloatLiteral(text: string): number | undefined {
  if (DECIMAL.test(text)) return finite(Number(text.replaceAll("_", "")));
  const [, sign, whole = "", fraction = "", exponent] = HEXADECIMAL.exec(text) ?? [];
  if (exponent === undefined || whole + fraction === "") return undefined;
  const digits = fraction.replaceAll("_", "");
  const power = Number(exponent.replaceAll("_", "")) - digits.length * 4;
  const size = hexadecimal(BigInt(`0x${whole.replaceAll("_", "")}${digits}`), power);
  return finite(sign === "-" ? -size : size);
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

const MANTISSA_BITS = 53;
const LEAST_POWER = -1074;
const POWER_MAX = 1_100;

/** mantissa × 2^power, rounded once, half to even. */
function hexadecimal(mantissa: bigint, power: number): number {
  if (mantissa === 0n) return 0;
  const bits = mantissa.toString(2).length;
  if (bits + power > POWER_MAX) return Number.POSITIVE_INFINITY;
  if (bits + power < -POWER_MAX) return 0;
  const drop = Math.max(bits - MANTISSA_BITS, LEAST_POWER - power, 0);
  const unit = 1n << BigInt(drop);
  const rest = mantissa % unit;
  let kept = mantissa / unit;
  if (rest * 2n > unit || (rest * 2n === unit && kept % 2n === 1n)) kept++;
  // In two steps, because a power of two below the smallest float would be zero.
  const scale = power + drop;
  const half = Math.trunc(scale / 2);
  return Number(kept) * 2 ** half * 2 ** (scale - half);
}
