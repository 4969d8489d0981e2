import { expect, it } from "vitest";
import { createLogFolding } from "./log-folding.ts";

it("admits one line for each span of quiet, and says how many it stands for", () => {
  let now = 0;
  const folding = createLogFolding(1_000, () => now);
  expect([folding.admit("a"), folding.admit("a"), folding.admit("a"), folding.admit("b")]).toEqual([0, null, null, 0]);
  now = 1_000;
  expect([folding.admit("a"), folding.admit("b")]).toEqual([2, 0]);
});
