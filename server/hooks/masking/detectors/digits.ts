/** Check digits. */

/** The digits of a text, in order. */
export const digitsOf = (text: string): number[] => [...text.replace(/\D/g, "")].map(Number);

/** ISO/IEC 7812: payment cards and some national ids. */
export function passesLuhn(digits: readonly number[]): boolean {
  const sum = digits.toReversed().reduce((total, digit, index) => {
    const twice = index % 2 === 1 ? digit * 2 : digit;
    return total + (twice > 9 ? twice - 9 : twice);
  }, 0);
  return sum % 10 === 0;
}

/** The sum of each digit times its weight. */
export const weighted = (digits: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0);

/** The remainder of a number of any length, given by its decimal digits. */
export const remainder = (digits: string, by: number): number =>
  [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % by, 0);

/** ISO/IEC 7064 with modulus 11 and 10, over all digits with the check digit last. */
export function passesMod11And10(digits: readonly number[]): boolean {
  const product = digits.slice(0, -1).reduce((rest, digit) => {
    const sum = (digit + rest) % 10 || 10;
    return (sum * 2) % 11;
  }, 10);
  return (11 - product) % 10 === digits.at(-1);
}

const D5 = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 2, 3, 4, 0, 6, 7, 8, 9, 5],
  [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
  [3, 4, 0, 1, 2, 8, 9, 5, 6, 7],
  [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
  [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
  [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
  [7, 6, 5, 9, 8, 2, 1, 0, 4, 3],
  [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
  [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
] as const;
const PERMUTATION = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4] as const;

/** The Verhoeff check, over all digits with the check digit last. */
export function passesVerhoeff(digits: readonly number[]): boolean {
  const permuted = (digit: number, times: number): number => {
    let to = digit;
    for (let time = 0; time < times % 8; time += 1) to = PERMUTATION[to] ?? 0;
    return to;
  };
  return digits.toReversed().reduce((check, digit, index) => D5[check]?.[permuted(digit, index)] ?? 0, 0) === 0;
}

/** True if day and month can be those of a date. */
export const isDate = (day: number, month: number): boolean => day >= 1 && day <= 31 && month >= 1 && month <= 12;
