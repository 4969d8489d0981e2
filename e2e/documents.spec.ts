/** Documentation in the console: from a page, from the palette and from the help menu; and no file outside of it. */
import { expect, expectAccessible, test } from "./fixtures/console.ts";

test("a page's help opens the part of the documentation about it", async ({ page }) => {
  await page.goto("/agents");
  await page.getByRole("link", { name: "Help for this page" }).click();
  await expect(page).toHaveURL(/\/docs\/fleet$/);
  await expect(page.getByRole("heading", { level: 1, name: "Fleet" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("article").getByRole("link", { name: "drills", exact: false }).first().click();
  await expect(page).toHaveURL(/\/docs\/drills/);
  await page.getByRole("link", { name: "Documentation" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Reference" })).toBeVisible();
  await expectAccessible(page);
});

test("the palette finds a section by another word, and opens it", async ({ page }) => {
  await page.goto("/docs/concepts");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("kill switch");
  const documents = page.getByRole("group", { name: "Documentation" });
  await documents
    .getByRole("option", { name: /^Halts/ })
    .last()
    .click();
  await expect(page).toHaveURL(/\/docs\/halts$/);
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("who answers");
  await documents
    .getByRole("option", { name: /^Who answers/ })
    .last()
    .click();
  await expect(page).toHaveURL(/\/docs\/approvals#who-answers$/);
  await expect(page.getByRole("heading", { name: "Who answers" })).toBeInViewport();
});

test("the help menu shows what is new, the version and the keys", async ({ page }) => {
  await page.goto("/docs");
  await page.getByRole("button", { name: "Help", exact: true }).click();
  await expect(page.getByText(/^Quarterdeck \d+\.\d+\.\d+$/)).toBeVisible();
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Help", exact: true }).click();
  await page.getByRole("menuitem", { name: "What's new" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "What's new" })).toBeVisible();
});

test("no address below /docs reads another file", async ({ page }) => {
  for (const path of ["..%2Fpackage.json", "%2Fetc%2Fpasswd", "adr/README", "clients/..%2F..%2FREADME", "fleet.md"]) {
    const answer = await page.request.get(`/docs/${path}`);
    expect(answer.status()).toBe(404);
    expect(await answer.text()).not.toMatch(/"private": true|root:|# Decisions taken/);
  }
});
