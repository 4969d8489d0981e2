/** The list of decisions is paused at an instant, stepped through what was, and follows again. */
import { expect, expectAccessible, type Script, test } from "./fixtures/console.ts";
import { sender } from "./fixtures/sender.ts";
import { DecisionsPage } from "./pages/decisions.ts";

const MINUTE_MS = 60_000;

/** The commands of a range's decisions by the API, the newest first. */
async function listed(api: Script, to: Date): Promise<string[]> {
  const range = { from: new Date(to.getTime() - 60 * MINUTE_MS), to };
  const { rows } = await api.query("decisions.list", { range, order: "newest", filters: {} });
  return rows.map(({ excerpt }) => excerpt);
}

test("a paused list stands while decisions arrive and are counted, is stepped by the minute, and follows again", async ({
  page,
  api,
}) => {
  const agent = await sender(api, "feeding");
  const approval = (cmd: string, more: object = {}) => ({
    tool_name: "shell",
    tool_use_id: cmd,
    tool_input: { cmd },
    approval_decision: "allow",
    approval_source: "user_approved",
    ...more,
  });
  const settled = "on_tool_approval_decision";
  const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);
  await agent.report(ago(40), settled, approval("echo long-ago"));
  await agent.report(ago(20), settled, approval("echo a-while-ago"));
  await agent.send(settled, approval("echo just-now"));

  const decisions = new DecisionsPage(page);
  await decisions.open("?range=1h");
  await expect(decisions.rows("echo")).toHaveCount(3);
  await page.keyboard.press("p");
  const strip = page.getByRole("region", { name: "Paused" });
  await expect(strip).toContainText("0 new since");
  const frozenAt = () => new Date(new URL(page.url()).searchParams.get("at") ?? Number.NaN);
  const paused = frozenAt();

  // New decisions are counted, and not shown.
  await agent.send(settled, approval("echo later"));
  await agent.send(
    settled,
    approval("echo later still", { approval_decision: "deny", approval_source: "user_rejected" }),
  );
  await expect(strip).toContainText("2 new since");
  await expect(decisions.rows("echo")).toHaveCount(3);
  await expect(decisions.rows("later")).toHaveCount(0);
  expect(await listed(api, paused)).toHaveLength(3);
  const range = { from: paused, to: ago(-5) };
  expect(await api.query("decisions.arrived", { range, filters: {} })).toEqual({ count: 2, isWhole: true });
  await expectAccessible(page);

  // Only what would be in the list is counted.
  await decisions.filterBy("verdict:deny");
  await expect(strip).toContainText("1 new since");
  await expect(page.getByText("No matching calls", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Remove verdict: deny" }).click();
  await expect(strip).toContainText("2 new since");

  // Back by a quarter of an hour each: what had not happened yet is gone, and counts as new.
  const step = async (name: string) => {
    await strip.getByRole("button", { name: "Step", exact: true }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await step("15 minutes back");
  await expect(decisions.rows("echo")).toHaveCount(2);
  await expect(strip).toContainText("3 new since");
  await step("15 minutes back");
  await expect(decisions.rows("echo")).toHaveCount(1);
  await expect(decisions.rows("long-ago")).toHaveCount(1);
  await expect(strip).toContainText("4 new since");
  expect(frozenAt().getTime()).toBe(paused.getTime() - 30 * MINUTE_MS);
  expect(await listed(api, frozenAt())).toHaveLength(1);

  // By the minute, with keys, and in the address: it opens again where it stood.
  await page.keyboard.press(",");
  await expect.poll(() => frozenAt().getTime()).toBe(paused.getTime() - 31 * MINUTE_MS);
  await page.keyboard.press(".");
  await expect.poll(() => frozenAt().getTime()).toBe(paused.getTime() - 30 * MINUTE_MS);
  await page.reload();
  await expect(strip).toContainText("4 new since");
  await expect(decisions.rows("echo")).toHaveCount(1);

  // Beyond now it follows: what waited is there, and what comes appears.
  await step("60 minutes forward");
  await expect(strip).toHaveCount(0);
  await expect(decisions.rows("echo")).toHaveCount(5);
  await agent.send(settled, approval("echo live again"));
  await expect(decisions.rows("echo")).toHaveCount(6);
  await expect(page).not.toHaveURL(/[?&]at=/);
});
