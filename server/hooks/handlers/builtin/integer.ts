/** Integers in the arguments of a builtin. */

const MAX = 2n ** 63n;

/**
 * The integer in `text`: an optional sign and ASCII digits only, within 64 bits. Undefined for any other text. An integer that a
 * number cannot hold exactly is rounded to the nearest one.
 */
export function parseInteger(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 1_000 || !/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return value >= -MAX && value < MAX ? Number(value) : undefined;
}
