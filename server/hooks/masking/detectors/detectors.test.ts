import { describe, expect, it } from "vitest";
import { ID_COUNTRIES, type IdCountry } from "../../contract/masking-setting.ts";
import { findEmails } from "./email.ts";
import { NATIONAL_IDS } from "./national-ids.ts";
import { findCards, findIbans, findPhones, rangesOf } from "./numbers.ts";

const textsOf = (text: string, ranges: readonly (readonly [number, number])[]) =>
  ranges.map(([start, end]) => text.slice(start, end));

describe("e-mail addresses", () => {
  it.each([
    ["write to jane.doe+qa@mail.example.co.uk, please", ["jane.doe+qa@mail.example.co.uk"]],
    ["<jürgen@müller.example>", ["jürgen@müller.example"]],
    ["a@b.io b@c.io", ["a@b.io", "b@c.io"]],
    ["https://x?user=jane@example.com&b=1", ["jane@example.com"]],
  ])("finds those of %s", (text, found) => {
    const addresses = textsOf(text, findEmails(text)).map((one) => one.replace(/^.*user=/, ""));
    expect(addresses).toEqual(found);
  });
  it.each([
    "npm install @scope/name@1.2.3",
    "git clone git@github.com:owner/name",
    "@ alone and a@ b",
    "user@localhost",
    "@".repeat(5_000),
  ])("finds none in %s", (text) => {
    expect(findEmails(text)).toEqual([]);
  });
});

describe("phone numbers", () => {
  it.each([
    ["call +49 (0)30 901820-45 now", ["+49 (0)30 901820-45"]],
    ["+14155550123", ["+14155550123"]],
    ["(415) 555-0123 or 415.555.0123", ["(415) 555-0123", "415.555.0123"]],
  ])("finds those of %s", (text, found) => {
    expect(textsOf(text, findPhones(text))).toEqual(found);
  });
  it.each(["4155550123", "1.2.3.4", "2026-11-30 10:11", "a+12345678", "id 550e8400-e29b-41d4-a716-446655440000"])(
    "finds none in %s",
    (text) => {
      expect(findPhones(text)).toEqual([]);
    },
  );
});

describe("payment cards", () => {
  it.each(["4111 1111 1111 1111", "5500-0000-0000-0004", "378282246310005", "6011111111111117"])("finds %s", (card) => {
    expect(textsOf(`pay ${card}.`, findCards(`pay ${card}.`))).toEqual([card]);
  });
  it.each(["4111 1111 1111 1112", "1764500000000", "0.4111111111111111", "x4111111111111111", "411111111111"])(
    "finds none in %s",
    (text) => {
      expect(findCards(text)).toEqual([]);
    },
  );
});

it("finds a card after other groups of digits, and several in a row", () => {
  const text = "2024 4111 1111 1111 1111 5500-0000-0000-0004";
  expect(textsOf(text, findCards(text))).toEqual(["4111 1111 1111 1111", "5500-0000-0000-0004"]);
});

describe("bank accounts", () => {
  it.each(["DE89 3704 0044 0532 0130 00", "GB29NWBK60161331926819", "fr1420041010050500013m02606", "NO9386011117947"])(
    "finds %s",
    (account) => {
      const text = `to ${account} today`;
      expect(textsOf(text, findIbans(text))).toEqual([account]);
    },
  );
  it.each(["DE89 3704 0044 0532 0130 01", "AA12 3456", "DE89", "GB29NWBK60161331926819X"])(
    "finds none in %s",
    (text) => {
      expect(findIbans(text)).toEqual([]);
    },
  );
});

/** Made-up numbers that pass the check of their country, and those with a wrong digit or date. */
const IDS: Readonly<Record<IdCountry, { readonly valid: readonly string[]; readonly wrong: readonly string[] }>> = {
  BE: { valid: ["85.07.30-033.28", "85073003328"], wrong: ["85.07.30-033.29"] },
  BR: { valid: ["390.533.447-05", "39053344705"], wrong: ["390.533.447-06", "11111111111"] },
  CH: { valid: ["756.9217.0769.85"], wrong: ["756.9217.0769.84"] },
  DE: { valid: ["36574261809", "36 574 261 809"], wrong: ["36574261890", "12345678901"] },
  ES: { valid: ["54362315K", "X2482300W"], wrong: ["54362315A", "X2482300A"] },
  FR: { valid: ["2 95 10 99 126 111 93", "295109912611193"], wrong: ["295109912611194"] },
  GB: { valid: ["AB 12 34 56 C", "JG121316A"], wrong: ["BG123456A", "AB123456E"] },
  IN: { valid: ["2341 2341 2346"], wrong: ["2341 2341 2347", "1341 2341 2346"] },
  IT: { valid: ["RSSMRA85T10A562S"], wrong: ["RSSMRA85T10A562T"] },
  NL: { valid: ["111222333", "1112.22.333"], wrong: ["111252333", "000000000"] },
  PL: { valid: ["44051401359"], wrong: ["44051401358", "44991401359"] },
  SE: { valid: ["811228-9874", "19811228-9874"], wrong: ["811228-9873", "811328-9874"] },
  US: { valid: ["536-22-1234"], wrong: ["000-22-1234", "666-22-1234", "900-22-1234", "536221234"] },
};

describe.each(ID_COUNTRIES)("national ids of %s", (country) => {
  const { pattern, isValid } = NATIONAL_IDS[country];
  it.each(IDS[country].valid)("finds %s", (id) => {
    const text = `id: ${id};`;
    expect(textsOf(text, rangesOf(text, pattern, isValid))).toEqual([id]);
  });
  it.each(IDS[country].wrong)("does not take %s for one", (id) => {
    expect(rangesOf(`id: ${id};`, pattern, isValid)).toEqual([]);
  });
});
