import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";
import { LONG_EVENTS, reportLongSession } from "./fixtures/long-session.ts";
import { sender } from "./fixtures/sender.ts";
import { TimelinePage } from "./pages/timeline.ts";

test("a session of 10,000 events opens at any of them by its link", async ({ page, api }) => {
  const agent = fresh("marathon");
  const sessionId = `${agent}/../?é`;
  await reportLongSession({ url: api.url, key: await api.key(agent), sessionId });
  await page.goto(`/activity/sessions?range=all&q=${encodeURIComponent(`agent:"${agent}"`)}`);
  const row = page.getByRole("grid", { name: "sessions" }).getByRole("row").filter({ hasText: "1,999" });
  await expect(row).toContainText("1,799 of 1,999");
  await row.getByRole("link", { name: /build everything/ }).click();
  const timeline = new TimelinePage(page);
  await expect(timeline.strip).toHaveAttribute("aria-valuemax", String(LONG_EVENTS + 2));
  expect(new URL(page.url()).searchParams.get("session")).toBe(sessionId);
  const address = page.url();
  await expect(page.getByRole("heading", { name: "build everything" })).toBeVisible();
  await expect(timeline.story.getByRole("link", { name: "Sub-session of" })).toBeVisible();
  await timeline.story.getByRole("button", { name: "Unfold shell" }).first().click();
  await expect(timeline.story.getByText("on_tool_approval_decision").first()).toBeVisible();
  await page.getByRole("navigation", { name: "Chapters" }).getByRole("button", { name: "Denial" }).first().click();
  await expect(timeline.story.locator("[aria-current=true]")).toContainText("Denied");
  await expectAccessible(page);

  await page.getByRole("button", { name: "Raw events" }).click();
  await expect(page).toHaveURL(/raw=1/);
  await timeline.open(`${address}&raw=1`);
  await expect(page.getByRole("button", { name: /Fold the sub-session of/ })).toBeVisible();

  await timeline.strip.press("End");
  await expect(timeline.at(LONG_EVENTS + 2)).toContainText("turn_end");
  await expect(timeline.at(LONG_EVENTS + 2)).toContainText("≥ $1.80");
  await page.getByRole("button", { name: "Next denial" }).click();
  await expect(timeline.current).toContainText("Denied");
  await timeline.current.getByRole("button", { name: /^Open / }).click();
  await expect(timeline.drawer).toContainText("make 1999");
  await page.keyboard.press("Escape");
  await expect(timeline.drawer).toBeHidden();
  await expect(page).not.toHaveURL(/details=/);
  await timeline.walk("p", "n");
  await expect(timeline.current).toContainText("make 1599");
  const link = page.url();
  await timeline.open(link);
  await expect(timeline.current).toContainText("make 1599");
  await expect(timeline.current).toBeInViewport();
  await expect(timeline.current).toContainText("≥ $1.44");

  await page.getByRole("button", { name: "Model calls" }).click();
  await expect(timeline.strip).toHaveAttribute("aria-valuemax", "2001");
  await expectAccessible(page);
});

test("sessions are found by words of their titles, on a phone too", async ({ page, api }) => {
  const { send } = await sender(api, fresh("shop"));
  await send("user_prompt_submit", { session_id: "s-1", prompt: "Repair the checkout page of the shop" });
  await send("user_prompt_submit", { session_id: "s-2", prompt: "Write the release notes" });
  await page.goto("/activity/sessions?q=checkout");
  const rows = page.getByRole("grid", { name: "sessions" }).getByRole("row");
  await expect(rows.filter({ hasText: "Repair the checkout page" })).toBeVisible();
  await expect(rows.filter({ hasText: "release notes" })).toHaveCount(0);
  await expectAccessible(page);
  await page.goto("/activity/sessions?q=checkout+basket");
  await expect(page.getByText("No session matches")).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/activity/sessions?q=RELEASE");
  await expect(page.getByText("Write the release notes")).toBeVisible();
  await expect(page.getByText("checkout page")).toHaveCount(0);
  await expectAccessible(page);
});

test("on a phone the table that the server sends is not wider than the page", async ({ page, api, browser }) => {
  await (await sender(api, "phone")).send("session_start", { source: "startup" });
  const storageState = await page.context().storageState();
  const options = { storageState, baseURL: api.url, javaScriptEnabled: false, viewport: { width: 390, height: 844 } };
  const still = await (await browser.newContext(options)).newPage();
  await still.goto("/activity/sessions");
  await expect(still.getByRole("heading", { level: 1, name: "Sessions" })).toBeVisible();
  const tooWide = await still.evaluate(
    () => [...document.querySelectorAll("table")].filter(({ offsetWidth }) => offsetWidth > window.innerWidth).length,
  );
  expect(tooWide).toBe(0);
  await still.context().close();
});
