/** "Always allow": nobody is asked about a call any more, and then people are asked again; and the effect of one from a denied call. */
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: "^shell$"
      hooks:
        - { type: builtin, command: ask_a_person, args: ["Is this meant for production?"] }
`;

test("an exception is made from a request, spares its like, and is ended", async ({ page, api }) => {
  const agent = fresh("worker");
  const name = fresh("guarded");
  const key = await api.key(agent);
  await api.mutate("policies.create", { name });
  await api.mutate("policies.publishByName", { name, source: POLICY });
  const call = async (cmd: string): Promise<string> => {
    const response = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: "daily", tool_name: "shell", tool_use_id: fresh("c"), tool_input: { cmd } }),
    });
    expect(response.status).toBe(200);
    return response.text();
  };
  expect(await call("gh pr view main")).toContain("Approval required");

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/approvals");
  const cards = page.getByRole("list", { name: "Calls to answer" }).locator(":scope > li");
  await cards.first().getByRole("button", { name: "Always allow…" }).click();
  const dialog = page.getByRole("dialog", { name: "Always allow" });
  await expect(dialog).toContainText("Calls to shell with exactly this input: gh pr view main");
  await expect(dialog).toContainText(`${agent}, only in the session daily`);
  await expect(dialog).toContainText(/Until\s*\d{1,2} \w{3,4} \d{4}, \d\d:\d\d \(/);
  await expect(dialog).toContainText("it would have covered 1 call of 1 agent in 1 session: 1 sent for approval.");
  await expect(dialog).toContainText("it would have avoided 1 request: 1 not answered yet.");
  const examples = dialog.getByRole("list", { name: "Examples" });
  await expect(examples.getByRole("listitem")).toContainText(["gh pr view main"]);
  await expectAccessible(page);
  await dialog.getByLabel("Calls").click();
  await page.getByRole("option", { name: "commands that begin with gh pr view", exact: true }).click();
  await dialog.getByLabel("Applies to").click();
  await page.getByRole("option", { name: "this agent" }).click();
  await expect(dialog).toContainText("Calls of shell with a command that begins with gh pr view");
  await dialog.getByRole("button", { name: "Always allow" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Enter a one-line reason");
  await dialog.getByLabel("Why").fill("We read all day");
  await dialog.getByRole("button", { name: "Always allow" }).click();
  await expect(page.getByText("No pending approvals")).toBeVisible();

  await page.goto("/approvals/exceptions");
  const row = page.getByRole("list", { name: "Exceptions" }).getByRole("listitem").first();
  await expect(row).toContainText("In force");
  await expect(row).toContainText("We read all day");
  expect(await call("gh pr view feature")).not.toContain("Approval required");
  expect(await call("gh pr --force")).toContain("Approval required");
  await expectAccessible(page);

  await page.setViewportSize({ width: 1440, height: 900 });
  await row.getByRole("button", { name: "End…" }).click();
  const ending = page.getByRole("alertdialog", { name: "End this exception?" });
  await ending.getByLabel("Why it ends").fill("The release is out");
  await ending.getByRole("button", { name: "End exception" }).click();
  await expect(row).toContainText("Ended");
  await expect(row).toContainText("The release is out");
  expect(await call("gh pr view feature")).toContain("Approval required");
});

test("an exception from a denied call says what it would have allowed, as it is edited", { tag: "@proof" }, async ({
  page,
  api,
}) => {
  const [agent, name] = [fresh("worker"), fresh("guarded")];
  const key = await api.key(agent);
  await api.mutate("policies.create", { name });
  const source = `hooks:
  pre_tool_use:
    - matcher: "^fetch$"
      hooks: [{ type: command, name: no-fetch, command: "echo never >&2; exit 2" }]
`;
  await api.mutate("policies.publishByName", { name, source });
  for (const cmd of ["kubectl get one", "kubectl get two", "kubectl get one"]) {
    const response = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: "daily", tool_name: "fetch", tool_use_id: fresh("c"), tool_input: { cmd } }),
    });
    expect(await response.text()).toContain("never");
  }

  await page.goto("/activity");
  await page
    .getByRole("row", { name: /kubectl get one/ })
    .first()
    .click();
  await page.getByRole("link", { name: "Add an exception…" }).click();
  const dialog = page.getByRole("dialog", { name: "Create exception" });
  await expect(dialog).toContainText("Calls to fetch with exactly this input");
  await expect(dialog).toContainText("it would have covered 2 calls of 1 agent in 1 session: 2 denied.");
  await dialog.getByLabel("Calls").click();
  await page.getByRole("option", { name: "commands that begin with kubectl get", exact: true }).click();
  await expect(dialog).toContainText("it would have covered 3 calls of 1 agent in 1 session: 3 denied.");
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);

  const href = await dialog.getByRole("link", { name: "See decisions about fetch in Calls" }).getAttribute("href");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(href ?? "");
  await expect(page.getByRole("row", { name: /kubectl get/ })).toHaveCount(3);
});
