import { expect, it } from "vitest";
import { firstReserveWords, formOf, readForm, reserveOf } from "@/components/budgets/form";

it("starts with the dearest call, rounded up to a cent, or with an example that is named as one", () => {
  expect(reserveOf(123_400_001n)).toBe("0.13");
  expect(reserveOf(120_000_000n)).toBe("0.12");
  expect(reserveOf(1n)).toBe("0.01");
  expect(firstReserveWords(1n)).toContain("most expensive call");
  for (const none of [null, 0n]) {
    expect(reserveOf(none)).toBe("0.20");
    expect(firstReserveWords(none)).toBe("No priced call yet: 0.20 is an example.");
  }
});

it("takes a maximum cost of one call only where a rule needs it", () => {
  const form = { ...formOf(null), name: "team", amount: "20" };
  expect(readForm(form)).toMatchObject({ input: { reserveNano: null } });
  expect(readForm({ ...form, isHard: true })).toEqual({ wrongs: { reserve: "Enter the maximum cost of one call." } });
  expect(readForm({ ...form, isHard: true, reserve: "0.13" })).toMatchObject({ input: { reserveNano: 130_000_000n } });
});
