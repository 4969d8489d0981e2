import { expect, it } from "vitest";
import { createPause } from "./pause.ts";

it("a pause lets others have a turn once a slice of work is done, and then begins the next slice", async () => {
  let ms = 0;
  const pause = createPause(() => ms);
  expect(pause()).toBeUndefined();
  ms = 4;
  expect(pause()).toBeUndefined();
  ms = 5;
  let hadTurn = false;
  setImmediate(() => {
    hadTurn = true;
  });
  await pause();
  expect(hadTurn).toBe(true);
  ms = 9;
  expect(pause()).toBeUndefined();
});
