/** Webhooks: a receiver that verifies what it is sent, one that fails for a while, and none any more. */
import { Webhook } from "standardwebhooks";
import { expect, expectAccessible, fresh, type InputOf, type Script, test } from "./fixtures/console.ts";
import { type Received, startReceiver } from "./fixtures/receiver.ts";

let receiver: Awaited<ReturnType<typeof startReceiver>>;
test.beforeAll(async () => {
  receiver = await startReceiver();
});
test.afterAll(() => receiver.stop());

/** Throws unless the secret signed exactly this. */
function verified(secret: string, { text, headers }: Received): { type: string; data: Record<string, unknown> } {
  const signed = Object.fromEntries(
    ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, String(headers[name])]),
  );
  return new Webhook(secret).verify(text, signed) as { type: string; data: Record<string, unknown> }; // outboxParameters
}

const sentTo = (path: string) => receiver.received.filter((one) => one.path === path);
/** The deliveries to this path of the receiver, once there are so many. */
async function arrived(path: string, count: number): Promise<Received[]> {
  await expect.poll(() => sentTo(path).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
  return sentTo(path);
}

async function makeWebhook(api: Script, path: string, kinds: InputOf<"webhooks.save">["kinds"]): Promise<void> {
  await api.mutate("webhooks.save", { url: `${receiver.url}${path}`, kinds, isEnabled: true });
}

const uniquePath = () => `/${fresh("hook").replaceAll(" ", "-")}`;

test("a webhook is made, tested, notified of a publication under its signature, and of nothing after it was removed", async ({
  page,
  api,
}) => {
  const [path, witness] = [uniquePath(), uniquePath()];
  await page.goto("/settings/webhooks");
  await page.getByRole("button", { name: "New webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address").fill("http://169.254.169.254/latest");
  await dialog.getByRole("checkbox", { name: /A policy was published/ }).click();
  await dialog.getByRole("button", { name: "Save webhook" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  expect(await api.query("webhooks.list")).toEqual([]);
  await dialog.getByLabel("Address").fill(`${receiver.url}${path}`);
  await dialog.getByRole("button", { name: "Save webhook" }).click();
  const shown = page.getByRole("dialog", { name: "The webhook's secret" });
  const secret = (await shown.getByTestId("shown-once").textContent()) ?? "";
  await expectAccessible(page);
  await shown.getByRole("button", { name: "I have saved the secret" }).click();
  const row = page.getByRole("list", { name: "Webhooks" }).getByRole("listitem").filter({ hasText: path });
  await expect(row).toContainText("policy.published");
  expect(await page.content()).not.toContain(secret);

  await row.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText("Test delivered: HTTP 200")).toBeVisible();
  const [tested] = await arrived(path, 1);
  expect(verified(secret, tested as Received)).toMatchObject({ type: "test", data: { by: "Ada Lovelace" } });

  const name = fresh("notified");
  await api.mutate("policies.publishByName", { name, source: "hooks: {}\n" });
  const [, received] = (await arrived(path, 2)) as [Received, Received];
  expect(verified(secret, received)).toMatchObject({ type: "policy.published", data: { revision: 1 } });
  // The signature is of this text alone.
  const altered = { ...received, text: received.text.replace('"revision":1', '"revision":2') };
  expect(altered.text).not.toBe(received.text);
  expect(() => verified(secret, altered)).toThrow();
  const deliveries = page.getByRole("list", { name: "Deliveries" }).getByRole("listitem");
  await expect(deliveries.filter({ hasText: "policy.published" })).toContainText(/Delivered.*HTTP 200/);
  await expectAccessible(page);

  // A new secret signs beside the former one.
  await row.getByRole("button", { name: /^More about/ }).click();
  await page.getByRole("menuitem", { name: "New secret" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "New secret" }).click();
  const newSecret = (await shown.getByTestId("shown-once").textContent()) ?? "";
  expect(newSecret).not.toBe(secret);
  await shown.getByRole("button", { name: "I have saved the secret" }).click();
  await expect(row).toContainText("The previous secret also signs messages until");
  await row.getByRole("button", { name: "Send test" }).click();
  const [, , twice] = (await arrived(path, 3)) as Received[];
  for (const one of [secret, newSecret]) expect(verified(one, twice as Received)).toMatchObject({ type: "test" });

  await row.getByRole("button", { name: /^More about/ }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText("No webhooks yet")).toBeVisible();
  // Another one hears of what comes now; the removed one does not.
  await makeWebhook(api, witness, ["policy.published"]);
  await api.mutate("policies.publishByName", { name, source: "hooks: {}\n\n" });
  await arrived(witness, 1);
  expect(sentTo(path)).toHaveLength(3);
});

test("a receiver that fails shows its answer and the next attempt, and gets the same message again", {
  tag: "@proof",
}, async ({ page, api }) => {
  const path = uniquePath();
  receiver.answerAt(path, 503);
  await makeWebhook(api, path, ["agent_key.created"]);
  await page.goto("/settings/webhooks");
  const row = page.getByRole("list", { name: "Webhooks" }).getByRole("listitem").filter({ hasText: path });
  await row.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText("It answered 503.")).toBeVisible();
  const deliveries = page.getByRole("list", { name: "Deliveries" }).getByRole("listitem");
  await expect(deliveries.filter({ hasText: "test" })).toContainText(/Failed.*HTTP 503/);

  await api.key(fresh("notified of"));
  const delivery = deliveries.filter({ hasText: "agent_key.created" });
  await expect(delivery).toContainText(/Waiting.*HTTP 503.*next attempt/, { timeout: 60_000 });
  await expect(row).toContainText("1 waiting");
  await expectAccessible(page);

  receiver.answerAt(path, 204);
  await expect(delivery).toContainText(/Delivered.*HTTP 204, \d attempts/, { timeout: 90_000 });
  await expect(row).not.toContainText("waiting");
  const messages = sentTo(path).slice(1);
  expect(messages.length).toBeGreaterThan(1);
  expect(new Set(messages.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(await api.query("webhooks.list")).toMatchObject([{ waiting: 0, dead: 0 }]);
});

test("a chat is sent a call that waits for a person, in its own shape, and the link opens the card and answers nothing", {
  tag: "@proof",
}, async ({ page, api }) => {
  const path = uniquePath();
  await page.goto("/settings/webhooks");
  await page.getByRole("button", { name: "New webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address").fill(`${receiver.url}${path}`);
  await dialog.getByRole("combobox", { name: "Format" }).click();
  await page.getByRole("option", { name: "Slack message" }).click();
  await dialog.getByRole("checkbox", { name: /A call waits for a person/ }).click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save webhook" }).click();
  await page
    .getByRole("dialog", { name: "The webhook's secret" })
    .getByRole("button", { name: "I have saved the secret" })
    .click();
  const row = page.getByRole("list", { name: "Webhooks" }).getByRole("listitem").filter({ hasText: path });
  await expect(row).toContainText("Slack:");

  const name = fresh("asked");
  const key = await api.key(fresh("asker"));
  await api.mutate("policies.create", { name });
  await api.mutate("policies.publishByName", {
    name,
    source: `hooks:
  pre_tool_use:
    - matcher: "^shell$"
      hooks:
        - { type: builtin, command: ask_a_person, args: ["Is this meant for production?"] }
`,
  });
  const answered = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      ...{ session_id: "notices", tool_name: "shell", tool_use_id: fresh("c"), cwd: "/srv/app" },
      tool_input: { cmd: "deploy <!channel>" },
    }),
  });
  expect(answered.status).toBe(200);
  const [received] = await arrived(path, 1);
  const { text, blocks } = JSON.parse(received?.text ?? "{}");
  expect(text).toMatch(/^QD-\d+: a call needs an answer$/);
  expect(received?.text).not.toContain("<!channel>");
  const link = new URL(blocks.at(-1).elements[0].url);
  await page.goto(`${link.pathname}${link.hash}`);
  await expect(page.locator(link.hash)).toContainText("deploy <!channel>");
  expect(await api.query("approvals.list")).toMatchObject({ open: [{ state: "pending" }] });
});
