/** What calls cost, set right afterwards: a correction, an estimate beside the total, and a month that is closed. */
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";
import { sender } from "./fixtures/sender.ts";
import { CostsPage } from "./pages/costs.ts";

const usage = { input_tokens: 1_000_000, output_tokens: 1_000_000 };

test("a corrected cost moves the total, an estimate stands beside it, and a closed month keeps its hash", async ({
  page,
  api,
}) => {
  const { agent, key, send } = await sender(api, "invoiced");
  const unknown = fresh("nobody/prices").replaceAll(" ", "-");
  await send("after_llm_call", { model_id: "acme/large", cost: 1.5, usage });
  await send("after_llm_call", { model_id: unknown, usage });
  const now = new Date();
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15));
  const input = { session_id: agent, model_id: "acme/large", cost: 0.25, usage };
  const event = { event_id: crypto.randomUUID(), event: "after_llm_call", occurred_at: before.toISOString(), input };
  const reported = await fetch(`${api.url}/api/v1/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ events: [event] }),
  });
  expect(reported.status).toBe(200);

  const costs = new CostsPage(page);
  await costs.open(`?view=calls&range=1h&q=${encodeURIComponent(`agent:"${agent}"`)}`);
  const totalOf = async () => Number(await costs.exactTotal.getAttribute("value"));
  const total = await totalOf();

  await test.step("a correction says who and why, and the total moves by the difference", async () => {
    await costs.rows("acme/large").click();
    await costs.drawer.getByRole("button", { name: "Correct the cost" }).click();
    await costs.drawer.getByRole("button", { name: "Correct it" }).click();
    await expect(costs.drawer).toContainText("Say why");
    await costs.drawer.getByLabel("It cost, in dollars").fill("1.25");
    await costs.drawer.getByLabel("Why").fill("The invoice lists a discount");
    await costs.drawer.getByRole("button", { name: "Correct it" }).click();
    await expect(costs.drawer).toContainText("corrected to $1.25");
    await expect(costs.drawer).toContainText("The invoice lists a discount");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect.poll(totalOf).toBe(total - 250_000_000);
  });

  await test.step("a price list estimates what nobody priced, beside the total", async () => {
    await costs.open("?view=prices&range=1h");
    const corrected = await totalOf();
    await page.getByRole("button", { name: /^(Write a price list|New version)$/ }).click();
    const dialog = page.getByRole("dialog");
    if ((await dialog.getByRole("listitem").count()) === 0)
      await dialog.getByRole("button", { name: "Add a price" }).click();
    await dialog
      .getByRole("textbox", { name: /^Model or pattern, price/ })
      .last()
      .fill(unknown);
    await dialog
      .getByRole("textbox", { name: /^Input, price/ })
      .last()
      .fill("3");
    await dialog
      .getByRole("textbox", { name: /^Output, price/ })
      .last()
      .fill("4");
    await dialog.getByRole("button", { name: /^Save/ }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Estimate" }).click();
    await expect(page.getByText("estimates by this")).toBeVisible();
    await expect(page.getByRole("region", { name: "Total" })).toContainText(/~\$7\.00 estimated for 1 unpriced call/);
    expect(await totalOf()).toBe(corrected);
    await expectAccessible(page);
  });

  await test.step("the month before is closed, under a hash", async () => {
    await costs.open("?view=statements");
    await page.getByRole("button", { name: /^Close 20/ }).click();
    const asked = page.getByRole("alertdialog");
    const month = before.toISOString().slice(0, 7);
    await asked.getByRole("textbox").fill(month);
    await asked.getByRole("button", { name: "Close the month" }).click();
    await expect(asked).toBeHidden();
    await page.goto(`/costs?view=statements&month=${month}`);
    await expect(page.getByText(/^sha256/)).toBeVisible();
    await expect(page.getByRole("region", { name: "By agent and model" })).toContainText(agent);
    await expectAccessible(page);
  });
});
