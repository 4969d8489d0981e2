/** A policy read as sentences: its state, its rules with their results, and acts that can be undone. */
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";
import { sender } from "./fixtures/sender.ts";

const SOURCE = `profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - name: careful pushes
          type: rules
          rules:
            - deny: Use a branch of your own.
              command: { program: git, subcommand: push, flags: [force] }
            - ask: A release needs a person.
              command: { program: npm, subcommand: publish }
    - matcher: shell
      hooks:
        - name: narrow gate
          type: rules
          rules:
            - deny: Disks stay as they are.
              command: { program: mkfs }
`;

test("a policy says its state and its rules in sentences, with results, gaps and forms", async ({ page, api }) => {
  const name = fresh("sentences");
  const { policyId } = await api.mutate("policies.publishByName", { name, note: "", source: SOURCE });
  const { agent, send } = await sender(api, "reader");
  const call = (command: string) => ({ tool_name: "Bash", tool_use_id: command, tool_input: { command } });
  for (const command of ["git push --force", "git push -f origin main", "ls"])
    await send("pre_tool_use", call(command));
  await page.goto(`/policies/${policyId}`);
  const state = page.getByRole("region", { name: "State" });
  await expect(state).toContainText("In force for 1 agent; 1 of 1 can be stopped by it.", { timeout: 30_000 });
  const gate = page.getByRole("region", { name: "(pre_tool_use)" });
  const careful = gate.getByRole("list", { name: "careful pushes" });
  await expect(careful.getByRole("button")).toHaveCount(2);
  const push = careful.getByRole("button", { name: /^Before a shell command \(.*\): deny git push with force\./ });
  await expect(push).toContainText("“Use a branch of your own.”");
  await expect(gate).toContainText("2 rules of careful pushes · 2 denied in 24 h · never overturned", {
    timeout: 60_000,
  });
  await expect(gate).toContainText("Not run yet (in force for");
  await expect(
    gate.getByText(`This rule cannot apply to 1 of 1 agent: ${agent} names its shell tool Bash.`),
  ).toBeVisible();
  await expectAccessible(page);

  await push.click();
  await expect(push).toHaveAttribute("aria-expanded", "true");
  await expect(gate.getByLabel("Reason")).toHaveValue("Use a branch of your own.");
  await gate.getByLabel("Reason").fill("Open a pull request.");
  await expect(push).toContainText("“Open a pull request.”");
  await expectAccessible(page);

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(push).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
});

test("a publication and an assignment are undone from the toast, and refused once the policy has changed", async ({
  page,
  api,
}) => {
  const name = fresh("undone");
  await sender(api, "bound");
  const { policyId } = await api.mutate("policies.publishByName", { name, note: "", source: SOURCE });
  const state = page.getByRole("region", { name: "State" });
  const assignToNone = async () => {
    await page.getByRole("button", { name: "Edit assignments" }).click();
    await page.getByRole("radio", { name: /^No agents/ }).check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(state).toContainText("Assigned to no agent, so the policy stops no calls.");
  };
  await page.goto(`/policies/${policyId}`);
  await assignToNone();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText(`${name} is assigned as before`)).toBeVisible();
  await expect(state).toContainText("In force for 1 agent");
  expect(await api.query("policies.get", { policyId })).toMatchObject({ scope: "workspace" });

  await assignToNone();
  await api.mutate("policies.publishByName", { name, note: "", source: `${SOURCE}# newer\n` });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(
    page.getByText("Nothing was undone: the policy was changed again since.", { exact: false }),
  ).toBeVisible();
  expect(await api.query("policies.get", { policyId })).toMatchObject({ scope: "nobody" });
  await page.goto("/audit");
  await expect(page.getByText(`undid the assignment of ${name}`, { exact: false })).toBeVisible();
});
