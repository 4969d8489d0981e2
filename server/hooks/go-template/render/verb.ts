/** One formatting verb of Go's fmt with its flags, for the simple kinds of values. */
import { type Bytes, MAX_RUNE, REPLACEMENT, runeAt, runeBytes, runeCount } from "../syntax/bytes.ts";
import type { Budget } from "./budget.ts";
import { type FloatFormat, formatFloat } from "./decimal.ts";
import { canBackquote, isPrintable, quote, quoteRune } from "./quote.ts";

export interface Flags {
  width?: number;
  precision?: number;
  minus?: boolean;
  plus?: boolean;
  sharp?: boolean;
  space?: boolean;
  zero?: boolean;
  /** `%+v` and `%#v` are separate verbs. */
  plusV?: boolean;
  sharpV?: boolean;
}

const DECIMALS: Readonly<Record<string, number>> = { f: 6, e: 6, E: 6 };

/** One verb. Its output counts against the budget. */
export class Verb {
  flags: Flags = {};
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Pads to the width: on the right with the minus flag, else on the left. */
  pad(text: Bytes): Bytes {
    const { width, minus } = this.flags;
    return this.#beside(text, width ? width - runeCount(text) : 0, minus);
  }

  #beside(text: Bytes, fill: number, minus = false): Bytes {
    this.#budget.bytes(text.length);
    return minus ? text + this.#fill(fill) : this.#fill(fill) + text;
  }

  #fill(count: number): Bytes {
    if (count <= 0) return "";
    this.#budget.bytes(count);
    return (this.flags.zero && !this.flags.minus ? "0" : " ").repeat(count);
  }

  #withoutZero(work: () => Bytes): Bytes {
    const { zero } = this.flags;
    this.flags.zero = false;
    const text = work();
    this.flags.zero = zero ?? false;
    return text;
  }

  string(text: Bytes): Bytes {
    return this.pad(this.#cut(text));
  }

  #cut(text: Bytes): Bytes {
    const { precision } = this.flags;
    if (precision === undefined) return text;
    let at = 0;
    for (let left = precision; left > 0 && at < text.length; left--) at += runeAt(text, at).size;
    return text.slice(0, at);
  }

  quoted(text: Bytes): Bytes {
    const cut = this.#cut(text);
    return this.pad(this.flags.sharp && canBackquote(cut) ? `\`${cut}\`` : quote(cut, this.flags.plus));
  }

  /** Each byte as two hexadecimal digits. */
  hexBytes(text: Bytes, upper: boolean): Bytes {
    const { precision, space, sharp, width, minus } = this.flags;
    const shown = precision === undefined ? text : text.slice(0, precision);
    if (shown === "") return this.#fill(width ?? 0);
    const prefix = sharp ? (upper ? "0X" : "0x") : "";
    const bytes = Array.from(shown, (byte) => {
      const digits = byte.charCodeAt(0).toString(16).padStart(2, "0");
      return upper ? digits.toUpperCase() : digits;
    });
    const whole = space ? bytes.map((byte) => prefix + byte).join(" ") : prefix + bytes.join("");
    return this.#beside(whole, (width ?? 0) - whole.length, minus);
  }

  integer(value: bigint, base: 2 | 8 | 10 | 16, verb = "d"): Bytes {
    const { precision, zero, minus, width, plus, space, sharp } = this.flags;
    const sign = value < 0n ? "-" : plus ? "+" : space ? " " : "";
    const size = value < 0n ? -value : value;
    if (precision === 0 && size === 0n) return this.#withoutZero(() => this.#fill(width ?? 0));
    const zeros = precision ?? (zero && !minus && width !== undefined ? width - (sign === "" ? 0 : 1) : 0);
    let digits = size.toString(base);
    if (verb === "X") digits = digits.toUpperCase();
    this.#budget.bytes(Math.max(zeros, 0));
    digits = digits.padStart(zeros, "0");
    if (sharp) {
      if (base === 2) digits = `0b${digits}`;
      else if (base === 8 && !digits.startsWith("0")) digits = `0${digits}`;
      else if (base === 16) digits = `${verb === "X" ? "0X" : "0x"}${digits}`;
    }
    if (verb === "O") digits = `0o${digits}`;
    return this.#withoutZero(() => this.pad(sign + digits));
  }

  character(value: bigint): Bytes {
    return this.pad(runeBytes(runeOf(value)));
  }

  quotedCharacter(value: bigint): Bytes {
    return this.pad(quoteRune(runeOf(value), this.flags.plus));
  }

  /** `U+0041`, with the sharp flag also the character. */
  codePoint(value: bigint): Bytes {
    const { sharp, precision = 0 } = this.flags;
    const code = BigInt.asUintN(64, value);
    this.#budget.bytes(precision);
    const digits = code.toString(16).toUpperCase().padStart(Math.max(precision, 4), "0");
    const shows = sharp && code <= MAX_RUNE && isPrintable(Number(code));
    return this.#withoutZero(() => this.pad(`U+${digits}${shows ? ` '${runeBytes(Number(code))}'` : ""}`));
  }

  float(value: number, verb: string): Bytes {
    const format = (verb === "v" ? "g" : verb === "F" ? "f" : verb) as FloatFormat; // holds: the printer passes no other value
    const precision = this.flags.precision ?? DECIMALS[format] ?? -1;
    this.#budget.bytes(Math.max(precision, 0));
    const { plus, space, sharp, zero, minus, width } = this.flags;
    const text = formatFloat(value, format, precision);
    const unsigned = text.replace(/^-/, "");
    const sign = text.startsWith("-") ? "-" : plus ? "+" : space ? " " : "";
    const digits = sharp && format !== "b" ? withPoint(unsigned, format, precision) : unsigned;
    const zeros = zero && !minus && sign !== "" && width !== undefined && width > digits.length + 1;
    if (!zeros) return this.pad(sign + digits);
    return sign + this.#fill(width - digits.length - 1) + digits;
  }
}

function runeOf(value: bigint): number {
  const code = BigInt.asUintN(64, value);
  return code > MAX_RUNE ? REPLACEMENT : Number(code);
}

/** Applies the sharp flag: always a point, and the zeros that a general format omits. */
function withPoint(text: string, format: FloatFormat, precision: number): string {
  const general = format === "g" || format === "G" || format === "x";
  const tailAt = text.search(format === "x" || format === "X" ? /[pP]/ : /[eE]/);
  const head = tailAt < 0 ? text : text.slice(0, tailAt);
  const significant = head.replace(/[.]/g, "").replace(/^0+/, "").length;
  let missing = (general ? (precision < 0 ? 6 : precision) : 0) - significant;
  if (!head.includes(".") && head === "0") missing--;
  const pointed = head.includes(".") ? head : `${head}.`;
  return pointed + "0".repeat(Math.max(missing, 0)) + (tailAt < 0 ? "" : text.slice(tailAt));
}
