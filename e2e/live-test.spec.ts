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

test("a draft runs on live calls without effect, and its result has an address, groups, a file and an end", async ({
  page,
  api,
}) => {
  const name = fresh("guarded");
  const source = policy("{command: {program: git}, deny: no git}");
  const { policyId } = await api.mutate("policies.publishByName", { name, note: "", source });
  await api.mutate("policies.assign", { policyId, scope: "workspace" });
  const { send } = await sender(api, "agent");
  const call = (cmd: string) => send("pre_tool_use", { tool_name: "shell", tool_input: { cmd } });

  await page.goto(`/policies/${policyId}/backtests`);
  await expect(page.getByRole("button", { name: "Start a live test…" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Start a backtest" })).toBeDisabled();
  await expect(page.getByText("The policy has no draft. Change its text to run it on recorded calls.")).toBeVisible();
  await expect(page.getByText(/^The draft runs on/)).toHaveCount(0);
  const { latestRevision, draftVersion } = await api.query("policies.get", { policyId });
  const draft = policy("{command: {program: rm}, deny: no deletes}");
  await api.mutate("policies.saveDraft", {
    ...{ policyId, source: draft, baseRevision: latestRevision, baseVersion: draftVersion },
  });
  await page.reload();
  await page.getByRole("button", { name: "Start a live test…" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Test the draft on live calls without enforcing it?" });
  await expect(dialog.getByLabel("Processor time, %")).toHaveValue("10");
  await expectAccessible(page);
  await dialog.getByLabel("Processor time, %").fill("51");
  await dialog.getByRole("button", { name: "Start the live test" }).click();
  await expect(dialog.getByText("Enter a whole percentage from 1 to 50.")).toBeVisible();
  await dialog.getByLabel("Processor time, %").fill("50");
  await dialog.getByRole("button", { name: "Start the live test" }).click();
  await expect(page).toHaveURL(/\/backtests\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { name: "Live test" })).toBeVisible();

  // The draft has no effect on what agents hear.
  const answers = [await call("git push"), await call("rm -rf build"), await call("ls")];
  expect(answers.map((answer) => JSON.stringify(answer).includes("no deletes"))).toEqual([false, false, false]);
  expect(JSON.stringify(answers[0])).toContain("no git");

  await expect(page.getByText("Checked 3 calls, all since its start.")).toBeVisible({ timeout: 90_000 });
  await expect(
    page.getByRole("status").filter({ hasText: "1 call of 3 would have a less strict outcome" }),
  ).toBeVisible();
  await page.getByRole("radio", { name: "Command" }).click();
  await expect(page.locator("details").first()).toContainText("git push");
  await page.locator("details").first().locator("summary").click();
  await expect(page.getByRole("link", { name: "Try git push in the playground" })).toBeVisible();
  await expectAccessible(page);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toContain(".csv");
  const address = page.url();

  // The policy's page says it at the draft, also on a phone, and never that the draft is in force.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/policies/${policyId}`);
  const strip = page.getByRole("region", { name: "Live test" });
  await expect(strip).toContainText("1 call would be newly denied of 3 checked");
  await expect(strip).not.toContainText("in force");
  await expectAccessible(page);
  await strip.getByRole("link", { name: "Open the live test" }).click();
  await expect(page).toHaveURL(address);
  await expect(page.getByRole("button", { name: "End the live test" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "End the live test" }).click();
  await expect(page.getByText("Stopped by")).toBeVisible();
  await page.goto(`/policies/${policyId}/backtests`);
  await expect(page.getByText("live calls, using up to 50 % of a processor")).toBeVisible();
  await expectAccessible(page);
});
