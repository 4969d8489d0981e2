import { expect, test } from "vitest";
import { decimalOf, plus, textOf, ZERO } from "./decimal.ts";

test("sums keep every digit and drop only trailing zeros", () => {
  const sum = ["0.1", "0.2", "18.25196171000000004296", "3"].map(decimalOf).reduce(plus, ZERO);
  expect(textOf(sum)).toBe("21.55196171000000004296");
  expect(textOf(plus(decimalOf("0.5"), decimalOf("1.50")))).toBe("2");
  expect(textOf(ZERO)).toBe("0");
});
