import { setImmediate as breathe } from "node:timers/promises";
import { expect, it } from "vitest";
import { createGather } from "./gather.ts";

it("asks at once, and takes together what comes meanwhile, each workspace for itself", async () => {
  const asked: string[] = [];
  const gather = createGather(3, async (workspaceId, items: readonly number[]) => {
    asked.push(`${workspaceId}: ${items.join(" ")}`);
    await breathe();
    return items.map((item) => item * 10);
  });
  const answers = await Promise.all([1, 2, 3, 4, 5].map((item) => gather("a", item)).concat(gather("b", 6)));
  expect(answers).toEqual([10, 20, 30, 40, 50, 60]);
  expect(asked.toSorted()).toEqual(["a: 1", "a: 2 3 4", "a: 5", "b: 6"]);
});

it("fails for those that it asked together, and goes on", async () => {
  const gather = createGather(8, async (_workspaceId, items: readonly string[]) => {
    if (items.includes("bad")) throw new Error("away");
    return items.includes("short") ? [] : items;
  });
  expect(await Promise.allSettled([gather("a", "good"), gather("a", "bad")])).toMatchObject([
    { status: "fulfilled", value: "good" },
    { status: "rejected", reason: { message: "away" } },
  ]);
  await expect(gather("a", "short")).rejects.toThrow("1 asked, 0 answered");
  expect(await gather("a", "again")).toBe("again");
});
