/** The eight places: tabs, former addresses, the range that travels, the inbox by keys, and the rail on a phone. */
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";

const PLACES = ["Home", "Activity", "Approvals", "Policies", "Agents", "Spend", "Audit", "Settings"];

test("eight places have tabs, the range travels with their links, and former addresses keep their filter", async ({
  page,
}) => {
  await page.goto("/costs?range=7d");
  await expect(page).toHaveURL(/\/spend\?range=7d$/);
  const rail = page.getByRole("navigation", { name: "Pages" });
  expect(await rail.getByRole("link").allInnerTexts()).toEqual(PLACES);
  await rail.getByRole("link", { name: "Activity" }).click();
  await expect(page).toHaveURL(/\/activity\?range=7d$/);
  const tabs = page.getByRole("navigation", { name: "Activity tabs" });
  await expect(tabs.getByRole("link", { name: "Calls" })).toHaveAttribute("aria-current", "page");
  await tabs.getByRole("link", { name: "Sessions" }).click();
  await expect(page).toHaveURL(/\/activity\/sessions\?range=7d$/);
  await expect(page.getByRole("heading", { name: "Sessions", level: 1 })).toBeVisible();
  await expectAccessible(page);
  // Across a page without a range.
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await expect(page).toHaveURL(/\/policies$/);
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await expect(page).toHaveURL(/\/spend\?range=7d$/);

  await page.goto("/decisions?q=agent%3Aops&view=rules");
  await expect(page).toHaveURL(/\/policies\/performance\?q=agent%3Aops$/);
  await expect(page.getByRole("heading", { name: "Rule performance", level: 1 })).toBeVisible();
});

test("the palette knows the words that people search for, and a request by its number", async ({ page, api }) => {
  await page.goto("/agents");
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await page.keyboard.press("ControlOrMeta+k");
  for (const [typed, option] of [
    ["notifications", /^Notifications/],
    ["api key", /^Create a key/],
    ["kill switch", /^Stop agents/],
    ["logout", /^Sign out/],
    ["help", /^Show keyboard shortcuts/],
    ["slack", /^New webhook/],
    ["delete data", /^Data lifecycle/],
    ["timezone", /^Calendar/],
    ["force", /^Policies/],
    ["export", /^Evidence files/],
  ] as const) {
    await palette.getByRole("combobox").fill(typed);
    await expect(palette.getByRole("option", { name: option }).first()).toBeVisible();
  }
  const name = fresh("asks");
  const source = `hooks:\n  pre_tool_use:\n    - hooks: [{ type: builtin, command: ask_a_person, args: ["Sure?"] }]\n`;
  await api.mutate("policies.create", { name });
  await api.mutate("policies.publishByName", { name, source });
  const asked = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${await api.key(fresh("worker"))}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", tool_name: "shell", tool_use_id: fresh("c"), tool_input: { cmd: "ls" } }),
  });
  const [number = ""] = /QD-\d+/.exec(await asked.text()) ?? [];
  await palette.getByRole("combobox").fill(number.toLowerCase());
  await palette.getByRole("option", { name: new RegExp(`^${number}`) }).click();
  await expect(page).toHaveURL(new RegExp(`/approvals#${number}$`));

  // On a phone the menu button says what waits behind it.
  await page.setViewportSize({ width: 390, height: 844 });
  const menu = page.getByRole("button", { name: "Open the menu: 1 call to answer" });
  await expect(menu).toBeVisible();
  await expectAccessible(page);
});

test("a notice is read, archived, taken back and snoozed in the inbox, by keys", async ({ page, api }) => {
  await page.goto("/settings/notifications");
  await page.getByRole("button", { name: "Send test" }).click();
  await page.getByRole("link", { name: "Inbox: 1 unread notice" }).click();
  const rows = page.getByRole("list", { name: "Notices" }).getByRole("listitem");
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText("unread");
  await expectAccessible(page);
  await page.keyboard.press("j");
  await page.keyboard.press("e");
  await expect(page.getByText("No notifications")).toBeVisible();
  await expect(page.getByRole("link", { name: "Inbox", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rows).toHaveCount(1);
  await page.keyboard.press("j");
  await page.keyboard.press("h");
  await expect(page.getByText("No notifications")).toBeVisible();
  await page.getByRole("radio", { name: "Snoozed" }).click();
  await expect(rows).toHaveCount(1);
  await page.getByRole("button", { name: /^Archive / }).click();
  await page.getByRole("radio", { name: "Archived" }).click();
  await expect(rows).toHaveCount(1);
  await expectAccessible(page);
  expect((await api.query("attention.counts")).unreadNotices).toBe(0);
});
