import { expect, it } from "vitest";
import { singleProcess } from "../platform/worker-rpc.ts";
import { createGrowingDelay, delayMs, networkOf } from "./growing-delay.ts";

it("the first failures cost nothing, the later ones more and more, up to a quarter of an hour", () => {
  expect([1, 4, 5, 6, 7, 10].map(delayMs)).toEqual([0, 0, 1_000, 2_000, 4_000, 32_000]);
  expect(delayMs(1_000)).toBe(900_000);
});

it("keeps one key waiting and no other, until its time is over or it succeeds", async () => {
  let nowMs = 0;
  const delay = createGrowingDelay(singleProcess(), "test", () => nowMs);
  for (let failure = 0; failure < 6; failure++) delay.failed("a");
  await Promise.resolve();
  expect(() => delay.check("a")).toThrow(/Too many failed attempts/);
  delay.check("b");
  nowMs = 2_000;
  delay.check("a");
  delay.failed("a");
  await Promise.resolve();
  expect(() => delay.check("a")).toThrow();
  delay.succeeded("a");
  await Promise.resolve();
  delay.check("a");
});

it("an IPv6 address counts as its network, which its holder changes addresses in at will", () => {
  expect(networkOf("2001:db8:1:2:aaaa::1")).toBe(networkOf("2001:db8:1:2::ffff"));
  expect(networkOf("2001:db8:1:2::1")).not.toBe(networkOf("2001:db8:1:3::1"));
  expect(networkOf("192.0.2.1")).toBe("192.0.2.1");
  expect(networkOf(null)).toBe("");
});
