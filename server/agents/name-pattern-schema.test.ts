import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesPattern, namePattern } from "./name-pattern-schema.ts";

describe("a name pattern", () => {
  it.each([
    ["prod-*", "prod-", true],
    ["prod-*", "prod-eu-1", true],
    ["prod-*", "Prod-eu-1", false],
    ["prod-*", "my prod-eu", false],
    ["*-eu-?", "prod-eu-1", true],
    ["*-eu-?", "prod-eu-12", false],
    ["*-eu-?", "prod-eu-", false],
    ["a.c", "abc", false],
    ["a.c", "a.c", true],
    ["*a*b*", "xxaxxbxx", true],
    ["*a*b*", "xxbxxaxx", false],
    ["*ab", "aab", true],
    ["?", "ü", true],
    ["?", "𝔸", true],
    ["??", "𝔸", false],
    ["*", "anything", true],
    ["exact", "exact", true],
    ["exact", "exactly", false],
  ])("%s against %s: %s", (pattern, name, isMatch) => {
    expect(matchesPattern(pattern, name)).toBe(isMatch);
  });

  it("matches as the same regular expression does", () => {
    const some = (letters: string) =>
      fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((characters) => characters.join(""));
    fc.assert(
      fc.property(some("ab*?."), some("ab."), (pattern, name) => {
        const text = pattern.replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll("?", ".");
        expect(matchesPattern(pattern, name)).toBe(new RegExp(`^${text}$`, "u").test(name));
      }),
      { numRuns: 2_000 },
    );
  });

  it("ends at once, however many stars it has", () => {
    const name = "a".repeat(64);
    const from = performance.now();
    expect(matchesPattern("*".repeat(200), name)).toBe(true);
    expect(matchesPattern(`${"*a".repeat(99)}*b`, name)).toBe(false);
    expect(matchesPattern(`${"*".repeat(199)}b`, name)).toBe(false);
    expect(performance.now() - from).toBeLessThan(1_000);
  });

  it("is of the characters of names, and not longer than 200", () => {
    const accepts = (text: string) => namePattern.safeParse(text).success;
    expect(["prod-*", " über ?", "*".repeat(200)].map(accepts)).toEqual([true, true, true]);
    expect(["", "  ", "a/b", "a\0", "[ab]*", "*".repeat(201)].filter(accepts)).toEqual([]);
    expect(namePattern.parse(" prod-* ")).toBe("prod-*");
  });
});
