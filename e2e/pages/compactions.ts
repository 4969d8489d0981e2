/** The Compactions page as a journey speaks of it. */
import { expect, type Locator, type Page } from "@playwright/test";

export class CompactionsPage {
  readonly page: Page;
  readonly table: Locator;
  readonly drawer: Locator;
  readonly filter: Locator;

  constructor(page: Page) {
    this.page = page;
    this.table = page.getByRole("grid", { name: "compactions" });
    this.drawer = page.getByRole("dialog");
    this.filter = page.getByRole("combobox", { name: "Filter compactions" });
  }

  /** Opens the page and waits until it follows the server. */
  async open(query = ""): Promise<void> {
    await this.page.goto(`/activity/compactions${query}`);
    await expect(this.page.getByRole("heading", { name: "Compactions", level: 1 })).toBeVisible();
    await expect(this.page.getByRole("status").filter({ hasText: /^Live$/ })).toBeVisible();
  }

  /** Opens the attempts of one session. */
  openSession(session: string): Promise<void> {
    return this.open(`?q=${encodeURIComponent(`session:${session}`)}`);
  }

  /** The attempts that hold `text`. */
  rows(text: string | RegExp): Locator {
    return this.table.getByRole("row").filter({ hasText: text });
  }
}
