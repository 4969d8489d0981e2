/** The list of calls gets its rows through a stream, as its filter wants them. */
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures/console.ts";
import { sender } from "./fixtures/sender.ts";
import { DecisionsPage } from "./pages/decisions.ts";

/** The rows of the grid, or the cards of a narrow screen, that hold `text`. */
const rowsOf = (page: Page, text: string) => page.locator("[data-row]").filter({ hasText: text });

/** Counts the requests that read the list. */
function countReads(page: Page): () => number {
  let reads = 0;
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.split(/[/,]/).includes("decisions.calls")) reads += 1;
  });
  return () => reads;
}

for (const width of [1440, 390]) {
  test(`new and changed rows come without a read of the list, at ${width} px`, async ({ page, api }) => {
    await page.setViewportSize({ width, height: 900 });
    const agent = await sender(api, "streaming");
    const call = (cmd: string, verdict: "allow" | "deny") => ({
      ...{ tool_name: "shell", tool_use_id: cmd, tool_input: { cmd } },
      ...{ approval_decision: verdict, approval_source: verdict === "deny" ? "user_rejected" : "user_approved" },
    });
    const settled = "on_tool_approval_decision";
    await agent.send(settled, call("echo first", "allow"));
    const reads = countReads(page);
    const started = page.waitForRequest(/decisions\.followCalls/);
    await page.goto("/activity?range=24h");
    await started;
    await expect(rowsOf(page, "echo")).toHaveCount(1);
    // On a phone new rows wait behind a button.
    const reveal = async (rows: number) => {
      if (width === 390)
        await expect(async () => {
          if ((await rowsOf(page, "echo").count()) !== rows)
            await page.getByRole("button", { name: /^\d+ new$/ }).click({ timeout: 500 });
          await expect(rowsOf(page, "echo")).toHaveCount(rows, { timeout: 500 });
        }).toPass();
    };
    // The list is read again when its stream begins; from then on it is not.
    let sent = 1;
    await expect(async () => {
      const before = reads();
      sent += 2;
      await agent.send(settled, call(`echo number ${sent}`, "deny"));
      await agent.send("post_tool_use", {
        ...{ tool_name: "shell", tool_use_id: "echo first", tool_response: "", tool_error: true },
      });
      await agent.send(settled, call(`echo another ${sent}`, "deny"));
      await reveal(sent);
      await expect(rowsOf(page, "echo")).toHaveCount(sent);
      expect(reads()).toBe(before);
    }).toPass();

    // A filter has a stream of its own: what it excludes does not come.
    const filtered = page.waitForRequest(/decisions\.followCalls/);
    await new DecisionsPage(page).filterBy("verdict:deny");
    await filtered;
    await expect(rowsOf(page, "echo")).toHaveCount(sent - 1);
    await agent.send(settled, call("echo passed", "allow"));
    await agent.send(settled, call("echo refused", "deny"));
    await reveal(sent);
    await expect(rowsOf(page, "echo refused")).toHaveCount(1);
    await expect(rowsOf(page, "echo passed")).toHaveCount(0);
    const sentence = page.getByText("With this filter or order, changes appear every 5 seconds.");
    await expect(sentence).toHaveCount(0);
    await page.goto("/activity?range=24h&q=refused");
    await expect(rowsOf(page, "echo refused")).toHaveCount(1);
    await expect(sentence).toBeVisible();
    await agent.send(settled, call("echo refused again", "deny"));
    await reveal(2);
    await expect(rowsOf(page, "echo refused")).toHaveCount(2);
  });
}

test("an agent that uses one call id for many calls does not empty the list", async ({ page, api }) => {
  const agent = await sender(api, "repeating");
  const call = { tool_name: "shell", tool_use_id: "the only id", tool_input: { cmd: "echo again" } };
  for (let sent = 0; sent < 1_200; sent += 20)
    await Promise.all(Array.from({ length: 20 }, () => agent.send("pre_tool_use", call)));
  await page.goto("/activity?range=24h");
  await expect(page.getByText("The newest decisions belong to older calls")).toBeVisible();
  await expect(page.getByText("No calls in the last 24 hours")).toHaveCount(0);
  await expect(async () => {
    if ((await rowsOf(page, "echo again").count()) === 0)
      await page.getByRole("button", { name: "Load older calls" }).click({ timeout: 500 });
    await expect(rowsOf(page, "echo again").first()).toBeVisible({ timeout: 500 });
  }).toPass();
});
