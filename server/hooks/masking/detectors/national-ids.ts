/** National ids by country, each with the check that the country defines. */
import type { IdCountry } from "../../contract/masking-setting.ts";
import { digitsOf, isDate, passesLuhn, passesMod11And10, passesVerhoeff, remainder, weighted } from "./digits.ts";

interface NationalId {
  /** Bounded, and not within a longer word or number. */
  readonly pattern: RegExp;
  readonly isValid: (found: string) => boolean;
}

const DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";
const CODICE_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

export const NATIONAL_IDS: Readonly<Record<IdCountry, NationalId>> = {
  /** Rijksregisternummer. */
  BE: {
    pattern: /(?<![\w.-])\d{2}\.?\d{2}\.?\d{2}-?\d{3}\.?\d{2}(?![\w-])/g,
    isValid(found) {
      const digits = found.replace(/\D/g, "");
      const check = Number(digits.slice(9));
      return [digits.slice(0, 9), `2${digits.slice(0, 9)}`].some((body) => 97 - remainder(body, 97) === check);
    },
  },
  /** CPF. */
  BR: {
    pattern: /(?<![\w.-])\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?![\w-])/g,
    isValid(found) {
      const digits = digitsOf(found);
      if (new Set(digits).size === 1) return false;
      const check = (length: number) =>
        ((weighted(
          digits.slice(0, length),
          digits.slice(0, length).map((_, index) => length + 1 - index),
        ) *
          10) %
          11) %
        10;
      return check(9) === digits[9] && check(10) === digits[10];
    },
  },
  /** AHV number. */
  CH: {
    pattern: /(?<![\w.-])756\.?\d{4}\.?\d{4}\.?\d{2}(?![\w-])/g,
    isValid(found) {
      const digits = digitsOf(found);
      return weighted(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;
    },
  },
  /** Steuerliche Identifikationsnummer. */
  DE: {
    pattern: /(?<![\w.-])[1-9]\d(?: ?\d{3}){3}(?![\w-])/g,
    isValid(found) {
      const digits = digitsOf(found);
      const counts = new Map<number, number>();
      for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
      const repeated = [...counts.values()].filter((count) => count > 1);
      const isRepeatedOnce = repeated.length === 1 && (repeated[0] ?? 0) <= 3;
      return isRepeatedOnce && passesMod11And10(digits);
    },
  },
  /** DNI and NIE. */
  ES: {
    pattern: /(?<![\w.-])(?:\d{8}|[XYZxyz]-?\d{7})-?[A-Za-z](?![\w-])/g,
    isValid(found) {
      const written = found.replaceAll("-", "").toUpperCase();
      const digits = written.slice(0, -1).replace(/^[XYZ]/, (letter) => String("XYZ".indexOf(letter)));
      return DNI_LETTERS.charAt(Number(digits) % 23) === written.at(-1);
    },
  },
  /** Numéro de sécurité sociale. */
  FR: {
    pattern: /(?<![\w.-])[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[ABab]) ?\d{3} ?\d{3} ?\d{2}(?![\w-])/g,
    isValid(found) {
      const written = found.replaceAll(" ", "").toUpperCase();
      const body = written.slice(0, 13).replace("2A", "19").replace("2B", "18");
      return /^\d{13}$/.test(body) && 97 - remainder(body, 97) === Number(written.slice(13));
    },
  },
  /** National Insurance number. It has no check digit. */
  GB: {
    pattern:
      /(?<![\w.-])(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![\w-])/g,
    isValid: () => true,
  },
  /** Aadhaar. */
  IN: {
    pattern: /(?<![\w.-])[2-9]\d{3}([ -]?)\d{4}\1\d{4}(?![\w-])/g,
    isValid: (found) => passesVerhoeff(digitsOf(found)),
  },
  /** Codice fiscale. */
  IT: {
    pattern:
      /(?<![\w.-])[A-Za-z]{6}[0-9LMNP-Vlmnp-v]{2}[A-EHLMPR-Ta-ehlmpr-t][0-9LMNP-Vlmnp-v]{2}[A-Za-z][0-9LMNP-Vlmnp-v]{3}[A-Za-z](?![\w-])/g,
    isValid(found) {
      const written = found.toUpperCase();
      const numberOf = (sign: string): number => (/\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 65);
      const sum = [...written.slice(0, 15)].reduce(
        (total, sign, index) => total + (index % 2 === 0 ? (CODICE_ODD[numberOf(sign)] ?? 0) : numberOf(sign)),
        0,
      );
      return String.fromCharCode(65 + (sum % 26)) === written.at(-1);
    },
  },
  /** Burgerservicenummer. */
  NL: {
    pattern: /(?<![\w.-])\d{4}[. ]?\d{2}[. ]?\d{3}(?![\w-])/g,
    isValid(found) {
      const digits = digitsOf(found);
      return new Set(digits).size > 1 && weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
    },
  },
  /** PESEL. The month also states the century. */
  PL: {
    pattern: /(?<![\w.-])\d{11}(?![\w-])/g,
    isValid(found) {
      const digits = digitsOf(found);
      const month = Number(found.slice(2, 4)) % 20;
      const check = (10 - (weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10;
      return isDate(Number(found.slice(4, 6)), month) && check === digits[10];
    },
  },
  /** Personnummer, with its sign. */
  SE: {
    pattern: /(?<![\w.-])(?:19|20)?\d{6}[-+]\d{4}(?![\w-])/g,
    isValid(found) {
      const digits = found.replace(/\D/g, "").slice(-10);
      const day = Number(digits.slice(4, 6)) % 60;
      return isDate(day, Number(digits.slice(2, 4))) && passesLuhn(digitsOf(digits));
    },
  },
  /** Social Security number, with its hyphens. It has no check digit. */
  US: {
    pattern: /(?<![\w.-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g,
    isValid: () => true,
  },
};
