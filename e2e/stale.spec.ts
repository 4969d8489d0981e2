/** A page that lost its connection: it says so, also where the rail is hidden, and refuses acts. */
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";

const STALE_MS = 30_000;
const GATE = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks: [{ name: no deletes, type: rules, rules: [{ deny: no deletes, command: { program: rm } }] }]
`;

test("a narrow page without updates says that it is stale, and does not say that nothing waits", async ({
  page,
  api,
}) => {
  const agent = fresh("reader");
  await api.mutate("policies.publishByName", { name: fresh("gate"), source: GATE, note: "" });
  await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${await api.key(agent)}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: agent, tool_name: "shell", tool_use_id: "1", tool_input: { cmd: "ls" } }),
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await expect(page.getByText("Nothing waits for you")).toBeVisible();
  await page.route("**/api/trpc/events.changes**", (route) => route.abort());
  await page.reload();
  await expect(page.getByRole("status").getByText(/^Stale since/)).toBeVisible({ timeout: STALE_MS });
  await expect(page.getByText("Nothing waited for you at the last update")).toBeVisible();
  await expect(page.getByText("Nothing waits for you")).toHaveCount(0);
  await expectAccessible(page);
});

test("an act without a network is refused, and is not done when the network is back", async ({ page }) => {
  const name = fresh("later");
  await page.goto("/agents/groups");
  await page.getByRole("button", { name: "New group" }).first().click();
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill(name);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Create group" }).click();
  await expect(page.getByText("The console could not be reached.", { exact: false }).first()).toBeVisible();
  await page.context().setOffline(false);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Groups", exact: true }).first()).toBeVisible();
  await expect(page.getByText(name)).toHaveCount(0);
});
