import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { repetitions } from "../../e2e/fixtures/long-run.ts";
import { type Cost, formatUsd, parseCost } from "./money.ts";

const read = (digits: string): Cost => {
  const cost = parseCost(digits);
  if (typeof cost === "string") throw new Error(`${digits}: ${cost}`);
  return cost;
};

/** The number that `whole.fraction * 10^exponent` says, in nano-dollars and half up, by integer arithmetic alone. */
function nanoByArithmetic(whole: string, fraction: string, exponent: number): bigint {
  const power = 9 + exponent - fraction.length;
  const digits = BigInt(whole + fraction);
  if (power >= 0) return digits * 10n ** BigInt(power);
  const unit = 10n ** BigInt(-power);
  return (digits * 2n + unit) / (unit * 2n);
}

const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: min, maxLength: max });
/** Any spelling JSON allows of a number under a million. */
const spelled = fc
  .record({
    whole: digits(1, 6).map((text) => text.replace(/^0+(?=.)/, "")),
    fraction: fc.option(digits(1, 40), { nil: "" }),
    exponent: fc.integer({ min: -60, max: 0 }),
    letter: fc.constantFrom("e", "E"),
    isBare: fc.boolean(),
  })
  .map(({ whole, fraction, exponent, letter, isBare }) => {
    const power = isBare ? 0 : exponent;
    const text = `${whole}${fraction === "" ? "" : `.${fraction}`}${isBare ? "" : `${letter}${power}`}`;
    return { text, whole, fraction, power };
  });

describe("a cost", () => {
  test("is what integer arithmetic says, whatever the spelling", () => {
    fc.assert(
      fc.property(spelled, ({ text, whole, fraction, power }) => {
        expect(read(text).nano).toBe(nanoByArithmetic(whole, fraction, power));
      }),
      { numRuns: repetitions(500, 10_000) },
    );
  });

  test("keeps every digit in plain decimals", () => {
    fc.assert(
      fc.property(spelled, ({ text, whole, fraction, power }) => {
        const { usd } = read(text);
        expect(usd).toMatch(/^\d+(\.\d+)?$/);
        const [left = "", right = ""] = usd.split(".");
        const shift = 120;
        const plainly = BigInt(left + right) * 10n ** BigInt(shift - right.length);
        expect(plainly).toBe(BigInt(whole + fraction) * 10n ** BigInt(shift + power - fraction.length));
      }),
      { numRuns: repetitions(500, 10_000) },
    );
  });

  test("read back from its own nano-dollars is the same", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (nano) => {
        expect(read(formatUsd(nano)).nano).toBe(nano);
      }),
    );
  });

  test.each([
    ["0.0000000005", 1n],
    ["0.00000000049999999999999999999999", 0n],
    ["0.0000000015", 2n],
    ["0.0000000025", 3n],
    ["5e-10", 1n],
    ["4.9e-10", 0n],
    ["0.99999999950", 1_000_000_000n],
    ["0.0052101000000000005", 5_210_100n],
    ["1.5E+3", 1_500_000_000_000n],
    ["999999.9999999994", 999_999_999_999_999n],
    ["1e-399", 0n],
  ])("%s is rounded half up to %s nano-dollars", (text, nano) => {
    expect(read(text).nano).toBe(nano);
  });

  test.each(["0", "-0", "0.0", "-0.000", "0e5", "-0E-9", "0e999999999999", "0.0e-400"])(
    "%s is free, and nothing else is",
    (text) => {
      expect(read(text)).toEqual({ nano: 0n, usd: "0" });
    },
  );

  test("too small to see is not free", () => {
    expect(read("1e-30")).toEqual({ nano: 0n, usd: `0.${"0".repeat(29)}1` });
  });

  test.each([
    "-1",
    "-0.0000001",
    "-1e-300",
    "1000000",
    "1e6",
    "1e400",
    "1e999999999999999999",
    "1e-500",
    `0.${"1".repeat(1_001)}`,
  ])("%s is no cost, and the reason says so", (text) => {
    expect(parseCost(text)).toMatch(/^cost /);
  });

  test.each([
    "",
    '"1"',
    "null",
    "true",
    "NaN",
    "Infinity",
    "1.",
    ".5",
    "+1",
    "0x10",
    "1_000",
    "1,5",
    "[]",
    "{}",
    " 1",
    "1 ",
    "--1",
    "1e",
    "٣",
  ])("%j is not a number", (text) => {
    expect(parseCost(text)).toBe("cost must be a number");
  });

  test("beyond what a float can tell apart is told apart", () => {
    expect(read("123456.123456789").nano).toBe(123_456_123_456_789n);
    expect(read("123456.123456788").nano).toBe(123_456_123_456_788n);
    expect(read("0.30000000000000004").usd).toBe("0.30000000000000004");
  });
});

test.each([
  [0n, "0"],
  [1n, "0.000000001"],
  [18_251_961_710n, "18.25196171"],
  [1_000_000_000n, "1"],
  [10_000_000_000_000_000_000n, "10000000000"],
] as const)("%s nano-dollars are spelled %s", (nano, usd) => {
  expect(formatUsd(nano)).toBe(usd);
});
