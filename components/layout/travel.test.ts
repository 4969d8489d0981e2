import { expect, test } from "vitest";
import { navPages, tabOf } from "@/components/layout/nav";
import { addressOf, nothingTravels, type Travelling, travellingFrom } from "@/components/layout/travel";

const visit = (address: string, kept: Travelling = nothingTravels): Travelling => {
  const { pathname, searchParams } = new URL(address, "http://deck.example");
  return travellingFrom(tabOf(pathname), searchParams, kept);
};
const linkTo = (href: string, travelling: Travelling): string => {
  const tab = navPages.find((page) => page.href === href);
  return tab ? addressOf(tab, travelling) : "";
};

test("a range travels to pages that have one, across pages that have none", () => {
  const week = visit("/spend?range=7d");
  expect(linkTo("/activity", week)).toBe("/activity?range=7d");
  const later = visit("/policies/0199f3b2-7a1c-7000-8000-000000000000", visit("/agents", week));
  expect(linkTo("/policies", later)).toBe("/policies");
  expect(linkTo("/activity/sessions", later)).toBe("/activity/sessions?range=7d");
  expect(linkTo("/activity", visit("/spend", later))).toBe("/activity");
});

test("the agent in view travels to pages whose filter knows it; other chips and words stay", () => {
  const seen = visit(`/activity?q=${encodeURIComponent('agent:"ci bot" verdict:deny rm -rf')}`);
  expect(seen.terms).toEqual([{ key: "agent", value: "ci bot" }]);
  expect(linkTo("/activity/sessions", seen)).toBe("/activity/sessions?q=agent%3A%22ci+bot%22");
  expect(linkTo("/agents", seen)).toBe("/agents");
  expect(linkTo("/audit", seen)).toBe("/audit");
});

test("a tag is kept while a page does not know it, and a chip that was removed is gone", () => {
  const both = visit("/activity?q=agent:ops", visit("/agents?q=tag:prod"));
  expect(both.terms.map(({ key }) => key)).toEqual(["agent", "tag"]);
  expect(linkTo("/agents", both)).toBe("/agents?q=tag%3Aprod");
  expect(visit("/activity", both).terms).toEqual([{ key: "tag", value: "prod" }]);
});

test("a filter of a thousand chips does not make a link of a thousand chips", () => {
  const many = Array.from({ length: 1_000 }, (_, at) => `agent:a${at}`).join(" ");
  expect(visit(`/activity?q=${encodeURIComponent(many)}`).terms).toHaveLength(10);
});
