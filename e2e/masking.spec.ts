import type { Page } from "@playwright/test";
import { expect, expectAccessible, type Script, test } from "./fixtures/console.ts";
import { sender } from "./fixtures/sender.ts";
import { address, invite, join, stranger } from "./pages/accounts.ts";

const patternField = (page: Page) => page.getByLabel("Pattern 1", { exact: true });

async function saveMasking(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save masking", exact: true }).click();
}

async function callWith(api: Script, agent: string, command: string): Promise<void> {
  const { send } = await sender(api, agent);
  await send("pre_tool_use", { session_id: agent, tool_name: "shell", tool_input: { cmd: command, pin: "pin-4711" } });
}

test("an owner tries and saves a mask, and the next call is stored and shown without the match", async ({
  page,
  api,
}) => {
  await page.goto("/settings/data");
  await page.getByRole("button", { name: "Add pattern" }).click();
  await page.getByLabel("Name of pattern 1").fill("employee");
  await patternField(page).fill(".+");
  await page.getByLabel("Test text").fill("EMP-123456 wrote to jane@example.com");
  await page.getByRole("button", { name: "Test rules" }).click();
  await expect(page.getByText("Pattern 1: This pattern hides the word")).toBeVisible();
  await saveMasking(page);
  await expect(page.getByText("Pattern 1: This pattern hides the word").nth(1)).toBeVisible();
  await patternField(page).fill("EMP-\\d{6}");
  await page.getByLabel("E-mail addresses").click();
  await page.getByRole("button", { name: "Test rules" }).click();
  await expect(page.getByText("[REDACTED] wrote to [REDACTED]")).toBeVisible();
  await expect(page.getByText("employee: 1 hit, E-mail addresses: 1 hit")).toBeVisible();
  await page.getByRole("button", { name: "Add field" }).click();
  await page.getByLabel("Path of field 1").fill("tool_input.pin");
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await saveMasking(page);
  await expect(page.getByText("Masking saved")).toBeVisible();

  await callWith(api, "careful", "echo EMP-123456 jane@example.com");
  await page.goto("/decisions");
  await page.getByText("echo [REDACTED] [REDACTED]").first().click();
  await expect(page.getByRole("dialog")).toContainText("[REDACTED]");
  await expect(page.getByRole("dialog")).not.toContainText("pin-4711");
  await page.goto("/settings/data");
  await expect(page.getByText("1 hit in 7 days").first()).toBeVisible({ timeout: 30_000 });
  await page.goto("/audit?q=kind:masking_set");
  await expect(page.getByRole("row").filter({ hasText: "changed what is masked" })).toBeVisible();
});

test("masking less waits for a second person", async ({ page, api, browser }) => {
  await page.goto("/settings/data");
  await page.getByLabel("Payment cards").click();
  await saveMasking(page);
  await expect(page.getByText("Masking saved")).toBeVisible();
  const other = await stranger(browser);
  await join(other, await invite(api, address("grace"), "admin"), "Grace Hopper");
  await page.getByLabel("Payment cards").click();
  await saveMasking(page);
  const request = "asks to stop masking payment cards";
  await expect(page.getByText(request)).toBeVisible();
  await expect(page.getByRole("button", { name: "Withdraw request" })).toBeVisible();
  await expectAccessible(page);
  await other.goto("/settings/data");
  await expect(other.getByText(request)).toBeVisible();
  await other.getByRole("button", { name: "Agree", exact: true }).click();
  await expect(other.getByText(request)).toBeHidden();
  await expect(page.getByText(request)).toBeHidden();
  await expect(page.getByLabel("Payment cards")).not.toBeChecked();
});
