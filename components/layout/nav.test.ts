import { expect, test } from "vitest";
import { attentionOf } from "@/components/layout/attention";
import { navPages, navPlaces, placeOf, tabOf, titleOf } from "@/components/layout/nav";
import { placeAttention } from "@/components/layout/place-attention";

test("the rail has eight places, and no address, key or count is used twice", () => {
  expect(navPlaces.map(({ label }) => label)).toEqual([
    ...["Home", "Activity", "Approvals", "Policies", "Agents", "Spend", "Audit", "Settings"],
  ]);
  const repeated = (all: readonly string[]) => all.filter((one, at) => all.indexOf(one) !== at);
  expect(repeated(navPages.map(({ href }) => href))).toEqual([]);
  expect(repeated(navPages.flatMap(({ jump }) => jump ?? []))).toEqual([]);
  expect(repeated(navPlaces.flatMap(({ counts }) => counts))).toEqual([]);
});

test("a page of one agent, policy or session belongs to a place and is no tab", () => {
  expect([placeOf("/agents/1")?.label, tabOf("/agents/1")]).toEqual(["Agents", undefined]);
  expect([placeOf("/activity/sessions/timeline")?.label, tabOf("/activity/sessions/timeline")]).toEqual([
    "Activity",
    undefined,
  ]);
  expect(tabOf("/policies/prompts")?.label).toBe("Judges and prompts");
  expect([placeOf("/notices"), placeOf("/agentsx")]).toEqual([undefined, undefined]);
});

test("a page has the title of its tab", () => {
  expect(["/", "/activity", "/approvals", "/policies/prompts", "/settings/health"].map(titleOf)).toEqual([
    ...["Home", "Calls", "Approvals", "Judge prompts", "Health"],
  ]);
});

test("a place's counts are one number, as grave as the worst", () => {
  const nothing = { reviews: 0, agents: null, approvals: 0, unreadNotices: 0 };
  const attention = attentionOf({
    ...nothing,
    alerts: { firing: 1, isCritical: true },
    health: { failures: 0, warnings: 2 },
  });
  expect(placeAttention(["alerts", "health"], attention)).toEqual({
    ...{ count: 3, words: "1 alert firing, 2 findings", tone: "danger" },
  });
  expect(placeAttention(["approvals"], attention)).toBeNull();
});
