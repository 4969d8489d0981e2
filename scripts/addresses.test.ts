/** Links of earlier versions, in mails, chats and bookmarks, lead to the page that shows the same now. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { navPages, placeOf, tabOf } from "../components/layout/nav.ts";
import { FORMER_ADDRESSES, presentAddress } from "../server/platform/former-addresses.ts";
import { ROOT } from "./project.mjs";

const ID = "0199f3b2-7a1c-7000-8000-000000000000";

/** Every address that a page, a mail, a chat or a webhook of an earlier version named. */
const LINKS: readonly (readonly [former: string, present: string])[] = [
  ["/decisions", "/activity"],
  ["/decisions?q=verdict%3Adeny+tool%3Ashell&range=7d", "/activity?q=verdict%3Adeny+tool%3Ashell&range=7d"],
  ["/decisions?view=calls&range=1h", "/activity?view=calls&range=1h"],
  ["/decisions?view=settled&which=refused", "/activity/approval-paths?which=refused"],
  ["/decisions?view=rules", "/policies/performance"],
  ["/decisions?view=rules&policy=git+safety&range=30d", "/policies/performance?policy=git+safety&range=30d"],
  ["/sessions?q=agent%3Aops", "/activity/sessions?q=agent%3Aops"],
  [`/sessions/timeline?agent=${ID}&session=a%2Fb`, `/activity/sessions/timeline?agent=${ID}&session=a%2Fb`],
  ["/compactions?view=trends&range=7d", "/activity/compactions?view=trends&range=7d"],
  [`/approvals?except=1795300000000.${ID}`, `/approvals/exceptions?except=1795300000000.${ID}`],
  ["/policies?packs=1", "/policies/packs"],
  ["/policies?reviews=all", "/policies/reviews?reviews=all"],
  [`/policies?review=${ID}`, `/policies/reviews?review=${ID}`],
  ["/judges?view=calls&q=verdict%3Adeny", "/policies/judges?view=calls&q=verdict%3Adeny"],
  ["/judges/prompts", "/policies/prompts"],
  [`/judges/prompts/${ID}?view=trials`, `/policies/prompts/${ID}?view=trials`],
  ["/costs", "/spend"],
  ["/costs?view=calls&range=all&open=1", "/spend?view=calls&range=all&open=1"],
  ["/costs?view=groups&by=day", "/spend?view=groups&by=day"],
  ["/costs?view=sessions", "/spend?view=sessions"],
  ["/costs?view=statements&month=2026-10", "/spend?view=statements&month=2026-10"],
  ["/costs?view=prices&range=7d", "/spend/prices?range=7d"],
  [`/budgets?open=${ID}`, `/spend/budgets?open=${ID}`],
  ["/audit?view=keeping", "/audit/proof"],
  ["/audit?view=keeping&do=hold", "/settings/data?view=keeping&do=hold"],
  ["/halts", "/audit/halts"],
  ["/alerts?edit=new", "/settings/alerts?edit=new"],
  ["/health", "/settings/health"],
  ["/notices?view=choices", "/settings/notifications"],
  ["/notices?view=routes", "/settings/alerts"],
  ["/settings?tab=profile", "/settings"],
  ["/settings?tab=people&do=invite", "/settings/people?do=invite"],
  ["/settings?tab=services", "/settings/people"],
  ["/settings?tab=approvals", "/approvals/answerers"],
  ["/settings?tab=calendar", "/settings/calendar"],
  ["/settings?tab=sign-on", "/settings/sign-on"],
  ["/settings?tab=mail", "/settings/sign-on"],
  ["/settings?tab=webhooks&do=create", "/settings/webhooks?do=create"],
  ["/settings?tab=health", "/settings/health"],
];

const pathOf = (address: string): string => address.split("?")[0] ?? "";
const hasPage = (path: string): boolean =>
  existsSync(join(ROOT, "app/(console)", path.replace(ID, "[promptId]"), "page.tsx"));

test.each(LINKS)("%s is now %s", (former, present) => {
  expect(presentAddress(former)).toBe(present);
  expect(hasPage(pathOf(present))).toBe(true);
  expect(placeOf(pathOf(present))).toBeDefined();
});

test("each former address is in the list above, and a present address leads nowhere else", () => {
  const listed = new Set(LINKS.map(([former]) => FORMER_ADDRESSES.find((row) => isRowOf(row, former))));
  expect(FORMER_ADDRESSES.filter((row) => !listed.has(row))).toEqual([]);
  for (const { href } of navPages) expect([href, presentAddress(href)]).toEqual([href, null]);
  for (const [, present] of LINKS) expect([present, presentAddress(present)]).toEqual([present, null]);
});

test.each([
  "/sessions/",
  "/decisionsx",
  "/policies?packs=2",
  "/settings?tab=nothing",
  "/notices",
  "/approvals#QD-1",
  `/policies/${ID}?review=1`,
])("%s stays as it is", (address) => {
  expect(presentAddress(address)).toBeNull();
});

test("an address cannot lead to another host", () => {
  expect(presentAddress("/sessions//evil.example")).toBe("/activity/sessions//evil.example");
  expect(presentAddress("/judges/prompts/\\evil.example")).toBe("/policies/prompts/\\evil.example");
});

test("every page of the navigation exists, and its tab is found by its address", () => {
  for (const { href } of navPages) {
    expect([href, hasPage(pathOf(href))]).toEqual([href, true]);
    const place = placeOf(pathOf(href));
    if (place?.tabs.some((tab) => tab.href === href)) expect(tabOf(href)?.href).toBe(href);
  }
});

type Row = (typeof FORMER_ADDRESSES)[number];

/** True if the address is one of the row: the first row that matches decides. */
function isRowOf(row: Row, address: string): boolean {
  const first = FORMER_ADDRESSES.find((one) => matches(one, address));
  return first === row;
}

function matches({ from, having = {} }: Row, address: string): boolean {
  const path = pathOf(address);
  const params = new URLSearchParams(address.split("?")[1] ?? "");
  const isPath = from.endsWith("/") ? path.startsWith(from) : path === from;
  return (
    isPath && Object.entries(having).every(([name, value]) => (value ? params.get(name) === value : params.has(name)))
  );
}
