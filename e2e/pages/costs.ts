/** The Costs page as a journey speaks of it. */
import { expect, type Locator, type Page } from "@playwright/test";

export class CostsPage {
  readonly page: Page;
  readonly exactTotal: Locator;
  readonly calls: Locator;
  readonly sessions: Locator;
  readonly drawer: Locator;
  readonly filter: Locator;

  constructor(page: Page) {
    this.page = page;
    this.exactTotal = page.getByTestId("exact-total");
    this.calls = page.getByRole("grid", { name: "model calls" });
    this.sessions = page.getByRole("table", { name: "sessions" });
    this.drawer = page.getByRole("dialog");
    this.filter = page.getByRole("combobox", { name: "Filter model calls" });
  }

  /** Opens the page and waits until it follows the server. */
  async open(query = ""): Promise<void> {
    await this.page.goto(`/spend${query}`);
    await expect(this.page.getByRole("heading", { name: "Costs", level: 1 })).toBeVisible();
    await expect(this.page.getByRole("status").filter({ hasText: /^Live$/ })).toBeVisible();
  }

  /** A breakdown's line that holds `name`. */
  line(by: "model" | "agent", name: string): Locator {
    return this.page
      .getByRole("table", { name: `costs by ${by}` })
      .getByRole("row")
      .filter({ hasText: name });
  }

  /** The calls that hold `text`. */
  rows(text: string | RegExp): Locator {
    return this.calls.getByRole("row").filter({ hasText: text });
  }
}
