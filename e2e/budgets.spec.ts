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
  await expect(dialog.getByText("Enter a name.")).toBeVisible();
  await dialog.getByLabel("Name").fill(budget);
  await dialog.getByRole("combobox", { name: "For" }).click();
  await page.getByRole("option", { name: "one agent" }).click();
  await dialog.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: agent }).click();
  await dialog.getByLabel("Amount in dollars").fill("1");
  await dialog.getByLabel(/^Block calls/).click();
  await expect(dialog.getByText(`Blocks ${agent}.`)).toBeVisible();
  // It starts filled in, and the buttons stay in sight.
  await expect(dialog.getByLabel(/^Maximum cost of one call/)).toHaveValue("0.20");
  await expect(dialog).toContainText("No priced call yet: 0.20 is an example.");
  await expect(dialog.getByRole("button", { name: "Save budget" })).toBeInViewport({ ratio: 1 });
  await dialog.getByLabel(/^Maximum cost of one call/).fill("0.60");
  await dialog.getByRole("button", { name: "Save budget" }).click();
  const row = page.getByRole("list", { name: "Budgets" }).getByRole("listitem").filter({ hasText: budget });
  await expect(row).toContainText("within budget");
  await expect(row).toContainText(`Blocks ${agent}.`);

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

test("a blocking budget without budget_guard offers a policy that has it", async ({ page, api }) => {
  const agent = fresh("unguarded");
  await api.key(agent);
  await page.goto("/spend/budgets");
  await page.getByRole("button", { name: "New budget" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("kept while the policy is made");
  await dialog.getByLabel(/^Block calls/).click();
  await expect(dialog.getByText(`Blocks no agent: ${agent} has no budget_guard.`)).toBeVisible();
  await dialog.getByRole("button", { name: "Create a budget_guard policy" }).click();
  const draft = dialog.getByRole("link", { name: "Publish the draft" });
  await expect(draft).toBeVisible();
  await expectAccessible(page);
  await expect(dialog.getByLabel("Name")).toHaveValue("kept while the policy is made");

  const [policy] = await api.query("policies.list");
  await expect(draft).toHaveAttribute("href", `/policies/${policy?.id}`);
  const { source } = await api.query("policies.get", { policyId: policy?.id ?? "" });
  await api.mutate("policies.publishByName", { name: policy?.name ?? "", source, note: "" });
  await expect(dialog.getByText(`Blocks ${agent}.`)).toBeVisible();
});
