/** Whole numbers in the arguments of a builtin. */

const MAX = 2n ** 63n;

/**
 * The integer that `text` is: an optional sign and ASCII digits, nothing around them, within 64 bits. Undefined for
 * anything else. Beyond what a number holds exactly it comes back as the nearest one.
 */
export function parseInteger(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 1_000 || !/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return value >= -MAX && value < MAX ? Number(value) : undefined;
}
