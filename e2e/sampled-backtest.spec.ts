import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";
import { type ModelStub, modelStub } from "./fixtures/model-stub.ts";
import { sender } from "./fixtures/sender.ts";

let stub: ModelStub;
test.beforeAll(async () => {
  stub = await modelStub();
});
test.afterAll(() => stub.stop());

const policy = (...hooks: readonly string[]) => `profile: 2026-11
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - {name: shell rules, type: rules, rules: [{command: {program: git}, deny: no git}]}
${hooks.map((hook) => `        - ${hook}`).join("\n")}
`;
const COMMAND = `{name: script, type: command, command: 'grep -q "rm -rf" && exit 2; exit 0'}`;

test("commands run and judges are asked on request, after a forecast and within a budget", async ({ page, api }) => {
  const connection = fresh("sampled").replaceAll(" ", "-");
  const price = { model: "tiny", input: 1_000_000_000n, output: 10_000_000_000n, cachedInput: null, cacheWrite: null };
  const limits = { callsPerDay: null, nanoPerDay: null };
  await api.mutate("judges.save", {
    ...{ name: connection, provider: "openai-compatible", baseUrl: stub.url, prices: [price], ...limits },
  });
  const { policyId } = await api.mutate("policies.publishByName", { name: fresh("guard"), note: "", source: policy() });
  await api.mutate("policies.assign", { policyId, scope: "workspace" });
  const { send } = await sender(api, "agent");
  for (const cmd of ["git push", "rm -rf build stub:deny", "ls stub:ask", "ls stub:ask"])
    await send("pre_tool_use", { tool_name: "shell", tool_input: { cmd } });
  const judge = `{name: judge, type: model, model: ${connection}/tiny, schema: pre_tool_use_decision, prompt: "{{ toJSON .ToolInput }}"}`;
  const { latestRevision, draftVersion } = await api.query("policies.get", { policyId });
  await api.mutate("policies.saveDraft", {
    ...{ policyId, source: policy(judge), baseRevision: latestRevision },
    baseVersion: draftVersion,
  });

  await page.goto(`/policies/${policyId}/backtests`);
  await page.getByRole("button", { name: "Start a backtest" }).click();
  const dialog = page.getByRole("dialog", { name: "Start a backtest" });
  await dialog.getByRole("checkbox", { name: "Run command hooks" }).click();
  await dialog.getByRole("checkbox", { name: "Ask judges" }).click();
  await dialog.getByRole("button", { name: "Show the forecast" }).click();
  await expect(dialog.getByText("Enter an amount in dollars, such as 0.50")).toBeVisible();
  await dialog.getByLabel("Budget ($)").fill("0.50");
  await dialog.getByRole("button", { name: "Show the forecast" }).click();
  const forecast = dialog.getByRole("status", { name: "Forecast" });
  await expect(forecast).toContainText("4 calls, ");
  await expect(forecast).toContainText("in the background");
  await expect(forecast).toContainText("Judges are asked about 3 of about 3 calls, at most $");
  await expect(forecast).toContainText("Commands: no call needs the result of a command.");
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(dialog.getByRole("button", { name: "Start the backtest" })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  // Other settings have another forecast.
  await dialog.getByLabel("Calls with judges").fill("100");
  await dialog.getByRole("button", { name: "Show the forecast" }).click();
  await dialog.getByRole("button", { name: "Start the backtest" }).click();
  await expect(page).toHaveURL(/\/backtests\/[0-9a-f-]{36}$/);
  await expect(page.getByText("finished", { exact: true })).toBeVisible({ timeout: 90_000 });

  const sample = page.locator("section").filter({ has: page.getByRole("heading", { name: "Sample" }) });
  await expect(sample).toContainText("Judges: 3 of 3 calls run");
  await expect(sample).toContainText(/1 from the cache, 2 asked, \$0\.0\d+ of \$0\.50/);
  await expect(sample).toContainText("its next answer may differ");
  await sample.getByText("Result of each call").click();
  await expect(sample.getByRole("listitem").filter({ hasText: "rm -rf build" })).toContainText("no verdict → deny");
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);

  await page.goto("/spend?range=1h");
  await expect(page.getByRole("region", { name: "Spent on judges" })).toContainText(/Backtests \$0\.0\d+ 2 questions/);
});

test("the result of each sampled command is listed, and calls outside of the sample stay unknown", async ({
  page,
  api,
}) => {
  const { policyId } = await api.mutate("policies.publishByName", { name: fresh("guard"), note: "", source: policy() });
  await api.mutate("policies.assign", { policyId, scope: "workspace" });
  const { send } = await sender(api, "agent");
  for (const cmd of ["rm -rf build", "ls", "make"])
    await send("pre_tool_use", { tool_name: "shell", tool_input: { cmd } });
  const { latestRevision, draftVersion } = await api.query("policies.get", { policyId });
  const { version } = await api.mutate("policies.saveDraft", {
    ...{ policyId, source: policy(COMMAND), baseRevision: latestRevision, baseVersion: draftVersion },
  });
  const sampled = { commands: 2, judges: null };
  const { id } = await api.mutate("backtest.start", { policyId, draftVersion: version, days: 1, sample: sampled });
  await page.goto(`/policies/${policyId}/backtests/${id}`);
  await expect(page.getByText("finished", { exact: true })).toBeVisible({ timeout: 90_000 });
  await expect(page.getByText("Commands: 2 of 3 calls run")).toBeVisible();
  await expect(
    page.getByText("The outcome depends on a command or a judge, and the call is outside the sample"),
  ).toBeVisible();
  await page.getByText("Result of each call").click();
  await expect(page.getByText(/^1 command, /).first()).toBeVisible();
  await expectAccessible(page);
});
