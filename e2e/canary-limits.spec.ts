/** A canary with limits denies too much, and is withdrawn by itself. */
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";

const NONE = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - {name: say nothing, type: command, command: "true"}
`;
const DENY = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - {name: stop all, type: command, command: "exit 2"}
`;
const CALLS = 40;

async function call(api: Script, key: string, id: number): Promise<void> {
  const response = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      session_id: "limits",
      tool_name: "shell",
      tool_use_id: `c${id}`,
      tool_input: { cmd: "ls" },
    }),
  });
  expect(response.status).toBe(200);
}

test("a canary that denies more than its limit is withdrawn, with the reason and its calls", async ({ page, api }) => {
  const [insider, outsider] = [fresh("insider"), fresh("outsider")];
  const [inKey, outKey] = [await api.key(insider), await api.key(outsider)];
  const agents = await api.query("agents.list");
  const idOf = (name: string) => agents.find((agent) => agent.name === name)?.id ?? "";
  const group = fresh("first");
  const { groupId } = await api.mutate("agents.createGroup", { name: group });
  await api.mutate("agents.setGroupMembers", { groupId, agentIds: [idOf(insider)] });
  const name = fresh("limits");
  const { policyId } = await api.mutate("policies.create", { name });
  const agentIds = [idOf(insider), idOf(outsider)];
  await api.mutate("policies.assign", { policyId, scope: "chosen", groupIds: [], agentIds });
  await api.mutate("policies.publishByName", { name, source: NONE });
  const rollout = { kind: "canary" as const, share: 0, groupId };
  await api.mutate("policies.publishByName", { name, source: DENY, rollout });

  await page.goto(`/policies/${policyId}`);
  const strip = page.getByRole("region", { name: "Canary", exact: true });
  await strip.getByRole("button", { name: "Change share…" }).click();
  const dialog = page.getByRole("alertdialog");
  const limits = dialog.getByRole("checkbox", { name: "Withdraw the canary when it exceeds a limit" });
  await expect(limits).not.toBeChecked();
  await limits.check();
  await expect(dialog).toContainText("return to revision 1, even if more calls are then allowed");
  await dialog.getByLabel("Denials").fill("0");
  await dialog.getByRole("button", { name: "Change canary" }).click();
  await expect(dialog.getByRole("alert").first()).toContainText("whole number from 1 to 99");
  await dialog.getByLabel("Denials").fill("10");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Change canary" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(strip).toContainText("The canary's limits have not been checked yet.");

  for (let id = 0; id < CALLS; id += 1) await Promise.all([call(api, inKey, id), call(api, outKey, id)]);
  const withdrawn = page.getByRole("region", { name: "Withdrawn canary" });
  await expect(withdrawn).toContainText("Canary of revision 2 withdrawn", { timeout: 60_000 });
  await expect(withdrawn).toContainText(/denials 100 % \(other agents 0 %\) of \d+ calls; the limit is 10 points/);
  await expect(strip).toHaveCount(0);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await withdrawn.getByRole("link").first().click();
  await expect(page.getByRole("dialog")).toContainText("stop all");
  await page.goto("/audit");
  await expect(page.getByText(`withdrew the canary of revision 2 of ${name}`).first()).toBeVisible();
});
