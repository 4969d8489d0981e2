import { expect, it } from "vitest";
import { createCrowd } from "./crowd.ts";

it("holds each client and all together to their number, and a place that was left is free again", () => {
  const crowd = createCrowd({ perClientMax: 2, totalMax: 3 });
  const leave = crowd.enter("a");
  crowd.enter("a");
  expect(() => crowd.enter("a")).toThrow(expect.objectContaining({ code: "overloaded" }));
  crowd.enter("b");
  expect(() => crowd.enter("c")).toThrow(expect.objectContaining({ code: "overloaded" }));
  leave();
  leave();
  crowd.enter("c");
  expect(() => crowd.enter("d")).toThrow(expect.objectContaining({ code: "overloaded" }));
});
