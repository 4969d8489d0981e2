/** The editor of a policy's text, on the policy's page. */
import type { Page } from "@playwright/test";
import { expect } from "../fixtures/console.ts";

export const policyText = (page: Page) => page.getByRole("textbox", { name: "Policy text, YAML" });

/** Shows the text next to the rules, or alone where the page is narrow. The page opens with the rules. */
export async function showText(page: Page): Promise<void> {
  const modes = page.getByRole("radiogroup", { name: "How to edit" });
  await expect(modes).toBeVisible({ timeout: 30_000 });
  const both = modes.getByRole("radio", { name: "Both", exact: true });
  const isWide = (page.viewportSize()?.width ?? 0) >= 1200;
  await (isWide ? both : modes.getByRole("radio", { name: "YAML", exact: true })).click();
  await expect(policyText(page)).toBeVisible({ timeout: 30_000 });
}
