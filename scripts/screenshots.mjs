/**
 * Takes the pictures of docs/screenshots from a running server (QUARTERDECK_URL, trusted like the command line):
 *
 *     npm start -- --demo          # in one terminal; give it a minute
 *     node scripts/screenshots.mjs # in another
 *
 * --ranges takes the charts alone, at an hour, a day and a month: of a server that has run for so long.
 */
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { findBrowser } from "./browser.mjs";
import { main, Refusal, ROOT, run } from "./project.mjs";

const PAGES = {
  overview: "/?range=24h",
  decisions: "/decisions?range=24h",
  costs: "/costs?range=24h",
  compactions: "/compactions?range=24h",
  policies: "/policies",
  packs: "/policies?packs=1",
  judges: "/judges?range=24h",
  policy: "/policies",
  agents: "/agents",
  sessions: "/sessions?range=24h",
  budgets: "/budgets",
  alerts: "/alerts",
};
const CHARTS = {
  overview: "/?",
  settled: "/decisions?view=settled&",
  rules: "/decisions?view=rules&",
  costs: "/costs?",
  trends: "/compactions?view=trends&",
};
const RANGES = ["1h", "24h", "30d"];
const SIZES = { 1440: 900, 390: 844 };

const isWhole = () => document.querySelector('[aria-busy="true"]') === null;
/** Charts are brought after the page. */
const isDrawn = () =>
  document.querySelector('[aria-busy="true"]') === null &&
  (location.search.includes("view=rules") || document.querySelector(".recharts-surface") !== null);

await main(async () => {
  const { code, output } = await run(process.execPath, [join(ROOT, "scripts/quarterdeck.mjs"), "sign-in"]);
  const link = /https?:\/\/\S+/.exec(output)?.[0];
  if (code !== 0 || link === undefined) throw new Refusal(output.trim());
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const page = await browser.newPage();
  await page.goto(link);
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
  if (process.argv.includes("--ranges")) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    for (const [name, path] of Object.entries(CHARTS))
      for (const range of RANGES) await shoot(page, name, `${path}range=${range}`, `charts-${name}-${range}`, isDrawn);
    await browser.close();
    return;
  }
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const [width, height] of Object.entries(SIZES)) {
      await page.setViewportSize({ width: Number(width), height });
      for (const [name, path] of Object.entries(PAGES))
        await shoot(page, name, path, `${name}-${width}-${colorScheme}`);
    }
  }
  await browser.close();
});

/** Waits for the page's own skeletons to be gone, not for a time. */
async function shoot(page, name, path, file, isReady = isWhole) {
  await page.goto(new URL(path, page.url()).href);
  if (name === "policy") {
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.locator(".cm-content").waitFor();
  }
  await page.waitForFunction(isReady);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(ROOT, "docs/screenshots", `${file}.jpg`), type: "jpeg", quality: 74 });
}
