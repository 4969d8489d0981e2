/**
 * The script of every page with demo data, on a first visit. `npm run bench page-weight` also measures pages with an
 * editor, and layout shift.
 */
import { demo, expect } from "./fixtures/console.ts";
import { pageAddresses, parts } from "./pages/openings.ts";
import { EDITORS, measureLoad, scriptKibMax } from "./pages/page-load.ts";

const VIEWPORTS = [
  { width: 1_440, height: 900 },
  { width: 390, height: 844 },
];

for (const { name, own } of parts) {
  demo(`the script of each page is within its limit ${name}`, async ({ browser, page, api }) => {
    demo.setTimeout(600_000);
    const storageState = await page.context().storageState();
    const addresses = (await pageAddresses(api)).filter(({ route }) => own.includes(route) && !EDITORS.includes(route));
    expect(addresses.length).toBeGreaterThan(0);
    const wrong: string[] = [];
    for (const { route, address } of addresses) {
      for (const viewport of VIEWPORTS) {
        const { scriptKib } = await measureLoad(browser, { storageState, viewport }, `${api.url}${address}`);
        const where = `${route} at ${viewport.width} px`;
        if (scriptKib > scriptKibMax(route)) wrong.push(`${where}: ${scriptKib} KiB of script`);
      }
    }
    expect(wrong).toEqual([]);
  });
}
