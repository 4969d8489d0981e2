import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repetitions } from "../../../../../e2e/fixtures/long-run.ts";
import { REDACTED, redactText } from "./redact.ts";
import { SECRET_RULES } from "./rules/all.ts";
import { an, hex, lower, SAMPLES, uuid } from "./samples.ts";

describe("what is taken out", () => {
  it.each(SAMPLES.map((sample) => [sample.name, sample] as const))("%s, and nothing around it", (_name, sample) => {
    const { before, secret, after } = sample;
    expect(redactText(before + secret + after)).toBe(before + REDACTED + after);
  });

  it("finds a token that is glued to other text, and tells neighbours apart", () => {
    const [one, two] = [["gh", "p_", an(36)].join(""), ["AKI", "AQAAAAAAAABCDEF27"].join("")];
    expect(redactText(`x${two}x`)).toBe(`x${REDACTED}x`);
    expect(redactText(one + one)).toBe(REDACTED + REDACTED);
    expect(redactText(`${one}${two}`)).toBe(REDACTED + REDACTED);
  });

  it("finds a key whose end was cut off", () => {
    const begin = ["-----BEG", "IN PRIV", "ATE KEY-----"].join("");
    expect(redactText(`${begin}\n${an(64)}\n${an(64)}\n`)).toBe(begin + REDACTED);
  });
});

const jwt = (header: string) => [header, '{"sub":"x"}', "s"].map((part) => Buffer.from(part).toString("base64url"));

describe("what stays", () => {
  it.each([
    ["a commit", `commit ${hex(40)}`],
    ["a UUID", `request ${uuid()}`],
    ["a digest", `sha256:${hex(64)}`],
    ["a token that is too short", ["gh", "p_", an(20)].join("")],
    ["a publishable key", ["pk", "_live_", an(24)].join("")],
    ["a public key", `-----BEGIN PUBLIC KEY-----\n${an(64)}\n-----END PUBLIC KEY-----`],
    ["a certificate", `-----BEGIN CERTIFICATE-----\n${an(64)}\n-----END CERTIFICATE-----`],
    ["an unsigned JWT", jwt('{"alg":"none"}').join(".")],
    ["three parts that are no JWT", `${an(20)}.ey${an(20)}.${an(20)}`],
    ["a place holder for a password", `postgres://app:${"$"}{PASSWORD}@db/x mysql://a:<password>@b redis://:%s@c`],
    ["an address without a password", "postgres://app@db.example.com:5432/x?user=a@b.example"],
    ["a word about a vendor", "The adobe token: see the documentation of facebook, and linkedin = professional"],
    ["a marker", `token is ${REDACTED} and key=${REDACTED}`],
  ])("%s", (_name, text) => {
    expect(redactText(text)).toBe(text);
  });
});

/** Secrets, pieces of secrets and ordinary text in any order, glued or not. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...SAMPLES).map(({ before, secret, after }) => before + secret + after),
      fc.constantFrom(...SAMPLES).map(({ secret }) => secret),
      fc.constantFrom(...SAMPLES).chain(({ secret }) => fc.nat(secret.length).map((end) => secret.slice(0, end))),
      fc.constantFrom(...SECRET_RULES.flatMap(({ keywords }) => keywords)),
      fc.constantFrom(REDACTED, "[", "]", "@", ":", "/", " ", "\n", '"', "\\n", "=", ".", "-", "é", "\u{1f511}"),
      fc.integer({ min: 1, max: 80 }).map(lower),
      fc.string({ maxLength: 12 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

describe("whatever the text", () => {
  it("redacts once: a second pass finds nothing", () => {
    fc.assert(
      fc.property(text, (value) => {
        const once = redactText(value);
        expect(redactText(once)).toBe(once);
      }),
      { numRuns: repetitions(500, 10_000) },
    );
  });

  it("never lets what was redacted grow: around every marker stands what stood there before", () => {
    fc.assert(
      fc.property(text, (value) => {
        let from = 0;
        for (const kept of redactText(value).split(REDACTED)) {
          const at = value.indexOf(kept, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + kept.length;
        }
      }),
      { numRuns: repetitions(250, 5_000) },
    );
  });

  it("finds every secret that stands apart, whatever is around it", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...SAMPLES), fc.string(), (before, sample, after) => {
        const whole = `${before}\n${sample.before}${sample.secret}${sample.after}\n${after}`;
        expect(redactText(whole)).not.toContain(sample.secret);
      }),
      { numRuns: repetitions(250, 5_000) },
    );
  });

  it("takes text made of beginnings of secrets for secrets instead of looking for ever", () => {
    const beginning = ["glp", "at-"].join("");
    const safe = redactText(beginning.repeat(100_000));
    expect(safe.length).toBeLessThan(100_000);
  });
});
