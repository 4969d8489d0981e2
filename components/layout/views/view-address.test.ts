import { expect, test } from "vitest";
import { viewAddress } from "@/components/layout/views/view-address";

test.each([
  ["decisions", "q=verdict%3Adeny", "/activity?q=verdict%3Adeny"],
  ["decisions", "", "/activity"],
  ["decisions", "view=rules&policy=a", "/policies/performance?policy=a"],
  ["decisions", "view=settled", "/activity/approval-paths"],
  ["costs", "view=prices&range=7d", "/spend/prices?range=7d"],
  ["costs", "view=groups&by=day", "/spend?view=groups&by=day"],
  ["rules", "range=7d", "/policies/performance?range=7d"],
] as const)("a saved view of %s with %j is at %s", (page, query, address) => {
  expect(viewAddress({ page, query })).toBe(address);
});
