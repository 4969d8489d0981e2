/** Phone numbers, payment cards and bank accounts. */
import { passesLuhn, remainder } from "./digits.ts";

type Range = readonly [start: number, end: number];

/** International numbers with their plus sign, and ten digits in the North American writing. */
const PHONE =
  /(?<![\w+])\+[1-9](?:[ .()/-]{0,2}\d){7,14}(?!\d)|(?<![\w.-])(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\w-])/g;

export const findPhones = (text: string): readonly Range[] => rangesOf(text, PHONE);

const CARD_START = /(?<![\w.])[2-6]\d{3}/g;
/** The lengths that the networks issue, by the first digit. */
const CARD_LENGTHS: Readonly<Record<string, readonly number[]>> = {
  ...{ 2: [16], 3: [15, 14], 4: [16, 13, 19], 5: [16], 6: [16, 19] },
};

/** Every group of digits can begin a card, also within a longer row of groups. */
export function findCards(text: string): readonly Range[] {
  const found: Range[] = [];
  let from = 0;
  for (const { index } of text.matchAll(CARD_START)) {
    if (index < from) continue;
    const end = endOfCard(text, index);
    if (end === null) continue;
    found.push([index, end]);
    from = end;
  }
  return found;
}

function endOfCard(text: string, start: number): number | null {
  const digits: number[] = [];
  const ends: number[] = [];
  for (let at = start; digits.length < CARD_DIGITS_MAX; at += 1) {
    const one = text.charAt(at);
    if (one >= "0" && one <= "9") {
      digits.push(Number(one));
      ends.push(at + 1);
    } else if ((one !== " " && one !== "-") || at === 0 || !/\d/.test(text.charAt(at - 1))) break;
  }
  for (const length of CARD_LENGTHS[text.charAt(start)] ?? []) {
    const end = ends[length - 1];
    if (end !== undefined && !/\w/.test(text.charAt(end)) && passesLuhn(digits.slice(0, length))) return end;
  }
  return null;
}
const CARD_DIGITS_MAX = 19;

/** The length of each country's IBAN. */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 " +
    "FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 " +
    "LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 " +
    "SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
  )
    .split(" ")
    .map((one) => [one.slice(0, 2), Number(one.slice(2))]),
);
const IBAN_START = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ ]?[A-Za-z0-9])/g;

export function findIbans(text: string): readonly Range[] {
  const found: Range[] = [];
  for (const { 0: head, index } of text.matchAll(IBAN_START)) {
    const length = IBAN_LENGTHS.get(head.slice(0, 2).toUpperCase());
    const end = length === undefined ? null : endOfAccount(text, index, length);
    if (end !== null && passesIban(text.slice(index, end))) found.push([index, end]);
  }
  return found;
}

/** The index after this number of letters and digits, with single blanks between; null if there are fewer. */
function endOfAccount(text: string, start: number, length: number): number | null {
  let at = start;
  for (let count = 0; count < length; at += 1) {
    const one = text.charAt(at);
    if (/[A-Za-z0-9]/.test(one)) count += 1;
    else if (one !== " " || text.charAt(at - 1) === " ") return null;
  }
  return /[A-Za-z0-9]/.test(text.charAt(at)) ? null : at;
}

function passesIban(written: string): boolean {
  const account = written.replaceAll(" ", "").toUpperCase();
  const turned = account.slice(4) + account.slice(0, 4);
  return (
    remainder(
      turned.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)),
      97,
    ) === 1
  );
}

/** The matches of a global pattern that are what they look like. A match that is not may hide the start of one. */
export function rangesOf(text: string, pattern: RegExp, isValid: (found: string) => boolean = () => true): Range[] {
  const found: Range[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [written] = match;
    if (isValid(written)) found.push([match.index, match.index + written.length]);
    else pattern.lastIndex = match.index + 1;
  }
  return found;
}
