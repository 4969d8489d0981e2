/** The time zone of days and months: chosen, announced, taken back, on record, and named where days are shown. */
import { expect, expectAccessible, test } from "./fixtures/console.ts";

test("an owner sets the time zone, sees from when on it counts, and takes it back", async ({ page, api }) => {
  await page.goto("/settings/calendar");
  const save = page.getByRole("button", { name: "Save time zone" });
  await expect(save).toBeDisabled();
  await page.getByRole("combobox", { name: "Time zone" }).click();
  await page.getByPlaceholder("Search by city or continent").fill("new york");
  await expectAccessible(page);
  await page.getByRole("option", { name: "America/New_York" }).click();
  await save.click();
  await expect(page.getByText("days begin at midnight in America/New_York")).toBeVisible();
  const { timeZone, next } = await api.query("calendar.view");
  expect({ timeZone, next: next?.timeZone }).toEqual({ timeZone: "UTC", next: "America/New_York" });

  await page.getByRole("combobox", { name: "Time zone" }).click();
  await page.getByPlaceholder("Search by city or continent").fill("utc");
  await page.getByRole("option", { name: "UTC", exact: true }).click();
  await save.click();
  await expect(page.getByText("days begin at midnight in America/New_York")).toBeHidden();
  expect(await api.query("calendar.view")).toMatchObject({ timeZone: "UTC", next: null });
  await page.goto("/audit");
  await expect(page.getByText(/set the time zone of days and months from UTC to America\/New_York/)).toBeVisible();
});

test("pages of days and months name the zone that they are counted in", { tag: "@proof" }, async ({ page, api }) => {
  await api.mutate("budgets.create", {
    ...{ name: "daily", about: { scope: "workspace" }, period: "day", isHard: false, thresholds: [], unpriced: "pass" },
    ...{ amountNano: 1_000_000_000n, reserveNano: null },
  });
  await page.goto("/spend/budgets");
  await expect(page.getByText("Days and months in UTC")).toBeVisible();
  await page.getByRole("button", { name: "daily" }).click();
  await expect(page.getByRole("dialog").getByText(/ in UTC, ends /)).toBeVisible();
  await page.goto("/spend?view=groups&by=day");
  await expect(page.getByText("Days in UTC")).toBeVisible();
  await page.goto("/spend?view=statements");
  await expect(page.getByText("Month in UTC")).toBeVisible();
});

test("clock times are in the zone that a person chose, after a reload too", async ({ page }) => {
  await page.goto("/settings");
  const zone = page.getByRole("combobox", { name: "Time zone" });
  await zone.click();
  await page.getByPlaceholder("Search by city or continent").fill("kolkata");
  await page.getByRole("option", { name: "Asia/Kolkata" }).click();
  await expect(zone).toHaveText("Asia/Kolkata");
  await page.goto("/activity");
  await page.getByRole("button", { name: /^Time range/ }).click();
  await expect(page.getByText("Days and clock times: Asia/Kolkata, UTC+5:30")).toBeVisible();
});
