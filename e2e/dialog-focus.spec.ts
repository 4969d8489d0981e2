/** Escape gives the focus back to the button that opened a dialog, so that the keyboard continues there. */
import { expect, test } from "./fixtures/console.ts";

const OPENERS = [
  ["/policies", "New policy"],
  ["/spend/budgets", "New budget"],
  ["/settings/alerts", "New alert"],
  ["/agents", "Stop agents…"],
] as const;

test("after Escape the focus is on the button that opened the dialog", async ({ page }) => {
  for (const [path, name] of OPENERS) {
    await page.goto(path);
    const button = page.getByRole("button", { name, exact: true }).first();
    await button.click();
    const dialog = page.locator("[role=dialog], [role=alertdialog]");
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(button, `${name} on ${path}`).toBeFocused();
  }
});
