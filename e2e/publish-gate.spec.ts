/** The backtest in the publish dialog, and the requirements that a text meets before it takes effect. */
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
const FINISHED = { timeout: 90_000 };

test("a looser text shows its backtest, is refused until it is reviewed, and an earlier revision asks for a backtest", async ({
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
  await api.mutate("policies.saveDraft", {
    ...{ policyId, source: policy("{command: {program: rm}, deny: no deletes}") },
    ...{ baseRevision: latestRevision, baseVersion: draftVersion },
  });

  await page.goto("/settings/publishing");
  await page.getByRole("checkbox", { name: "Each call with a less strict or unknown outcome is reviewed" }).check();
  await page.getByLabel("Maximum new denials on any day of the backtest").fill("many");
  await page.getByRole("button", { name: "Save requirements" }).click();
  await expect(page.getByText("Enter a whole number, or leave the field empty.")).toBeVisible();
  await page.getByLabel("Maximum new denials on any day of the backtest").fill("5");
  await page.getByRole("button", { name: "Save requirements" }).click();
  await expect(page.getByText("Publish requirements saved")).toBeVisible();
  await expect(page.getByText(/^Set by/)).toBeVisible();
  await expectAccessible(page);

  await page.goto(`/policies/${policyId}`);
  await page.getByRole("button", { name: "Publish…" }).click();
  const dialog = page.getByRole("dialog");
  const counts = dialog.getByRole("list", { name: "Changed calls" });
  await expect(counts).toContainText("1 less strict", FINISHED);
  await expect(counts).toContainText("1 stricter");
  await expect(counts).toContainText("1 newly denied");
  await expect(
    dialog.getByText("2 of 3 calls would have a different outcome than with the policies in force."),
  ).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await dialog.getByRole("link", { name: "Open the backtest" }).scrollIntoViewIfNeeded();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await dialog.getByRole("button", { name: "Publish revision 2" }).click();
  await expect(
    dialog.getByText(/requires a review of less strict and unknown outcomes. The backtest has 1 less strict/),
  ).toBeVisible();
  await dialog.getByRole("button", { name: "Mark as reviewed" }).click();
  await expect(dialog.getByText(/^Reviewed by/)).toBeVisible();
  await dialog.getByRole("button", { name: "Publish revision 2" }).click();
  await expect(page.getByText(`Revision 2 of ${name} is in force`)).toBeVisible();

  // The revision before needs a backtest and a review of its own.
  await page.goto(`/policies/${policyId}?view=revisions&revision=1`);
  await page.getByRole("dialog").getByRole("button", { name: "Roll back…" }).click();
  await page.getByRole("button", { name: "Roll back to revision 1" }).click();
  const stopped = page.getByRole("dialog", { name: "A publish requirement is not met" });
  await expect(stopped).toContainText("requires a backtest of exactly this text");
  await expect(stopped.getByRole("button", { name: "Emergency…" })).toBeVisible();
  await expectAccessible(page);
  await stopped.getByRole("button", { name: "Backtest revision 1" }).click();
  await expect(page).toHaveURL(/\/backtests\/[0-9a-f-]{36}$/);
  await page.getByRole("button", { name: "Mark as reviewed" }).click(FINISHED);
  await expect(page.getByText(/^Reviewed by/)).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/policies/${policyId}?view=revisions&revision=1`);
  await page.getByRole("dialog").getByRole("button", { name: "Roll back…" }).click();
  await page.getByRole("button", { name: "Roll back to revision 1" }).click();
  await expect(page.getByText(`Revision 1 of ${name} is in force`)).toBeVisible();
});

test("without recorded calls the dialog names the effect as unknown", async ({ page, api }) => {
  const source = policy("{command: {program: git}, deny: no git}");
  const { policyId } = await api.mutate("policies.create", { name: fresh("new"), source });
  await page.goto(`/policies/${policyId}`);
  await page.getByRole("button", { name: "Publish…" }).click();
  await expect(
    page.getByRole("dialog").getByText("No calls in the last 30 days to run. The effect of the draft is unknown."),
  ).toBeVisible(FINISHED);
});

test("a required injection score is shown for each judge in the publish dialog, and refuses below it", async ({
  page,
  api,
}) => {
  const name = fresh("judged");
  const harmless = policy("{command: {program: git}, deny: no git}");
  const { policyId } = await api.mutate("policies.publishByName", { name, note: "", source: harmless });
  const { latestRevision, draftVersion } = await api.query("policies.get", { policyId });
  const judge = `        - {name: shell judge, type: model, model: absent/tiny, schema: pre_tool_use_decision, prompt: "{{ fenced .ToolInput }}"}\n`;
  await api.mutate("policies.saveDraft", {
    ...{ policyId, source: harmless + judge, baseRevision: latestRevision, baseVersion: draftVersion },
  });

  await page.goto("/settings/publishing");
  const score = page.getByLabel("Injection tests that each judge must pass, percent");
  await score.fill("101");
  await page.getByRole("button", { name: "Save requirements" }).click();
  await expect(page.getByText("Enter 1 to 100 percent.")).toBeVisible();
  await score.fill("90");
  await page.getByRole("button", { name: "Save requirements" }).click();
  await expect(page.getByText("Publish requirements saved")).toBeVisible();

  await page.goto(`/policies/${policyId}`);
  await page.getByRole("button", { name: "Publish…" }).click();
  const dialog = page.getByRole("dialog");
  const scores = dialog.getByRole("list", { name: "Injection scores" });
  await expect(scores).toContainText("shell judge");
  await expect(scores).toContainText("no finished injection test");
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await scores.scrollIntoViewIfNeeded();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await dialog.getByRole("button", { name: "Publish revision 2" }).click();
  await expect(
    dialog.getByText(/requires an injection score of at least 90 % for each judge: shell judge/),
  ).toBeVisible();
});

test("where reviews of looser calls are required, a second person accepts that a policy is removed", async ({
  page,
  api,
}) => {
  const name = fresh("kept");
  const source = policy("{command: {program: git}, deny: no git}");
  const { policyId } = await api.mutate("policies.publishByName", { name, note: "", source });
  const none = { needsBacktest: false, newDenialsMax: null, needsPassingCases: false, injectionMin: null };
  await api.mutate("policies.setRequirements", { ...none, needsReview: true });
  await expect(api.mutate("policies.remove", { policyId })).rejects.toThrow("requires a review of changes");
  await page.goto(`/policies/${policyId}`);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Delete the policy…" }).click();
  const asked = page.getByRole("alertdialog");
  await asked.getByRole("textbox").fill(name);
  await asked.getByRole("button", { name: "Delete policy" }).click();
  const stopped = page.getByRole("dialog", { name: "This change needs a second person" });
  await expect(stopped).toContainText("Another person must accept this change.");
  await expectAccessible(page);
  await stopped.getByRole("button", { name: "Ask a second person" }).click();
  await expect(page.getByText("Change sent to a second person")).toBeVisible();
});
