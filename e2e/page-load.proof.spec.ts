/** Every page with demo data, on a first visit: its script stays small, and its layout stays where it was drawn. */
import { demo, expect } from "./fixtures/console.ts";
import { pageAddresses, parts } from "./pages/openings.ts";
import { LAYOUT_SHIFT_MAX, measureLoad, scriptKibMax } from "./pages/page-load.ts";

const VIEWPORTS = [
  { width: 1_440, height: 900 },
  { width: 390, height: 844 },
];

for (const { name, own } of parts) {
  demo(`script and layout shift of each page are within their limits ${name}`, async ({ browser, page, api }) => {
    demo.setTimeout(900_000);
    const storageState = await page.context().storageState();
    const addresses = (await pageAddresses(api)).filter(({ route }) => own.includes(route));
    expect(addresses.length).toBeGreaterThan(0);
    const wrong: string[] = [];
    for (const { route, address } of addresses) {
      for (const viewport of VIEWPORTS) {
        const load = await measureLoad(browser, { storageState, viewport }, `${api.url}${address}`);
        const { scriptKib, layoutShift, shifted } = load;
        const where = `${address} at ${viewport.width} px`;
        if (scriptKib > scriptKibMax(route)) wrong.push(`${where}: ${scriptKib} KiB of script`);
        if (layoutShift > LAYOUT_SHIFT_MAX)
          wrong.push(`${where}: layout shift ${layoutShift.toFixed(3)}, ${shifted.join(", ")}`);
      }
    }
    expect(wrong).toEqual([]);
  });
}
