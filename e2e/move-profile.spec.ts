import type { Page } from "@playwright/test";
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";
import { sender } from "./fixtures/sender.ts";

/** Its scanner is found by a variable and installed nowhere: the script ends with 127. */
const SCANNED = `profile: "2026-07"
hooks:
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks:
        - name: scanned
          type: command
          command: '"$SCANNER" --stdin'
          env: { SCANNER: no-such-scanner }
`;
const GATE = '"scanned" on pre_tool_use';

const notice = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });

test("a gate of 2026-07 whose program is missing allows, is counted, and denies after the move", async ({
  page,
  api,
}) => {
  const name = fresh("scanned");
  const { policyId } = await api.mutate("policies.publishByName", { name, note: "", source: SCANNED });
  await api.mutate("policies.assign", { policyId, scope: "workspace" });
  const { send } = await sender(api, "agent");
  const call = () => send("pre_tool_use?lane=preempt_yolo", { tool_name: "shell", tool_input: { cmd: "ls" } });
  expect(await call()).toEqual({});
  expect(await call()).toEqual({});

  // The page and the linter say that it allows, and how often it did.
  await page.goto(`/policies/${policyId}`);
  const warning = notice(page, "allows the call when the hook fails");
  await expect(async () => {
    await page.reload();
    await expect(warning).toContainText(`${GATE}: failed and allowed 2 calls in 30 days`, { timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
  await expect(
    page
      .getByRole("region", { name: "Problems" })
      .getByText(/"scanned" on pre_tool_use allows when it fails/i)
      .first(),
  ).toBeVisible();
  await expectAccessible(page);

  // The move is a draft with its changes and its backtest.
  await page.getByRole("button", { name: "Move the draft to profile 2026-11…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("The draft uses profile 2026-11.");
  await expect(dialog).toContainText(`${GATE}: failed and allowed 2 calls in 30 days`);
  await expect(dialog).toContainText("The policy follows docker-agent 2026-11 instead of 2026-07.");
  await expect(dialog).toContainText(/scanned.*denies when it fails/);
  await expect(dialog).toContainText("This policy would answer 2 of 2 recorded events differently", {
    timeout: 60_000,
  });
  await expect(dialog).toContainText("denies calls that it left undecided before: 2 of 2 events");
  await expectAccessible(page);
  expect(await call()).toEqual({});

  await dialog.getByRole("button", { name: "Publish revision 2" }).click();
  await expect(page.getByText(`Revision 2 of ${name} is in force`)).toBeVisible();
  expect(await call()).toMatchObject({
    decision: "block",
    reason: expect.stringContaining("scanned"),
  });
  await expect(warning).toBeHidden();
});

test("publishing a gate of 2026-07 says that it allows", async ({ page, api }) => {
  const { policyId } = await api.mutate("policies.create", { name: fresh("scanned"), source: SCANNED });
  await page.goto(`/policies/${policyId}`);
  await page.getByRole("button", { name: "Publish…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(notice(page, "1 gate of this draft allows calls when they fail.")).toBeVisible();
  await expect(dialog).toContainText(/line 7: "scanned" on pre_tool_use allows when it fails/);
});

test("the move of a gate that would only label is refused, and a rule is added by one button", async ({
  page,
  api,
}) => {
  const name = fresh("commands");
  const source = `profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks:
        - { name: commands, type: builtin, command: safer_shell }
`;
  const { policyId } = await api.mutate("policies.publishByName", { name, note: "", source });
  await api.mutate("policies.saveDraft", {
    ...{ policyId, source: source.replace("2026-08", "2026-11") },
    ...{ baseVersion: 0, baseRevision: 1 },
  });
  await page.goto(`/policies/${policyId}`);
  await page.getByRole("button", { name: "Publish…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("1 gate of this draft only labels calls.");
  await dialog.getByRole("button", { name: "Publish revision 2" }).click();
  await expect(page.getByText(/only labels calls in 2026-11.*type: rules/).last()).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("region", { name: "Problems" }).getByRole("button", { name: "Add a rule that asks" }).click();
  await page.getByRole("button", { name: "Publish…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish revision 2" }).click();
  await expect(page.getByText(`Revision 2 of ${name} is in force`)).toBeVisible();
  const { send } = await sender(api, "agent");
  const call = (cmd: string) => send("pre_tool_use?lane=preempt_yolo", { tool_name: "shell", tool_input: { cmd } });
  expect(await call("make")).toMatchObject({ hook_specific_output: { permission_decision: "ask" } });
});
