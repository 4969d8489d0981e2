import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";

test("an admin sees on an agent's page why its requests were refused", async ({ page, api }) => {
  const name = fresh("refused");
  const key = await api.key(name);
  const ask = (body: string) =>
    fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body,
    });
  for (let call = 0; call < 2; call += 1) expect((await ask("no JSON")).ok).toBe(false);
  await page.goto("/agents");
  await page.getByRole("link", { name }).first().click();
  const log = page.getByRole("list", { name: `Refused requests from ${name}` });
  await expect(log).toBeVisible({ timeout: 30_000 });
  await expect(log.getByText("POST /api/v1/hooks/{event}")).toBeVisible();
  await expect(log.getByText("2 requests")).toBeVisible();
  await expect(log).toContainText(key.slice(0, 8));
  await expect(log).not.toContainText(key.slice(0, 12));
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(log).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});
