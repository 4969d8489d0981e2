/** Amounts as people write them, in whole nano-dollars. Digits are moved, never computed in floating point. */
const DOLLARS = /^\$?\s*(\d{1,6})(?:\.(\d{0,9}))?$/;
const NANO_DIGITS = 9;

/** Nano-dollars; null when the text is no amount, or has digits beyond a nano-dollar. */
export function nanoOf(text: string): bigint | null {
  const [, whole, fraction = ""] = DOLLARS.exec(text.trim()) ?? [];
  return whole === undefined ? null : BigInt(whole + fraction.padEnd(NANO_DIGITS, "0"));
}

/** As one would write it again: `0.15`, `3`. */
export function dollarsOf(nano: bigint): string {
  const digits = nano.toString().padStart(NANO_DIGITS + 1, "0");
  const fraction = digits.slice(-NANO_DIGITS).replace(/0+$/, "");
  return digits.slice(0, -NANO_DIGITS) + (fraction === "" ? "" : `.${fraction}`);
}
