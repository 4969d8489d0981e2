/** A newcomer starts with --demo, sees every page alive, and clears it away with one click. */
import { expect, test } from "@playwright/test";
import { type OwnServer, ownServer } from "./fixtures/own-server.ts";

let server: OwnServer;
test.beforeAll(async () => {
  server = await ownServer();
});
test.afterAll(() => server.close());

test("every page is alive within a minute, marked as a demo, and empty after one click", async ({ page }) => {
  test.setTimeout(180_000);
  await server.start("--demo");
  await page.goto((await server.quarterdeck(["sign-in"])).trim());
  const alive = { timeout: 60_000 };
  await expect(page.getByText("This workspace holds demo data")).toBeVisible(alive);
  await expect(page.getByText(/gate calls answered/)).toBeVisible(alive);

  for (const [path, shows] of [
    ["decisions", "no bulk delete"],
    ["costs", "anthropic/claude-sonnet-4-5"],
    ["compactions", "steered"],
    ["policies", "Demo - safe shell"],
    ["agents", "demo-bugfix"],
  ] as const) {
    await page.goto(`${server.url}/${path}`);
    await expect(page.getByText(shows).first()).toBeVisible(alive);
  }

  await page.getByRole("button", { name: "Remove demo data" }).click();
  await expect(page.getByText("This workspace holds demo data")).toBeHidden();
  const stats = JSON.parse(await server.quarterdeck(["stats", "--json"]));
  expect(stats.overall.event_count).toBe(0);
  await page.goto(`${server.url}/policies`);
  await expect(page.getByText("Demo - safe shell")).toBeHidden();
});
