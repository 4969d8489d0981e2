/** Go's Sprintf, Sprint and Sprintln over values. */
import { type Bytes, runeAt } from "../syntax/bytes.ts";
import type { Budget } from "./budget.ts";
import { Printer } from "./printer.ts";
import { held, typeName, type Value } from "./values.ts";
import type { Flags } from "./verb.ts";

type Arguments = readonly (Value | undefined)[];

/** Puts a blank between two operands unless one of them is a text. */
export function sprint(args: Arguments, budget: Budget): Bytes {
  const printer = new Printer(budget);
  let afterString = true;
  const parts = args.map((given) => {
    const value = held(given);
    const isString = value?.kind === "string";
    const blank = isString || afterString ? "" : " ";
    afterString = isString;
    return blank + printer.print(value, "v");
  });
  return parts.join("");
}

export function sprintln(args: Arguments, budget: Budget): Bytes {
  const printer = new Printer(budget);
  return `${args.map((given) => printer.print(given, "v")).join(" ")}\n`;
}

/** Widths and precisions past this are ignored. */
const NUMBER_MAX = 1_000_000;
const FLAGS: ReadonlyMap<string, "sharp" | "zero" | "plus" | "minus" | "space"> = new Map([
  ["#", "sharp"],
  ["0", "zero"],
  ["+", "plus"],
  ["-", "minus"],
  [" ", "space"],
]);

export function sprintf(format: Bytes, args: Arguments, budget: Budget): Bytes {
  const operands = args.map((arg) => held(arg));
  return new Formatting(format, operands, budget).run();
}

class Formatting {
  readonly #format: Bytes;
  readonly #args: Arguments;
  readonly #budget: Budget;
  readonly #printer: Printer;
  readonly #parts: Bytes[] = [];
  #at = 0;
  #next = 0;
  #reordered = false;
  #goodIndex = true;
  #afterIndex = false;

  constructor(format: Bytes, args: Arguments, budget: Budget) {
    this.#format = format;
    this.#args = args;
    this.#budget = budget;
    this.#printer = new Printer(budget);
  }

  run(): Bytes {
    while (this.#at < this.#format.length) {
      this.#budget.step();
      const percent = this.#format.indexOf("%", this.#at);
      const end = percent < 0 ? this.#format.length : percent;
      this.#write(this.#format.slice(this.#at, end));
      this.#at = end + 1;
      if (percent >= 0) this.#directive();
    }
    this.#extra();
    return this.#parts.join("");
  }

  #write(text: Bytes): void {
    this.#budget.bytes(text.length);
    this.#parts.push(text);
  }

  /** Reads the directive after a percent sign. */
  #directive(): void {
    const flags: Flags = {};
    this.#goodIndex = true;
    this.#afterIndex = false;
    for (let flag = this.#flag(); flag; flag = this.#flag()) {
      flags[flag] = true;
      this.#at++;
    }
    this.#index();
    this.#width(flags);
    if (this.#format[this.#at] === "." && this.#at + 1 < this.#format.length) this.#precision(flags);
    if (!this.#afterIndex) this.#index();
    if (this.#at >= this.#format.length) this.#write("%!(NOVERB)");
    else this.#verb(flags);
  }

  #verb(flags: Flags): void {
    const { size } = runeAt(this.#format, this.#at);
    const written = this.#format.slice(this.#at, this.#at + size);
    // An invalid byte is shown as U+FFFD.
    const letter = size === 1 && written >= "\x80" ? "\xef\xbf\xbd" : written;
    this.#at += size;
    if (letter === "%") this.#write("%");
    else if (!this.#goodIndex) this.#write(`%!${letter}(BADINDEX)`);
    else if (this.#next >= this.#args.length) this.#write(`%!${letter}(MISSING)`);
    else {
      if (letter === "v" || letter === "w") {
        flags.sharpV = flags.sharp ?? false;
        flags.plusV = flags.plus ?? false;
        flags.sharp = false;
        flags.plus = false;
      }
      this.#parts.push(this.#printer.print(this.#args[this.#next++], letter, flags));
    }
  }

  #flag() {
    return FLAGS.get(this.#format[this.#at] ?? "");
  }

  #width(flags: Flags): void {
    if (this.#format[this.#at] !== "*") {
      const width = this.#digits();
      if (width === undefined) return;
      flags.width = width;
      if (this.#afterIndex) this.#goodIndex = false;
      return;
    }
    this.#at++;
    this.#afterIndex = false;
    const width = this.#argumentNumber();
    if (width === undefined) {
      this.#write("%!(BADWIDTH)");
      return;
    }
    flags.width = Math.abs(width);
    if (width < 0) {
      flags.minus = true;
      flags.zero = false;
    }
  }

  #precision(flags: Flags): void {
    this.#at++;
    if (this.#afterIndex) this.#goodIndex = false;
    this.#index();
    if (this.#format[this.#at] !== "*") {
      flags.precision = this.#digits() ?? 0;
      return;
    }
    this.#at++;
    this.#afterIndex = false;
    const precision = this.#argumentNumber();
    if (precision === undefined || precision < 0) this.#write("%!(BADPREC)");
    else flags.precision = precision;
  }

  /** Reads a number in the format. A number above the limit consumes the rest of the format. */
  #digits(): number | undefined {
    let value: number | undefined;
    for (;;) {
      const digit = this.#format.charCodeAt(this.#at) - 48;
      if (!(digit >= 0 && digit <= 9)) return value;
      if ((value ?? 0) > NUMBER_MAX) {
        this.#at = this.#format.length;
        return undefined;
      }
      value = (value ?? 0) * 10 + digit;
      this.#at++;
    }
  }

  /** Reads a width or precision from an argument. */
  #argumentNumber(): number | undefined {
    if (this.#next >= this.#args.length) return undefined;
    const value = this.#args[this.#next++];
    if (value?.kind !== "int" && value?.kind !== "uint") return undefined;
    const size = value.value < 0n ? -value.value : value.value;
    return size > BigInt(NUMBER_MAX) ? undefined : Number(value.value);
  }

  /** Reads an argument index such as `[2]`. */
  #index(): void {
    this.#afterIndex = false;
    if (this.#format[this.#at] !== "[") return;
    this.#reordered = true;
    const close = this.#format.indexOf("]", this.#at);
    if (close < 0 || this.#format.length - this.#at < 3) {
      this.#goodIndex = false;
      this.#at++;
      return;
    }
    const digits = this.#format.slice(this.#at + 1, close);
    this.#at = close + 1;
    const index = /^[0-9]+$/.test(digits) && Number(digits) <= NUMBER_MAX * 10 + 9 ? Number(digits) - 1 : undefined;
    this.#afterIndex = index !== undefined;
    if (index !== undefined && index >= 0 && index < this.#args.length) this.#next = index;
    else this.#goodIndex = false;
  }

  #extra(): void {
    if (this.#reordered || this.#next >= this.#args.length) return;
    const extra = this.#args.slice(this.#next).map((value) => {
      return value ? `${typeName(value)}=${this.#printer.print(value, "v")}` : "<nil>";
    });
    this.#write(`%!(EXTRA ${extra.join(", ")})`);
  }
}
