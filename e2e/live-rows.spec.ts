/** Rows that arrive in a live list slide the others down, so the layout does not shift. */
import { expect, fresh, test } from "./fixtures/console.ts";
import { sender } from "./fixtures/sender.ts";
import { LAYOUT_SHIFT_MAX, observeShifts, shiftsOf } from "./pages/page-load.ts";

const CALLS = 10;

for (const [title, address, grid] of [
  ["Calls", "/activity", "calls"],
  ["Sessions", "/activity/sessions", "sessions"],
] as const) {
  test(`new rows of ${title} do not shift the layout`, async ({ browser, page, api }) => {
    const agent = await sender(api, "shifting");
    const call = (session: number) =>
      agent.send("pre_tool_use", {
        session_id: `s${session}`,
        tool_name: "shell",
        tool_use_id: fresh("c"),
        tool_input: { cmd: `echo ${session}` },
      });
    for (let session = 0; session < CALLS; session += 1) await call(session);
    const storageState = await page.context().storageState();
    const context = await browser.newContext({ storageState, reducedMotion: "no-preference" });
    const watched = await context.newPage();
    await watched.addInitScript(observeShifts);
    await watched.goto(`${api.url}${address}`);
    const rows = watched.getByRole("grid", { name: grid }).locator("[data-row]");
    await expect(rows).toHaveCount(CALLS);
    await expect(watched.getByText("Live", { exact: true })).toBeVisible();
    const { sum } = await shiftsOf(watched);
    for (let session = CALLS; session < 2 * CALLS; session += 1) {
      await call(session);
      await expect(rows).toHaveCount(session + 1);
    }
    // A session with an old call moves to the top of its list.
    await call(0);
    await expect(rows.first()).toContainText(title === "Calls" ? "echo 0" : "s0");
    const after = await shiftsOf(watched);
    expect(after.sum - sum, after.largest.elements.join(", ")).toBeLessThan(LAYOUT_SHIFT_MAX);
    await context.close();
  });
}
