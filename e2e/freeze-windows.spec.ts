/** Freezes by the calendar: planned, announced, in force on every page, and lifted with a reason. */
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";
import { expectNotice } from "./fixtures/notices.ts";
import { showText } from "./pages/policy-editor.ts";

const TEXT = (word: string) => `hooks:
  pre_tool_use:
    - matcher: shell
      hooks: [{ name: stop, type: command, command: 'echo ${word} >&2; exit 2' }]
`;

const HOUR_MS = 3_600_000;
/** A local time of a workspace in UTC. */
const local = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 16);

test("a weekly window is added, named with its next time, and removed", async ({ page, api }) => {
  await page.goto("/policies");
  await page.getByRole("button", { name: "Freeze windows…" }).click();
  const dialog = page.getByRole("dialog", { name: "Freeze windows" });
  await expect(dialog).toContainText("No freeze is planned.");
  await dialog.getByRole("button", { name: "Add window" }).click();
  await expect(dialog.getByText("Enter a reason, shown to people affected by the freeze.")).toBeVisible();
  await dialog.getByLabel("Reason").fill("weekend");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Add window" }).click();
  await expect(page.getByText("Freeze window added")).toBeVisible();
  const row = dialog.getByRole("listitem").filter({ hasText: "Every Friday 16:00 to Monday 08:00" });
  await expect(row).toContainText("weekend. Added by");
  await expect(dialog).toContainText(/Next freeze: Friday.* 16:00 to Monday.* 08:00 \(UTC\), weekend/);
  const { windows } = await api.query("policies.freezeWindows");
  expect(windows).toMatchObject([{ times: { kind: "weekly", from: { day: 5, time: "16:00" } }, by: "Ada Lovelace" }]);

  // In the window itself it has to be lifted first.
  const frozen = await api.query("policies.frozen");
  if (frozen) await api.mutate("policies.liftFreezeWindows", { reason: "the test removes it" });
  await row.getByRole("button", { name: /Remove/ }).click();
  await expect(page.getByText("Freeze window removed")).toBeVisible();
  await expect(row).toHaveCount(0);
});

test("a window is announced, refuses changes until its end on every page, and is lifted with a reason", async ({
  page,
  api,
}) => {
  const name = fresh("windows");
  const { policyId } = await api.mutate("policies.publishByName", { name, source: TEXT("one") });
  const { draftVersion, latestRevision } = await api.query("policies.get", { policyId });
  const base = { baseVersion: draftVersion, baseRevision: latestRevision };
  await api.mutate("policies.saveDraft", { policyId, source: TEXT("two"), ...base });
  await page.goto("/policies");
  await page.getByRole("button", { name: "Freeze windows…" }).click();
  const dialog = page.getByRole("dialog", { name: "Freeze windows" });
  await dialog.getByRole("radio", { name: "Once" }).click();
  await dialog.getByLabel("From").fill(local(3 * HOUR_MS));
  await dialog.getByLabel("To").fill(local(2 * HOUR_MS));
  await dialog.getByLabel("Reason").fill("release week");
  await dialog.getByRole("button", { name: "Add window" }).click();
  await expect(dialog.getByText("The window must end after it begins.")).toBeVisible();
  await dialog.getByLabel("To").fill(local(5 * HOUR_MS));
  await dialog.getByRole("button", { name: "Add window" }).click();
  await expect(page.getByText("Freeze window added")).toBeVisible();
  await page.keyboard.press("Escape");
  await expectNotice(page, "Freeze planned", "Changes freeze");

  const times = { kind: "once", from: local(-HOUR_MS), to: local(2 * HOUR_MS) } as const;
  await api.mutate("policies.addFreezeWindow", { times, reason: "an audit" });
  for (const path of ["/", "/agents", `/policies/${policyId}`]) {
    await page.goto(path);
    await expectNotice(page, "Frozen", "an audit. No changes take effect.");
  }
  await expect(page.getByRole("region", { name: "Frozen" })).toContainText(/until [A-Z][a-z]+day \d\d:\d\d \(UTC\)/);
  await showText(page);
  await page.getByRole("button", { name: "Publish…" }).click();
  const publish = page.getByRole("dialog", { name: `Publish revision 2 of ${name}` });
  await expect(
    publish.getByText(/^The workspace is frozen until [A-Z][a-z]+day \d\d:\d\d \(UTC\): an audit$/),
  ).toBeVisible();
  await expect(publish.getByRole("button", { name: "Publish revision 2" })).toBeDisabled();
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  await page.getByRole("region", { name: "Frozen" }).getByRole("button", { name: "Lift the freeze…" }).click();
  const asked = page.getByRole("alertdialog");
  await asked.getByRole("button", { name: "Lift the freeze" }).click();
  await expect(asked.getByText("Enter the reason for lifting the freeze.")).toBeVisible();
  await asked.getByLabel("Reason").fill("an outage");
  await expectAccessible(page);
  await asked.getByRole("button", { name: "Lift the freeze" }).click();
  await expect(page.getByText("Freeze lifted")).toBeVisible();
  await expect(page.getByRole("region", { name: "Frozen" })).toHaveCount(0);
  await page.getByRole("button", { name: "Publish…" }).click();
  await publish.getByRole("button", { name: "Publish revision 2" }).click();
  await expect(page.getByText(`Revision 2 of ${name} is in force`)).toBeVisible();
});

test("the windows fit on a phone", async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const weekly = { kind: "weekly", from: { day: 5, time: "16:00" }, to: { day: 1, time: "08:00" } } as const;
  await api.mutate("policies.addFreezeWindow", { times: weekly, reason: "weekend" });
  await page.goto("/policies");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Freeze windows…" }).click();
  const dialog = page.getByRole("dialog", { name: "Freeze windows" });
  await expect(dialog.getByRole("listitem")).toContainText("Every Friday 16:00 to Monday 08:00");
  const box = await dialog.boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true);
  await expectAccessible(page);
});
