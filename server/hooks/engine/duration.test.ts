import { expect, it } from "vitest";
import { goTrim } from "../contract/trim.ts";
import { goDuration } from "./duration.ts";

it("prints a length of time as Go does", () => {
  expect([500, 1_000, 60_000, 90_000, 3_600_000, 3_661_000].map(goDuration)).toEqual([
    "500ms",
    "1s",
    "1m0s",
    "1m30s",
    "1h0m0s",
    "1h1m1s",
  ]);
});

it("trims what Go calls white space and nothing else", () => {
  expect(goTrim("\u0085\u00a0\t x \u2003\n")).toBe("x");
  expect(goTrim("\ufeffx")).toBe("\ufeffx");
  expect(goTrim(" \n ")).toBe("");
});
