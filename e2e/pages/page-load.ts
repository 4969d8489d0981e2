/** The cost of one visit to a page for a browser with an empty cache: script, requests, and how far the layout moves. */
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";

/** KiB of script of a page, compressed. */
const SCRIPT_KIB_MAX = 350;
/** The same for a page with an editor. */
const EDITOR_KIB_MAX = 550;
export const LAYOUT_SHIFT_MAX = 0.05;
/** The routes with an editor. */
const EDITORS = ["/policies/[policyId]", "/policies/prompts/[promptId]"];
/** After the page is loaded: time for what it requests by itself. */
const QUIET_MS = 1_500;

export const scriptKibMax = (route: string): number => (EDITORS.includes(route) ? EDITOR_KIB_MAX : SCRIPT_KIB_MAX);

export interface PageLoad {
  readonly scriptKib: number;
  readonly requests: number;
  readonly prefetches: number;
  /** The sum of all shifts without input. */
  readonly layoutShift: number;
  /** The elements of the largest shift. */
  readonly shifted: readonly string[];
}

interface Shifts {
  sum: number;
  largest: { value: number; elements: string[] };
}

/** Adds up layout shifts in the page. For `addInitScript`. */
export function observeShifts(): void {
  const shifts: Shifts = { sum: 0, largest: { value: 0, elements: [] } };
  (window as unknown as { shifts: Shifts }).shifts = shifts; // for this measurement alone
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      // LayoutShift is in no DOM types yet.
      const shift = entry as unknown as { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] };
      if (shift.hadRecentInput) continue;
      shifts.sum += shift.value;
      if (shift.value <= shifts.largest.value) continue;
      const elements = shift.sources.map(({ node }) => {
        const element = node instanceof Element ? node : (node?.parentElement ?? null);
        return element === null ? "" : `${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 40)}"`;
      });
      shifts.largest = { value: shift.value, elements };
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** The shifts so far in a page that observes them. */
export const shiftsOf = (page: Page): Promise<Shifts> =>
  page.evaluate(() => (window as unknown as { shifts: Shifts }).shifts);

/** Visits `address` in a browser context of its own. */
export async function measureLoad(
  browser: Browser,
  options: Pick<BrowserContextOptions, "storageState" | "viewport">,
  address: string,
): Promise<PageLoad> {
  // As most browsers are set: with less motion asked for, rows that arrive do not slide.
  const context = await browser.newContext({ ...options, reducedMotion: "no-preference" });
  try {
    const page = await context.newPage();
    await page.addInitScript(observeShifts);
    const scripts: Promise<number>[] = [];
    let requests = 0;
    let prefetches = 0;
    page.on("request", (request) => {
      requests += 1;
      if (request.headers()["next-router-prefetch"] !== undefined) prefetches += 1;
    });
    page.on("requestfinished", (request) => {
      if (request.resourceType() === "script") scripts.push(request.sizes().then((sizes) => sizes.responseBodySize));
    });
    await page.goto(address);
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
    await page.waitForTimeout(QUIET_MS);
    const sizes = await Promise.all(scripts);
    const shifts = await shiftsOf(page);
    return {
      scriptKib: Math.round(sizes.reduce((sum, one) => sum + one, 0) / 1_024),
      requests,
      prefetches,
      layoutShift: shifts.sum,
      shifted: shifts.largest.elements,
    };
  } finally {
    await context.close();
  }
}
