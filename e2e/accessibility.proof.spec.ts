/** Axe looks at every page of the console in both themes: full with what opens on it open, and empty. */
import { demo, expect, test } from "./fixtures/console.ts";
import { parts, walk } from "./pages/openings.ts";

const themes = ["light", "dark"] as const;

for (const { name, own } of parts) {
  demo(`full, axe finds nothing on any page, nor on what opens on it ${name}`, async ({ page, api }) => {
    demo.setTimeout(600_000);
    expect(await walk({ page, api, own, themes, hasData: true, withOpenings: true })).toEqual([]);
  });

  // Without data the pages differ; what opens on them does not.
  test(`empty, axe finds nothing on any page ${name}`, async ({ page, api }) => {
    test.setTimeout(600_000);
    expect(await walk({ page, api, own, themes, hasData: false, withOpenings: false })).toEqual([]);
  });
}
