import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";

test("a hard budget is made, refuses the call that would not fit, and shows it", async ({ page, api }) => {
  const [agent, budget] = [fresh("spender"), fresh("tight")];
  const key = await api.key(agent);
  const source = "hooks:\n  before_llm_call:\n    - {name: purse, type: builtin, command: budget_guard}\n";
  await api.mutate("policies.publishByName", { name: fresh("budget policy"), source, note: "" });

  await page.goto("/spend/budgets");
  await page.getByRole("button", { name: "New budget" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Save budget" }).click();
  await expect(dialog.getByText("Enter an amount in dollars, such as 250 or 12.50.")).toBeVisible();
  // The list is shown in place, and typing narrows it.
  await dialog.getByRole("combobox", { name: "For" }).fill(agent);
  await expect(dialog.getByRole("option")).toHaveCount(1);
  await dialog.getByRole("option", { name: agent }).click();
  await expect(dialog.getByLabel("Name")).toHaveValue(`${agent}, each day`);
  await dialog.getByLabel("Name").fill(budget);
  await dialog.getByLabel("Amount in dollars").fill("0.1");
  // An error shows while typing, not after Save.
  await expect(dialog.getByText("The maximum cost of one call can't exceed the budget.")).toBeVisible();
  await dialog.getByLabel("Amount in dollars").fill("1");
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await expect(dialog.getByLabel(/^Block calls/)).toBeChecked();
  await expect(dialog.getByText(`The budget blocks ${agent}.`)).toBeVisible();
  // It starts filled in, and the buttons stay in sight.
  await expect(dialog.getByLabel(/^Maximum cost of one call/)).toHaveValue("0.20");
  await expect(dialog).toContainText("No model call has a price yet, so 0.20 is only an example.");
  await expect(dialog.getByRole("button", { name: "Save budget" })).toBeInViewport({ ratio: 1 });
  await dialog.getByLabel(/^Maximum cost of one call/).fill("0.60");
  await dialog.getByRole("button", { name: "Save budget" }).click();
  const row = page.getByRole("list", { name: "Budgets" }).getByRole("listitem").filter({ hasText: budget });
  await expect(row).toContainText("within budget");
  await expect(row).toContainText(`The budget blocks ${agent}.`);

  const ask = async () => {
    const response = await fetch(`${api.url}/api/v1/hooks/before_llm_call`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: agent, model_id: "lab/one", iteration: 1 }),
    });
    return ((await response.json()) as { decision?: string }).decision ?? "none"; // hook output JSON
  };
  expect([await ask(), await ask()]).toEqual(["none", "block"]);
  await expect(row).toContainText("$0.60 reserved");
  await expect(row).toContainText("1 refused");
  await expect(row).toContainText("closed");

  await row.getByRole("button", { name: budget }).click();
  await expectAccessible(page);
  await expect(dialog).toContainText(
    `message to the agent's user: Budget "${budget}": $0.60 of $1.00 spent or reserved; this call needs up to $0.60.`,
  );
  await dialog.getByRole("button", { name: "Release" }).click();
  await expect(dialog.getByText("within budget", { exact: true })).toBeVisible();
  await dialog.getByRole("link", { name: `${agent}, lab/one` }).click();
  await expect(page).toHaveURL(/\/activity/);
  await expect(dialog).toContainText("model call");
  await expect(dialog).toContainText(`Budget "${budget}": $0.60 of $1.00 spent or reserved`);
});

test("a daily limit for a team blocks its agents with one save, and counts Claude Code", async ({ page, api }) => {
  const [agent, claude, group] = [fresh("guarded"), fresh("counted"), fresh("team")];
  const key = await api.key(agent);
  const ask = async (path: string, key: string, input: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(`${api.url}/api/v1/hooks/${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(input),
    });
    return (await response.json()) as { decision?: string }; // hook output JSON
  };
  const call = {
    ...{ hook_event_name: "PreToolUse", session_id: "s", transcript_path: "/t.jsonl", cwd: "/srv" },
    ...{ permission_mode: "default", tool_name: "Bash", tool_use_id: "call_1", tool_input: { command: "ls" } },
  };
  await ask("claude-code/pre_tool_use", await api.key(claude), call);
  const clientOf = async () => (await api.query("agents.search", { names: [claude] })).rows[0]?.client;
  await expect.poll(clientOf).toBe("claude-code");
  const members = (await api.query("agents.list")).filter(({ name }) => [agent, claude].includes(name));
  const { groupId } = await api.mutate("agents.createGroup", { name: group });
  await api.mutate("agents.setGroupMembers", { groupId, agentIds: members.map(({ id }) => id) });
  await page.goto("/");
  await page.getByRole("link", { name: "Spend", exact: true }).click();
  await page.getByRole("link", { name: "Budgets", exact: true }).click();
  await page.getByRole("button", { name: "New budget" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("option", { name: group }).click();
  await dialog.getByLabel("Amount in dollars").fill("0.3");
  await expect(dialog.getByLabel(`Add a policy with budget_guard for ${agent}`)).toBeChecked();
  await expect(
    dialog.getByText(`The budget blocks ${agent}. The budget counts but does not block ${claude}`),
  ).toBeVisible();
  await expect(dialog).toContainText("each unpriced call counts as $0.20");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save budget" }).click();
  await expect(dialog).toHaveCount(0);
  const row = page.getByRole("list", { name: "Budgets" }).getByRole("listitem").filter({ hasText: group });
  await expect(row).toContainText("$0.30 a day for the group");
  await expect(row).toContainText(`The budget blocks ${agent}. The budget counts but does not block ${claude}`);
  const model = { session_id: "s", model_id: "a/b", iteration: 1 };
  const answers = [await ask("before_llm_call", key, model), await ask("before_llm_call", key, model)];
  expect(answers.map(({ decision }) => decision)).toEqual([undefined, "block"]);
});
