/** Alerts: tried on the past, fired by a real event, seen without a reload, snoozed, and sent to a webhook when it ends. */
import { expect, expectAccessible, fresh, type InputOf, patient, test } from "./fixtures/console.ts";
import { startReceiver } from "./fixtures/receiver.ts";
import { found } from "./fixtures/script.ts";
import { sender } from "./fixtures/sender.ts";

/** Rules are looked at once a minute, a moment after its end; a busy machine takes longer. */
const LOOK_MS_MAX = 180_000;

let receiver: Awaited<ReturnType<typeof startReceiver>>;
test.beforeAll(async () => {
  receiver = await startReceiver();
});
test.afterAll(() => receiver.stop());

/** The notices that the webhook received, once there are so many. */
async function receivedNotices(count: number): Promise<{ type: string; name: string; says: string }[]> {
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
  return receiver.received.map(({ text }) => {
    const { type, data } = JSON.parse(text) as { type: string; data: { alert: { name: string }; says: string } }; // toldOf
    return { type, name: data.alert.name, says: data.says };
  });
}

test("an alert is tried on recent history, made and removed", async ({ page, api }) => {
  const name = fresh("denials");
  await page.goto("/settings/alerts");
  await page.getByRole("button", { name: "New alert" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Limit").fill("1");
  await dialog.getByRole("button", { name: "Test on recent history" }).click();
  await expect(dialog.getByTestId("alert-preview")).toContainText(/would have fired|No data for/);
  await dialog.getByRole("button", { name: "Save alert" }).click();
  const row = page.getByRole("list", { name: "Alerts" }).getByRole("listitem").filter({ hasText: name });
  await expect(row).toContainText("Calls denied by hooks is above 1 in 15 minutes");
  await row.getByRole("button", { name: `More about ${name}` }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText("No alerts yet")).toBeVisible();
  expect(await api.query("alerts.list")).toMatchObject({ rows: [] });
});

test("an alert on denials counts those of one person", async ({ page, api }) => {
  const [name, tool, service] = [fresh("denials"), fresh("tool").replaceAll(" ", "_"), fresh("nightly build")];
  const source = `hooks:\n  pre_tool_use:\n    - matcher: ${tool}\n      hooks:\n        - {name: never, type: command, command: exit 2}\n`;
  await api.mutate("policies.publishByName", { name: fresh("denies"), source });
  const own = await sender(api, "owned");
  const agentId = found((await api.query("agents.names")).find((one) => one.name === own.agent)).id;
  await api.mutate("principals.setOwner", { agentId, owner: { kind: "service", name: service } });
  for (const agent of [own, await sender(api, "other")])
    await agent.send("pre_tool_use", { tool_name: tool, tool_use_id: fresh("c"), tool_input: {} });

  await page.goto("/settings/alerts");
  await page.getByRole("button", { name: "New alert" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Limit").fill("0");
  await dialog.getByLabel("Person").click();
  await page.getByRole("option", { name: service }).click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save alert" }).click();
  const row = page.getByRole("list", { name: "Alerts" }).getByRole("listitem").filter({ hasText: name });
  await expect(row).toContainText(`Calls denied by hooks is above 0 in 15 minutes; calls for ${service}`);
  const [asked] = (await api.query("alerts.list")).rows;
  expect(asked).toMatchObject({ measure: "gate_denied", personName: service, signOnGroupId: null });
});

test("an alert is tried on the past, fires without a reload, is snoozed, and reaches a webhook when it ends", {
  tag: "@proof",
}, async ({ page, api }) => {
  test.setTimeout(LOOK_MS_MAX + 120_000);
  const kinds: InputOf<"webhooks.save">["kinds"] = ["alert.fired", "alert.resolved"];
  await api.mutate("webhooks.save", { url: `${receiver.url}/alerts`, kinds, isEnabled: true });
  const [name, tool] = [fresh("denials"), fresh("tool").replaceAll(" ", "_")];
  const source = `hooks:\n  pre_tool_use:\n    - matcher: ${tool}\n      hooks:\n        - {name: never, type: command, command: exit 2}\n`;
  await api.mutate("policies.publishByName", { name: fresh("denies"), source });
  const agent = await sender(api, "denied");
  const deny = () => agent.send("pre_tool_use", { tool_name: tool, tool_use_id: fresh("c"), tool_input: {} });

  await page.goto("/settings/alerts");
  await page.getByRole("button", { name: "New alert" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Save alert" }).click();
  await expect(dialog.getByText("Enter a name.")).toBeVisible();
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: agent.agent }).click();
  await dialog.getByLabel("Limit").fill("a few");
  await dialog.getByRole("button", { name: "Test on recent history" }).click();
  await expect(dialog.getByText("Enter a whole number.")).toBeVisible();
  await dialog.getByLabel("Limit").fill("1");
  await dialog.getByRole("button", { name: "Test on recent history" }).click();
  const preview = dialog.getByTestId("alert-preview");
  await expect(preview).toContainText("No data for the last");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save alert" }).click();
  await expect(page.getByText("Alert saved")).toBeVisible();
  const row = page.getByRole("list", { name: "Alerts" }).getByRole("listitem").filter({ hasText: name });
  await expect(row).toContainText(`Calls denied by hooks is above 1 in 15 minutes; agent ${agent.agent}`);
  await expect(row).not.toContainText("Firing");

  // Two events cross the limit of one; the pages that are open say so by themselves.
  const overview = patient(await page.context().newPage());
  await overview.goto("/");
  expect(await deny()).toMatchObject({ decision: "block" });
  expect(await deny()).toMatchObject({ decision: "block" });
  await expect(row).toContainText("Firing", { timeout: LOOK_MS_MAX });
  const notice = overview.getByRole("listitem", { name: `Alert ${name}` });
  await expect(notice).toContainText(`${name} is firing`);
  const says = "Calls denied by hooks: 2 in 15 minutes; threshold: above 1.";
  await expect(page.getByText(says)).toBeVisible();
  await expectAccessible(page);
  expect(await api.query("alerts.list")).toMatchObject({ rows: [{ name, state: "firing", value: 2n }] });
  expect(await receivedNotices(1)).toEqual([{ type: "alert.fired", name, says }]);

  // The same numbers are the past by now.
  await row.getByRole("button", { name, exact: true }).click();
  await dialog.getByRole("button", { name: "Test on recent history" }).click();
  await expect(preview).toContainText("The alert would have fired 1 time in the last");
  await dialog.getByRole("button", { name: "Cancel" }).click();

  // Somebody looks after it: the others are left in peace, and hear of it again when the snooze ends.
  const act = async (item: string) => {
    await row.getByRole("button", { name: `More about ${name}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await act("Snooze for 1 h");
  await expect(row).toContainText("snoozed");
  await expect(notice).toBeHidden();
  await act("End snooze");
  await expect(notice).toBeVisible();

  await act("Edit");
  await dialog.getByLabel("Limit").fill("5");
  await dialog.getByRole("button", { name: "Save alert" }).click();
  await expect(row).toContainText("is above 5 in 15 minutes");
  await expect(row).not.toContainText("Firing");
  await expect(notice).toBeHidden();
  expect((await receivedNotices(2)).at(-1)).toEqual({ type: "alert.resolved", name, says: "It was changed." });

  await act("Remove");
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText("No alerts yet")).toBeVisible();
  expect(await api.query("alerts.list")).toMatchObject({ rows: [] });
});
