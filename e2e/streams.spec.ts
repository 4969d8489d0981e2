/** Streams: a receiver that gets the record, one that fails for a while, and the comparison with the record. */
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";
import { accept, answer, httpReceiver } from "./fixtures/stream-receivers.ts";

let receiver: Awaited<ReturnType<typeof httpReceiver>>;
test.beforeEach(async () => {
  receiver = await httpReceiver();
});
test.afterEach(() => receiver.stop());

test("a stream is set, tested, sends a policy's publication, is compared with the record and removed", async ({
  page,
  api,
}) => {
  await page.goto("/settings/streams");
  await expect(page.getByText("No streams yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "New stream" }).click();
  const dialog = page.getByRole("dialog", { name: "New stream" });
  await dialog.getByLabel("Name", { exact: true }).fill("Our SIEM");
  await dialog.getByLabel("Address").fill("http://169.254.169.254/latest");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save stream" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  expect(await api.query("streams.list")).toEqual([]);
  await dialog.getByLabel("Address").fill(`${receiver.url}/quarterdeck`);
  await dialog.getByLabel("Authorization header").fill("Bearer hidden-token");
  await dialog.getByRole("button", { name: "Save stream" }).click();
  const row = page.getByRole("list", { name: "Streams" }).getByRole("listitem").filter({ hasText: "Our SIEM" });
  await expect(row).toContainText("OCSF 1.6.0");
  expect(await page.content()).not.toContain("hidden-token");

  await row.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText("Test event accepted")).toBeVisible();
  expect(receiver.requests[0]?.headers.authorization).toBe("Bearer hidden-token");

  await api.mutate("policies.publishByName", { name: fresh("streamed"), source: "hooks: {}\n" });
  const publications = () =>
    receiver.lines().filter(({ metadata }) => Reflect.get(Object(metadata), "event_code") === "policy_published");
  await expect.poll(() => publications().length, { timeout: 30_000 }).toBe(1);
  expect(publications()[0]).toMatchObject({ class_uid: 3004, activity_id: 10, entity: { type: "policy" } });

  await row.getByRole("button", { name: /^More about/ }).click();
  await page.getByRole("menuitem", { name: "Compare with the record" }).click();
  const comparison = page.getByRole("dialog", { name: "Compare with the record" });
  await comparison.getByRole("button", { name: "Compare" }).click();
  await expect(comparison.getByText("Equal", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  await row.getByRole("button", { name: /^More about/ }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText("No streams yet")).toBeVisible();
});

test("a receiver that fails is shown with its reason, and gets the events once it accepts them", {
  tag: "@proof",
}, async ({ page, api }) => {
  receiver.behave(answer(503));
  await api.mutate("streams.save", {
    ...{ name: "Failing", kind: "http", address: `${receiver.url}/events`, format: "quarterdeck", isEnabled: true },
    ...{ kinds: ["policy"], secret: null },
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/settings/streams");
  await api.mutate("policies.publishByName", { name: fresh("delayed"), source: "hooks: {}\n" });
  const row = page.getByRole("list", { name: "Streams" }).getByRole("listitem").filter({ hasText: "Failing" });
  await expect(row).toContainText("It answered 503.", { timeout: 30_000 });
  await expectAccessible(page);
  receiver.behave(accept);
  await expect(row).not.toContainText("It answered 503.", { timeout: 90_000 });
  const lines = receiver.lines();
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
  expect(lines.map(({ act }) => Reflect.get(Object(act), "entry"))).toContain("policy_published");
});

test("an event that the receiver refuses is set aside, named in Health, and sent again once it is accepted", async ({
  page,
  api,
}) => {
  receiver.behave((request, response) =>
    answer(request.body.includes("policy_published") ? 400 : 200)(request, response),
  );
  await api.mutate("streams.save", {
    ...{ name: "Strict", kind: "http", address: `${receiver.url}/events`, format: "quarterdeck", isEnabled: true },
    ...{ kinds: ["policy"], secret: null },
  });
  await api.mutate("policies.publishByName", { name: fresh("refused"), source: "hooks: {}\n" });
  await page.goto("/settings/streams");
  const row = page.getByRole("list", { name: "Streams" }).getByRole("listitem").filter({ hasText: "Strict" });
  await expect(row).toContainText("1 set aside", { timeout: 30_000 });
  await row.getByRole("button", { name: /^More about/ }).click();
  await page.getByRole("menuitem", { name: "Events set aside" }).click();
  const dialog = page.getByRole("dialog", { name: "Events set aside" });
  await expect(dialog.getByRole("listitem")).toContainText("It answered 400.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Send again" }).click();
  await expect(page.getByText("1 event refused again")).toBeVisible();
  const { findings } = await api.query("doctor.examine");
  expect(findings).toContainEqual(expect.objectContaining({ id: "streams", state: "warning" }));

  receiver.behave(accept);
  await dialog.getByRole("button", { name: "Send again" }).click();
  await expect(dialog.getByText("No events are set aside.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(row).not.toContainText("set aside");
  expect(receiver.lines().map(({ act }) => Reflect.get(Object(act), "entry"))).toContain("policy_published");
});
