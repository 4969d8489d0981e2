/** A text that cannot work is refused, and an admin overrides the refusal with a reason. */
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";
import { policyText, showText } from "./pages/policy-editor.ts";

const SLOW = `profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - {name: scan, type: command, command: "cat >/dev/null", timeout: 90}
        - {name: ask the registry, type: command, command: "cat >/dev/null", timeout: 60}
`;
const HARMLESS = `profile: "2026-11"
hooks:
  stop:
    - {name: say, type: command, command: "true"}
`;

test("limits that no client waits for block a policy until an admin overrides them", async ({ page, api }) => {
  const name = fresh("slow");
  const { policyId } = await api.mutate("policies.create", { name, source: SLOW });
  await page.goto(`/policies/${policyId}`);
  await showText(page);
  const problems = page.getByRole("region", { name: "Problems" });
  await expect(problems).toContainText("1 finding blocks publication");
  await expect(problems).toContainText('90 s for "scan" and 60 s for "ask the registry" add up to 150 s');
  const bars = problems.getByRole("region", { name: "Time limits of gates and of clients" });
  await expect(bars).toContainText("waits 110 s, 40 s short");
  await expectAccessible(page);

  await page.getByRole("button", { name: "Publish…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("1 finding blocks this draft");
  await expect(dialog.getByRole("region", { name: "Time limits of gates and of clients" })).toBeVisible();
  const press = dialog.getByRole("button", { name: "Publish revision 1" });
  await expect(press).toBeDisabled();
  await dialog.getByLabel("Reason", { exact: true }).fill("Both end within a second.");
  await dialog.getByLabel(`Type ${name} to continue`).fill(name);
  await expectAccessible(page);
  await press.click();
  await expect(dialog).toHaveCount(0);
  const state = page.getByRole("region", { name: "State", exact: true });
  await expect(state).toContainText("Revision 1 took effect despite 1 finding");
  await expect(state).toContainText("Both end within a second.");
  await page.goto(`/policies/${policyId}?view=revisions&revision=1`);
  await expect(page.getByRole("dialog")).toContainText("gate-longer-than-caller");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/policies/${policyId}`);
  await expect(state).toContainText("despite 1 finding");
  await expectAccessible(page);
  await page.goto("/audit");
  await expect(page.getByText(`overrode 1 finding that blocks revision 1 of ${name}`).first()).toBeVisible();
});

test("a revision whose program is missing is rolled back to only with an override", async ({ page, api }) => {
  const name = fresh("program");
  const gate = HARMLESS.replace("stop:", "user_prompt_submit:").replace('"true"', '"quarterdeck-absent-program"');
  const { policyId } = await api.mutate("policies.publishByName", { name, source: HARMLESS });
  const rules = ["gate-program-missing" as const];
  await expect(api.mutate("policies.publishByName", { name, source: gate })).rejects.toThrow("not in the sandbox");
  const override = { typed: name, reason: "It is installed tonight.", rules };
  await api.mutate("policies.publishByName", { name, source: gate, override });
  await api.mutate("policies.publishByName", { name, source: `${HARMLESS}# 3\n` });

  await page.goto(`/policies/${policyId}?view=revisions&revision=2`);
  const drawer = page.getByRole("dialog");
  await expect(drawer).toContainText("It is installed tonight.");
  await drawer.getByRole("button", { name: "Roll back…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Roll back to revision 2" }).click();
  await expect(page.getByRole("region", { name: "State", exact: true })).toContainText("It is installed tonight.");
  await expect(
    policyText(page)
      .or(page.getByRole("region", { name: "State", exact: true }))
      .first(),
  ).toBeVisible();
});
