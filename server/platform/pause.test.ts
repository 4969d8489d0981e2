import { expect, it } from "vitest";
import { createPause } from "./pause.ts";

it("a pause lets others have a turn once a slice of work is done, and then begins the next slice", async () => {
  let ms = 0;
  const pause = createPause(() => ms);
  expect(pause()).toBeUndefined();
  ms = 8;
  expect(pause()).toBeUndefined();
  ms = 9;
  let hadTurn = false;
  setImmediate(() => {
    hadTurn = true;
  });
  await pause();
  expect(hadTurn).toBe(true);
  ms = 17;
  expect(pause()).toBeUndefined();
});
