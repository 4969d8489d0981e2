/** An alert, from its preview to the receiver that is told. */
import { Webhook } from "standardwebhooks";
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";
import { startReceiver } from "./fixtures/receiver.ts";
import { sender } from "./fixtures/sender.ts";

test("a rule is tried, saved and fires; its receiver is told, signed with the secret that was shown once", async ({
  page,
  api,
}) => {
  test.setTimeout(150_000);
  const { agent, send } = await sender(api, "spender");
  await send("after_llm_call", { model_id: "acme/large", cost: 3 });
  const name = fresh("Spend");
  const receiver = await startReceiver();

  const secret = await test.step("a webhook is made and tested", async () => {
    await page.goto("/settings?tab=webhooks");
    await page.getByRole("button", { name: "New webhook" }).click();
    await page.getByRole("textbox", { name: "Address" }).fill(`${receiver.url}/told`);
    await page.getByRole("button", { name: "Save webhook" }).click();
    const shown = (await page.getByTestId("shown-once").textContent()) ?? "";
    await page.getByRole("button", { name: "I have it" }).click();
    await page.getByRole("button", { name: "Send a test" }).last().click();
    await expect(page.getByText("It took the test: HTTP 200")).toBeVisible();
    return shown;
  });

  await test.step("an alert says what it would have done", async () => {
    await page.goto("/alerts");
    await page.getByRole("button", { name: "New alert" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByRole("combobox", { name: "Measure" }).click();
    await page.getByRole("option", { name: "Cost of model calls" }).click();
    await dialog.getByRole("combobox", { name: "Agent" }).click();
    await page.getByRole("option", { name: agent }).click();
    await dialog.getByLabel("Limit").fill("2.5");
    await dialog.getByRole("button", { name: "Try it on the last days" }).click();
    await expect(dialog.getByTestId("alert-preview")).toContainText("It would have fired 1 time");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Save alert" }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step("it is looked at within a minute, and fires", async () => {
    const rule = page.getByRole("list", { name: "Alerts" }).getByRole("listitem").filter({ hasText: name });
    await expect(rule).toContainText("Firing", { timeout: 90_000 });
    await expect(rule).toContainText("$3.00");
    const told = () => receiver.received.find(({ text }) => text.includes("alert.fired"));
    await expect.poll(told, { timeout: 20_000 }).toBeDefined();
    const { text = "", headers = {} } = told() ?? {};
    const plain = Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, String(value)]));
    expect(JSON.stringify(new Webhook(secret).verify(text, plain))).toContain(name);
    await page.goto("/");
    await expect(page.getByText(name)).toBeVisible();
    await page.goto("/settings?tab=webhooks");
    await expect(page.getByRole("list", { name: "Deliveries" })).toContainText("alert.fired");
    await expectAccessible(page);
  });
  receiver.stop();
});
