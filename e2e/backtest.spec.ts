import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";
import { sender } from "./fixtures/sender.ts";

const policy = (rule: string) => `profile: 2026-11
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - name: shell rules
          type: rules
          rules:
            - ${rule}
`;

test("a draft runs on recorded calls, and the result names less strict outcomes first, opens them and makes a test case", async ({
  page,
  api,
}) => {
  const name = fresh("guarded");
  const source = policy("{command: {program: git}, deny: no git}");
  const { policyId } = await api.mutate("policies.publishByName", { name, note: "", source });
  await api.mutate("policies.assign", { policyId, scope: "workspace" });
  const { send } = await sender(api, "agent");
  for (const cmd of ["git push", "rm -rf build", "ls"])
    await send("pre_tool_use", { tool_name: "shell", tool_input: { cmd } });
  const { latestRevision, draftVersion } = await api.query("policies.get", { policyId });
  const draft = policy("{command: {program: rm}, deny: no deletes}");
  await api.mutate("policies.saveDraft", {
    ...{ policyId, source: draft, baseRevision: latestRevision, baseVersion: draftVersion },
  });

  await page.goto(`/policies/${policyId}`);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Backtests" }).click();
  await expect(page.getByText("No backtests yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Start a backtest" }).click();
  const dialog = page.getByRole("dialog", { name: "Start a backtest" });
  await dialog.getByRole("button", { name: "Show the forecast" }).click();
  await expect(dialog.getByRole("status", { name: "Forecast" })).toContainText("3 calls, ");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Start the backtest" }).click();
  await expect(page).toHaveURL(/\/backtests\/[0-9a-f-]{36}$/);
  await expect(page.getByText("finished", { exact: true })).toBeVisible({ timeout: 90_000 });
  await expect(
    page.getByRole("status").filter({ hasText: "1 call of 3 would have a less strict outcome" }),
  ).toBeVisible();
  await expect(page.locator("section").filter({ hasText: "Calls that new rules would stop" })).toContainText("1 call");

  // By command, each group opens its calls.
  await page.getByRole("radio", { name: "Command" }).click();
  const groups = page.locator("details");
  await expect(groups.first()).toContainText("git push");
  await expect(groups.first()).toContainText("1 less strict");
  await groups.first().locator("summary").click();
  await expect(groups.first()).toContainText("deny → no verdict");
  await expect(groups.first().getByRole("link", { name: "Open git push" })).toBeVisible();
  await expect(page.getByText("no added cost")).toBeVisible();
  await expectAccessible(page);
  await groups.first().getByRole("button", { name: "Save as test case for git push" }).click();
  await expect(page.getByText("The test case expects the verdict deny.")).toBeVisible();
  const [kept] = await api.query("playground.cases", { policyId });
  expect(kept).toMatchObject({ expect: { verdict: "deny" } });

  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toContain(".csv");

  // The address alone shows the result, also on a phone.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await expect(
    page.getByRole("status").filter({ hasText: "1 call of 3 would have a less strict outcome" }),
  ).toBeVisible();
  await expect(page.locator("[data-page-header]").getByText("finished", { exact: true })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  await page.goto(`/policies/${policyId}/backtests`);
  await expect(page.getByText("current draft")).toBeVisible();
});

test("a changed call opens in the playground of the draft, and in the form of an exception", async ({ page, api }) => {
  const name = fresh("excepted");
  const source = policy("{command: {program: git}, deny: no git}");
  const { policyId } = await api.mutate("policies.publishByName", { name, note: "", source });
  await api.mutate("policies.assign", { policyId, scope: "workspace" });
  const { send } = await sender(api, "agent");
  await send("pre_tool_use", { tool_name: "shell", tool_input: { cmd: "git push" } });
  const { latestRevision, draftVersion } = await api.query("policies.get", { policyId });
  const draft = policy("{command: {program: git}, ask: a person decides}");
  const { version } = await api.mutate("policies.saveDraft", {
    ...{ policyId, source: draft, baseRevision: latestRevision, baseVersion: draftVersion },
  });
  const { id } = await api.mutate("backtest.start", { policyId, draftVersion: version, days: 1 });
  const openFlip = async () => {
    await page.goto(`/policies/${policyId}/backtests/${id}`);
    await expect(page.getByText("finished", { exact: true })).toBeVisible({ timeout: 90_000 });
    await page.locator("details").first().locator("summary").click();
  };

  await openFlip();
  await page.getByRole("link", { name: "Try git push in the playground" }).click();
  await expect(page).toHaveURL(/dispatch=.*beside=/);
  await expect(page.getByText("git push").first()).toBeVisible();

  await openFlip();
  await page.getByRole("link", { name: "Make an exception for git push" }).click();
  const dialog = page.getByRole("dialog", { name: "Create exception" });
  await expect(dialog).toContainText("git push");
  await dialog.getByLabel("Why").fill("The release script pushes.");
  await dialog.getByRole("button", { name: "Create exception" }).click();
  await expect(page.getByText("The exception is in force")).toBeVisible();
});
