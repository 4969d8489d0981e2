import { expect, test } from "vitest";
import { randomToken, uuidv7, uuidv7Ms } from "./ids.ts";

test("ids are version 7 and rise, within a millisecond and when the clock steps back", () => {
  const now = uuidv7Ms(uuidv7()) + 1_000_000;
  const made = Array.from({ length: 10_000 }, (_, index) => uuidv7(index % 3 === 0 ? now : now - 5));
  for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(made).toEqual([...made].sort());
  expect(new Set(made).size).toBe(made.length);
});

test("an id tells when it was made", () => {
  // Ids never fall behind those that this process made before, whatever clock it was given for them.
  const later = uuidv7Ms(uuidv7()) + 2_000_000;
  expect(uuidv7Ms(uuidv7(later))).toBe(later);
});

test("tokens are letters and digits, and never the same", () => {
  const tokens = Array.from({ length: 100 }, () => randomToken("qd_"));
  for (const token of tokens) expect(token).toMatch(/^qd_[0-9A-Za-z]{43}$/);
  expect(new Set(tokens).size).toBe(100);
});
