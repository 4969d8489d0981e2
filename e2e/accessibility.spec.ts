/** Axe looks once at every page of the console, in the light theme. */
import { demo, expect, test } from "./fixtures/console.ts";
import { PAGES, parts, routes, walk } from "./pages/openings.ts";

test("every page of the console is looked at", () => {
  expect(routes.length).toBeGreaterThan(8);
  expect(routes.filter((route) => !Object.hasOwn(PAGES, route))).toEqual([]);
});

for (const { name, own } of parts)
  demo(`axe finds nothing on any page ${name}`, async ({ page, api }) => {
    demo.setTimeout(300_000);
    expect(await walk({ page, api, own, themes: ["light"], hasData: true, withOpenings: false })).toEqual([]);
  });
