import { expect, test } from "vitest";
import { createStartingGates } from "./starting-gates.ts";

test("the oldest gate that has not begun is the measure, in whatever order they begin", () => {
  let nowMs = 1_000;
  const gates = createStartingGates(() => nowMs);
  expect(gates.oldestMs).toBe(0);
  const first = gates.enter();
  nowMs += 30;
  const second = gates.enter();
  const third = gates.enter();
  nowMs += 10;
  expect(gates.oldestMs).toBe(40);
  second();
  expect(gates.oldestMs).toBe(40);
  first();
  first();
  expect(gates.oldestMs).toBe(10);
  third();
  expect(gates.oldestMs).toBe(0);
});
