import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";

test("approval sources are counted by kind, leads to the calls, and is kept as a view", async ({ page, api }) => {
  const agent = fresh("passer");
  const key = await api.key(agent);
  const tell = (approval_decision: string, approval_source: string) =>
    fetch(`${api.url}/api/v1/hooks/on_tool_approval_decision`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        session_id: agent,
        tool_name: "shell",
        tool_use_id: fresh("call"),
        tool_input: { cmd: "ls" },
        approval_decision,
        approval_source,
      }),
    });
  for (const source of ["yolo", "user_approved", "user_approved"])
    expect((await tell("allow", source)).status).toBe(200);
  expect((await tell("deny", "user_rejected")).status).toBe(200);

  await page.goto("/activity?range=1h");
  await page.getByRole("link", { name: "Approval paths" }).click();
  await expect(page).toHaveURL(/\/activity\/approval-paths\?range=1h$/);
  const lines = page.getByRole("table", { name: "agents and tools" });
  const line = lines.getByRole("row").filter({ hasText: agent });
  await expect(line).toContainText(/2\s67\s%/);
  await page.getByRole("radio", { name: "Not passed" }).click();
  await expect(line).toContainText(/1\s100\s%/);
  await page.getByRole("button", { name: "Show the data as a table" }).first().click();
  await expect(page.getByRole("table").first()).toContainText("Person");
  await expectAccessible(page);

  const view = fresh("refused by people");
  await page.getByRole("button", { name: "Saved views" }).click();
  await page.getByLabel("View name").fill(view);
  await page.getByRole("button", { name: "Save view" }).click();
  await page.goto("/activity/approval-paths");
  await page.getByRole("button", { name: "Saved views" }).click();
  await page.getByRole("link", { name: view }).click();
  await expect(page.getByRole("radio", { name: "Not passed" })).toBeChecked();
  await line.getByRole("link").first().click();
  await expect(page.getByRole("grid", { name: "calls" }).getByRole("row").filter({ hasText: "Denied" })).toHaveCount(1);
});
