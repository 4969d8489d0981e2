/** The weight of each page on a first visit: script as it is sent, requests, and how far the layout moves. */
import type { Browser } from "@playwright/test";
import { ownServer } from "../e2e/fixtures/own-server.ts";
import { promised } from "./fixtures/figures.ts";
import { launchBrowser } from "./fixtures/launch-browser.ts";

const REQUESTS_MAX = 40;
const SCRIPT_KIB_MAX = 350;
/** The policy page brings an editor. */
const EDITOR_KIB_MAX = 550;
const LAYOUT_SHIFT_MAX = 0.05;
/** After the page is whole, what it brings by itself. */
const QUIET_MS = 1_500;

const PAGES: Readonly<Record<string, string>> = {
  overview: "/?range=24h",
  decisions: "/activity?range=24h",
  approvals: "/approvals",
  sessions: "/activity/sessions?range=24h",
  costs: "/spend?range=24h",
  budgets: "/spend/budgets",
  compactions: "/activity/compactions?range=24h",
  alerts: "/settings/alerts",
  policies: "/policies",
  policy: "",
  judges: "/policies/judges",
  agents: "/agents",
  audit: "/audit",
  halts: "/audit/halts",
  proof: "/audit/proof",
  packs: "/policies/packs",
  performance: "/policies/performance",
  health: "/settings/health",
  notices: "/notices",
  settings: "/settings",
};

interface Weight {
  readonly scriptKib: number;
  readonly requests: number;
  readonly prefetches: number;
  readonly layoutShift: number;
}

/** True if every page, holding demo data, keeps to its limits. */
export async function bench(): Promise<boolean> {
  const server = await ownServer();
  let browser: Browser | undefined;
  try {
    await server.start("--demo");
    browser = await launchBrowser();
    const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
    const page = await context.newPage();
    await page.goto((await server.quarterdeck(["sign-in"])).trim());
    await page.getByRole("button", { name: "Not now" }).click();
    await page.waitForURL((at) => !at.pathname.startsWith("/sign-in"));
    await untilHistoryStands(page);
    const { policyId } = await createPolicy(page);
    const state = await context.storageState();
    let isKept = true;
    for (const [name, path] of Object.entries(PAGES)) {
      const weight = await weigh(browser, state, `${server.url}${path || `/policies/${policyId}`}`);
      const scriptMax = name === "policy" ? EDITOR_KIB_MAX : SCRIPT_KIB_MAX;
      const { scriptKib, requests, prefetches, layoutShift } = weight;
      const isLight = scriptKib <= scriptMax && requests <= REQUESTS_MAX && layoutShift < LAYOUT_SHIFT_MAX;
      isKept =
        promised(
          name,
          `at most ${scriptMax} KiB of script, ${REQUESTS_MAX} requests, layout shift under ${LAYOUT_SHIFT_MAX}`,
          `${scriptKib} KiB, ${requests} requests, ${prefetches} of them prefetches, shift ${layoutShift.toFixed(3)}`,
          isLight,
        ) && isKept;
    }
    return isKept;
  } finally {
    await browser?.close();
    await server.close();
  }
}

type Page = Awaited<ReturnType<Browser["newPage"]>>;

const HISTORY_MS = 120_000;

/** The demo's history is recorded after the server is ready; what comes last is the alert. */
async function untilHistoryStands(page: Page): Promise<void> {
  for (const end = Date.now() + HISTORY_MS; Date.now() < end; await page.waitForTimeout(1_000)) {
    const answer = await page.request.get(new URL("/api/trpc/alerts.list", page.url()).href);
    const body = (await answer.json()) as { result?: { data: { json: { rows: unknown[] } } } }; // tRPC's envelope
    if ((body.result?.data.json.rows.length ?? 0) > 0) return;
  }
  throw new Error(`the demo's history was not recorded within ${HISTORY_MS / 1_000} s`);
}

async function createPolicy(page: Page): Promise<{ policyId: string }> {
  const answer = await page.request.post(new URL("/api/trpc/policies.create", page.url()).href, {
    headers: { origin: new URL(page.url()).origin },
    data: { json: { name: "weighed" } },
  });
  const body = (await answer.json()) as { result: { data: { json: { policyId: string } } } }; // tRPC's envelope
  return body.result.data.json;
}

/** A visit with an empty cache. */
export async function weigh(
  browser: Browser,
  storageState: Awaited<ReturnType<Awaited<ReturnType<Browser["newContext"]>>["storageState"]>>,
  address: string,
): Promise<Weight> {
  const context = await browser.newContext({ storageState, viewport: { width: 1_440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(() => {
      const measured = window as unknown as { layoutShift: number }; // for this bench alone
      measured.layoutShift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const shift = entry as unknown as { value: number; hadRecentInput: boolean }; // LayoutShift is in no DOM types yet
          if (!shift.hadRecentInput) measured.layoutShift += shift.value;
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
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
    const layoutShift = await page.evaluate(() => (window as unknown as { layoutShift: number }).layoutShift);
    return {
      scriptKib: Math.round(sizes.reduce((sum, one) => sum + one, 0) / 1_024),
      requests,
      prefetches,
      layoutShift,
    };
  } finally {
    await context.close();
  }
}
