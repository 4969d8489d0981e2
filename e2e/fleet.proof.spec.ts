/** A fleet's posture: an agent in yolo with an old client is found, and a policy is applied to its tag. */
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";

const VERDICTS = `hooks:
  pre_tool_use:
    - matcher: Bash
      hooks: [{ type: builtin, command: ask_a_person }]
`;

test("an agent in yolo with an outdated client is counted and found, and a policy reaches it by its tag", async ({
  page,
  api,
}) => {
  const [wild, quiet] = [fresh("wild"), fresh("quiet")];
  const key = await api.key(wild);
  await api.key(quiet);
  const response = await fetch(`${api.url}/api/v1/hooks/claude-code/PreToolUse`, {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${key}`, "content-type": "application/json" },
      "quarterdeck-client-version": "2.1.197",
    },
    body: JSON.stringify({
      ...{ session_id: fresh("s"), cwd: "/w", hook_event_name: "PreToolUse", permission_mode: "bypassPermissions" },
      ...{ tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: fresh("c") },
    }),
  });
  expect(response.status).toBe(200);
  const policy = fresh("guard");
  const { policyId } = await api.mutate("policies.create", { name: policy });

  await page.goto("/agents");
  const table = page.getByRole("grid", { name: "agents" });
  const counts = page.getByRole("region", { name: "Counts" });
  await counts.getByRole("button", { name: "1 in yolo" }).click();
  await expect(page).toHaveURL(/posture(:|%3A)yolo/);
  await expect(table.getByRole("link", { name: wild })).toBeVisible();
  await expect(table.getByRole("link", { name: quiet })).toHaveCount(0);
  await expect(counts.getByRole("button", { name: "1 outdated" })).toBeVisible();
  await expect(counts.getByRole("button", { name: "2 not drilled in 30 days" })).toBeVisible();
  await expect(table).toContainText("Claude Code 2.1.197");
  await expect(table.getByRole("row").filter({ hasText: wild })).toContainText("no drill yet");
  await expectAccessible(page);

  await page.setViewportSize({ width: 390, height: 844 });
  const card = page.getByRole("list", { name: "agents" }).getByRole("listitem").filter({ hasText: wild });
  await expect(card).toContainText("Claude Code 2.1.197");
  await expect(card).toContainText("no drill yet");
  await page.setViewportSize({ width: 1440, height: 900 });

  await table.getByRole("link", { name: wild }).click();
  await expect(
    page.getByText("Claude Code 2.1.197 is older than the first version whose hooks were checked."),
  ).toBeVisible();
  await page.getByRole("button", { name: "Set tags" }).click();
  await page.getByLabel("Tags").fill("prod, payments");
  await page.getByRole("button", { name: "Save tags" }).click();
  await expect(page.getByText("Tags saved")).toBeVisible();

  await page.goto(`/policies/${policyId}`);
  await api.mutate("policies.publishByName", { name: policy, source: VERDICTS });
  await api.mutate("policies.assign", { policyId, scope: "chosen", tags: ["prod"], groupIds: [], agentIds: [] });
  await page.goto("/agents?q=tag:prod");
  await expect(table.getByRole("row").filter({ hasText: wild })).toContainText(`${policy} r1`);
  await table.getByRole("link", { name: wild }).click();
  await expect(page.getByText("through tag prod")).toBeVisible();
});
