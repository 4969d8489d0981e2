/** Groups that find their agents by a name pattern: made on the page, given a policy, and followed by agents that come later. */
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";

const DENY = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - {name: stop, type: command, command: 'echo "not in production" >&2; exit 2'}
`;

async function isDenied(url: string, key: string): Promise<boolean> {
  const response = await fetch(`${url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "groups", tool_name: "shell", tool_input: { cmd: "ls" } }),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { decision?: string }).decision === "block"; // hook output
}

test("a group takes agents by a name pattern, and a policy of the group binds them, also those that come later", async ({
  page,
  api,
}) => {
  const stem = fresh("prod").replaceAll(" ", "-");
  const [web, jobs, other] = [`${stem}-web`, `${stem}-jobs`, fresh("laptop")];
  const [webKey, jobsKey, otherKey] = [await api.key(web), await api.key(jobs), await api.key(other)];
  const group = fresh("production");

  await page.goto("/agents/groups");
  await page.getByRole("button", { name: "New group" }).click();
  const dialog = page.getByRole("dialog", { name: "New group" });
  await dialog.getByLabel("Name", { exact: true }).fill(group);
  await dialog.getByRole("radio", { name: "Name pattern" }).click();
  await dialog.getByLabel("Pattern", { exact: true }).fill(`${stem}-*`);
  await expect(dialog).toContainText(`Matches 2 of 3 agents: ${jobs}, ${web}.`);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create group" }).click();
  await expect(dialog).toHaveCount(0);
  const groups = page.getByRole("list", { name: "Groups in order" });
  await expect(groups).toContainText(group);
  await expect(groups).toContainText(`${stem}-*`);

  const name = fresh("of a group");
  const { policyId } = await api.mutate("policies.create", { name });
  await page.goto(`/policies/${policyId}`);
  await page.getByRole("button", { name: "Edit assignments" }).click();
  await page.getByRole("radio", { name: /Chosen/ }).check();
  await page.getByRole("checkbox", { name: new RegExp(group) }).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(/^Assignments of .+ updated$/)).toBeVisible();
  await api.mutate("policies.publishByName", { name, source: DENY });
  expect([
    await isDenied(api.url, webKey),
    await isDenied(api.url, jobsKey),
    await isDenied(api.url, otherKey),
  ]).toEqual([true, true, false]);

  const late = `${stem}-late`;
  expect(await isDenied(api.url, await api.key(late))).toBe(true);
  await page.goto(`/agents?q=group:"${group}"`);
  const agents = page.getByRole("grid", { name: "agents" });
  for (const bound of [web, jobs, late])
    await expect(agents.getByRole("row").filter({ hasText: bound })).toContainText(name);
  await expect(agents).not.toContainText(other);
});
