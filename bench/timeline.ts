/** Scrolling through a session of 10,000 events, once from its first to its last, frame by frame. */
import type { Browser, Page } from "@playwright/test";
import { LONG_EVENTS, reportLongSession } from "../e2e/fixtures/long-session.ts";
import { ownServer } from "../e2e/fixtures/own-server.ts";
import { timelineHref } from "../server/sessions/schema.ts";
import { launchBrowser } from "./fixtures/launch-browser.ts";
import { ms, percentile } from "./fixtures/percentile.ts";

const FRAMES = 600;
/** Three frames of a 60 Hz screen: what is longer is seen. */
const FRAME_MS_MAX = 50;
const SESSION = "a long one";

/** True if frames keep coming while the timeline scrolls, at the 95th percentile. */
export async function bench(): Promise<boolean> {
  const server = await ownServer();
  let browser: Browser | undefined;
  try {
    await server.start();
    const key = (await server.quarterdeck(["key", "create", "--agent", "bench"])).trim();
    await reportLongSession({ url: server.url, key, sessionId: SESSION });
    browser = await launchBrowser();
    const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
    await page.goto((await server.quarterdeck(["sign-in"])).trim());
    await page.getByRole("button", { name: "Not now" }).click();
    await page.waitForURL((at) => !at.pathname.startsWith("/sign-in"));
    await page.goto(`${server.url}/activity/sessions?range=all`);
    await page.getByRole("grid", { name: "sessions" }).getByRole("row").filter({ hasText: "1,999" }).click();
    await page.waitForURL(
      (at) => at.pathname === new URL(timelineHref({ agentId: "", sessionId: SESSION }), at).pathname,
    );
    await page.getByRole("button", { name: "Raw events" }).click();
    await page.locator("[data-event]").first().waitFor();
    const times = await scroll(page);
    const [p50, p95, worst] = [percentile(times, 0.5), percentile(times, 0.95), percentile(times, 1)];
    console.log(`${LONG_EVENTS} events in ${FRAMES} frames: p50 ${ms(p50)}, p95 ${ms(p95)}, slowest ${ms(worst)}`);
    console.log(`to hold: p95 under ${FRAME_MS_MAX} ms`);
    return p95 <= FRAME_MS_MAX;
  } finally {
    await browser?.close();
    await server.close();
  }
}

/** The times between frames while the list is scrolled by the same piece in each. */
function scroll(page: Page): Promise<number[]> {
  return page.evaluate(
    (frames) =>
      new Promise<number[]>((done) => {
        const list = document.querySelector('[aria-label="Events"]');
        const times: number[] = [];
        let last = performance.now();
        const step = () => {
          const now = performance.now();
          times.push(now - last);
          last = now;
          if (!list || times.length > frames) return done(times.slice(1));
          list.scrollTop += list.scrollHeight / frames;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    FRAMES,
  );
}
