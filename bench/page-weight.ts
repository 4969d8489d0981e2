/** The weight of each page on a first visit: script as it is sent, requests, and how far the layout moves. */
import type { Browser } from "@playwright/test";
import { ownServer } from "../e2e/fixtures/own-server.ts";
import { type Script, script } from "../e2e/fixtures/script.ts";
import { pageAddresses } from "../e2e/pages/openings.ts";
import { LAYOUT_SHIFT_MAX, measureLoad, scriptKibMax } from "../e2e/pages/page-load.ts";
import { promised } from "./fixtures/figures.ts";
import { launchBrowser } from "./fixtures/launch-browser.ts";

const REQUESTS_MAX = 40;
const VIEWPORT = { width: 1_440, height: 900 };

/** True if every page, holding demo data, keeps to its limits. */
export async function bench(): Promise<boolean> {
  const server = await ownServer();
  let browser: Browser | undefined;
  try {
    await server.start("--demo");
    browser = await launchBrowser();
    const context = await browser.newContext({ viewport: VIEWPORT });
    const page = await context.newPage();
    await page.goto((await server.quarterdeck(["sign-in"])).trim());
    await page.getByRole("button", { name: "Not now" }).click();
    await page.waitForURL((at) => !at.pathname.startsWith("/sign-in"));
    const api = await script(server);
    await untilHistoryIsRecorded(api);
    const options = { storageState: await context.storageState(), viewport: VIEWPORT };
    let isKept = true;
    for (const { route, address } of await pageAddresses(api)) {
      const { scriptKib, requests, prefetches, layoutShift, shifted } = await measureLoad(
        browser,
        options,
        `${server.url}${address}`,
      );
      const scriptMax = scriptKibMax(route);
      const isLight = scriptKib <= scriptMax && requests <= REQUESTS_MAX && layoutShift <= LAYOUT_SHIFT_MAX;
      isKept =
        promised(
          route,
          `at most ${scriptMax} KiB of script, ${REQUESTS_MAX} requests, layout shift ${LAYOUT_SHIFT_MAX}`,
          `${scriptKib} KiB, ${requests} requests, ${prefetches} of them prefetches, shift ${layoutShift.toFixed(3)}${layoutShift > LAYOUT_SHIFT_MAX ? ` of ${shifted.join(", ")}` : ""}`,
          isLight,
        ) && isKept;
    }
    return isKept;
  } finally {
    await browser?.close();
    await server.close();
  }
}

const HISTORY_MS = 120_000;

/** The demo's history is recorded after the server is ready; what comes last is the alert. */
async function untilHistoryIsRecorded(api: Script): Promise<void> {
  for (const end = Date.now() + HISTORY_MS; Date.now() < end; await new Promise((done) => setTimeout(done, 1_000))) {
    if ((await api.query("alerts.list")).rows.length > 0) return;
  }
  throw new Error(`the demo's history was not recorded within ${HISTORY_MS / 1_000} s`);
}
