/** A newcomer starts with --demo, sees every page alive, and clears it away with one click. */
import { test } from "@playwright/test";
import { expect, patient } from "./fixtures/console.ts";
import { ownServer } from "./fixtures/own-server.ts";

test("a demo has every page alive within a minute, is marked as one, and one click empties it", async ({ page }) => {
  test.setTimeout(300_000);
  const alive = { timeout: 60_000 };
  const server = await ownServer();
  try {
    await server.start("--demo");
    patient(page);
    await page.goto((await server.quarterdeck(["sign-in"])).trim());
    await page.getByRole("button", { name: "Not now" }).click();
    await expect(page.getByRole("button", { name: "Demo", exact: true })).toBeVisible(alive);
    await expect(page.getByText(/tool calls in /)).toBeVisible(alive);
    for (const [path, shows] of [
      ["activity", "no bulk delete"],
      ["spend", "anthropic/claude-sonnet-4-5"],
      ["activity/compactions", "guided"],
      ["spend/budgets", "Demo - releases"],
      ["activity/sessions", "demo-bugfix"],
      ["policies", "Demo - safe shell"],
      ["agents", "demo-bugfix"],
    ] as const) {
      await page.goto(`${server.url}/${path}`);
      await expect(page.getByText(shows).first()).toBeVisible(alive);
    }

    await page.goto(server.url);
    await page.getByRole("button", { name: "Demo", exact: true }).click();
    await expect(page.getByText("This workspace contains demo data")).toBeVisible();
    await page.getByRole("button", { name: "Remove demo data" }).click();
    await expect(page.getByRole("button", { name: "Demo", exact: true })).toBeHidden();
    const stats = JSON.parse(await server.quarterdeck(["stats", "--json"]));
    expect(stats.overall.event_count).toBe(0);
    await page.goto(`${server.url}/policies`);
    await expect(page.getByText("Demo - safe shell")).toBeHidden();
  } finally {
    await server.close();
  }
});
