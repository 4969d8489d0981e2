import { expect, test } from "vitest";
import { PACKS } from "@/server/packs/registry";
import { searchPacks } from "./search-packs";

const titles = (sought: string) => searchPacks(PACKS.map(asShown), sought).map(({ title }) => title);
const asShown = ({ title, promise, denies, asks, changes }: (typeof PACKS)[number]) => ({
  ...{ title, promise, denies, asks, changes },
  category: "Commands" as const,
});

test("a pack that is named so comes before packs that mention the word", () => {
  expect(titles("git")[0]).toBe("Git safety");
  expect(titles("git").length).toBeGreaterThan(1);
});

test("without words every pack is shown in its order, and unknown words find none", () => {
  expect(titles("  ")).toEqual(PACKS.map(({ title }) => title));
  expect(titles("git nothing-holds-this")).toEqual([]);
});
