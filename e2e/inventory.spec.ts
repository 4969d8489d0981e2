/** The inventory of tools: from an agent's first call to a rule that allows its tools and denies another one. */
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";
import { sender } from "./fixtures/sender.ts";

const POLICY = `profile: 2026-08
hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - name: no force
          type: rules
          rules:
            - deny: Ask for a review instead.
              command: { program: git, subcommand: push, flags: [force] }
`;

test("a tool first seen becomes an allow-list rule that denies another tool", async ({ page, api }) => {
  const policy = fresh("wiki access");
  const { agent, send } = await sender(api, "librarian");
  const { policyId } = await api.mutate("policies.publishByName", { name: policy, source: POLICY, note: "" });
  await api.mutate("policies.assign", { policyId, scope: "workspace" });
  const call = (tool_use_id: string, tool_name: string, tool_input: object = {}) =>
    send("pre_tool_use", { tool_name, tool_use_id, tool_input });

  await page.goto("/agents/tools");
  await expect(page.getByText("No tool was called in the last 30 days")).toBeVisible();
  await expectAccessible(page);

  // A tool is listed after its first call, without a reload.
  await call("one", "mcp__wiki__search", { query: "opening hours" });
  await call("two", "shell", { cmd: "ls" });
  const row = (name: string) => page.getByRole("grid", { name: "tools" }).getByRole("row").filter({ hasText: name });
  await expect(row("mcp__wiki__search")).toContainText("No rule", { timeout: 60_000 });
  await expect(row("shell")).toContainText("no force");
  await expectAccessible(page);

  await page.goto(`/agents/${(await api.query("agents.names")).find(({ name }) => name === agent)?.id}`);
  await expect(page.getByRole("list", { name: "Tools without a rule" })).toHaveText("mcp__wiki__search");

  await page.goto("/agents/tools?q=kind:mcp");
  await expect(row("shell")).toHaveCount(0);
  await page.getByRole("button", { name: `Create an allow list from mcp__wiki__search of ${agent}` }).click();
  const proposal = page.getByRole("dialog", { name: "Allow-list rule" });
  await expect(proposal).toContainText("1 tool of the MCP server wiki");
  await expect(page).toHaveTitle(/Tools/);
  await expectAccessible(page);
  await proposal.getByRole("link", { name: `Open ${policy}` }).click();

  const offer = page.getByRole("dialog", { name: "Add an allow-list rule" });
  await expect(offer.getByRole("region", { name: "Rule" })).toContainText("- search");
  await expectAccessible(page);
  await offer.getByRole("button", { name: "Add rule to the draft" }).click();
  await expect(offer).toBeHidden();
  await expect(page.getByText("Rule added to the draft")).toBeVisible();
  await page.getByRole("button", { name: /^Publish/ }).click();
  const publication = page.getByRole("dialog", { name: /^Publish/ });
  await publication.getByRole("button", { name: /^Publish/ }).click();
  await expect(publication).toBeHidden({ timeout: 30_000 });

  expect(await call("three", "mcp__wiki__delete_page", { page: "home" })).toMatchObject({
    hook_specific_output: { permission_decision: "deny" },
  });
  expect(await call("four", "mcp__wiki__search", { query: "address" })).toEqual({});
  expect(await call("five", "shell", { cmd: "ls" })).toEqual({});
  await page.goto("/agents/tools?q=kind:mcp");
  await expect(row("mcp__wiki__delete_page")).toContainText("listed tools of wiki");
  await expect(row("mcp__wiki__search")).toContainText("listed tools of wiki");
});

test("at 390 px tools are cards, and what fails says so", async ({ page, api }) => {
  const { send } = await sender(api, "pocket");
  await send("pre_tool_use", { tool_name: "fetch", tool_use_id: "one", tool_input: { url: "https://example.org" } });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/agents/tools");
  await expect(page.getByTitle("fetch", { exact: true })).toBeVisible({ timeout: 30_000 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
  await page.route("**/api/trpc/inventory.**", (route) => route.abort());
  await page
    .getByRole("searchbox")
    .or(page.getByRole("combobox", { name: /tools/ }))
    .first()
    .fill("anything");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^(Retry|Try again)/ })).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page);
});
