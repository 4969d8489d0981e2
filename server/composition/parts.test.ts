import { expect, it } from "vitest";
import { createParts } from "./parts.ts";

it("starts parts in order, and stops them in reverse, also after one that failed", async () => {
  const told: string[] = [];
  const part = (name: string) => ({
    name,
    start: () => void told.push(`+${name}`),
    stop: async () => void told.push(`-${name}`),
  });
  const failing = { name: "b", stop: () => Promise.reject(new Error("no")) };
  const parts = createParts([part("a"), failing, part("c")]);
  parts.start();
  await expect(parts.stop()).rejects.toThrow("b did not stop");
  expect(told).toEqual(["+a", "+c", "-c", "-a"]);
});
