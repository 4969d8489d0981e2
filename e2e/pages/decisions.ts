/** The Calls page as a journey speaks of it. */
import { expect, type Locator, type Page } from "@playwright/test";

export class DecisionsPage {
  readonly page: Page;
  readonly table: Locator;
  readonly drawer: Locator;
  readonly filter: Locator;

  constructor(page: Page) {
    this.page = page;
    this.table = page.getByRole("grid", { name: "calls" });
    this.drawer = page.getByRole("dialog");
    this.filter = page.getByRole("combobox", { name: "Filter calls" });
  }

  /** Opens the page and waits until it follows the server. */
  async open(query = ""): Promise<void> {
    await this.page.goto(`/activity${query}`);
    await expect(this.page.getByRole("heading", { name: "Calls", level: 1 })).toBeVisible();
    await expect(this.page.getByRole("status").filter({ hasText: /^Live$/ })).toBeVisible();
  }

  /** The rows that hold `text`. */
  rows(text: string | RegExp): Locator {
    return this.table.getByRole("row").filter({ hasText: text });
  }

  /** Types into the filter and applies it. */
  async filterBy(text: string): Promise<void> {
    await this.filter.click();
    await this.filter.fill(text);
    await this.filter.press("Enter");
  }
}
