/** A session's timeline as a journey speaks of it. */
import { expect, type Locator, type Page } from "@playwright/test";

export class TimelinePage {
  readonly page: Page;
  readonly list: Locator;
  readonly story: Locator;
  readonly strip: Locator;
  readonly drawer: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole("region", { name: "Events" });
    this.story = page.getByRole("region", { name: "Story" });
    this.strip = page.getByRole("slider", { name: "Position in the session" });
    this.drawer = page.getByRole("dialog");
  }

  async open(href: string): Promise<void> {
    await this.page.goto(href);
    await expect(this.strip).toBeVisible();
  }

  /** Goes to another event by keys. The address follows a moment after the list: its link is not the new event's before. */
  async walk(...keys: readonly string[]): Promise<void> {
    const eventInAddress = () => new URL(this.page.url()).searchParams.get("event");
    const before = eventInAddress();
    for (const key of keys) await this.page.keyboard.press(key);
    await expect.poll(eventInAddress).not.toBe(before);
  }

  /** The event one stands at. */
  get current(): Locator {
    return this.list.locator("[aria-current=true]");
  }

  /** The row of the n-th event, counted from 1. */
  at(place: number): Locator {
    return this.list.locator(`[aria-posinset="${place}"]`);
  }
}
