/** The person behind an agent: set on its page, found in the list of calls, and shown with each call. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import { found } from "./fixtures/script.ts";
import { sender } from "./fixtures/sender.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: "^shell$"
      hooks:
        - { name: no shell, type: command, command: 'echo "Not this one." >&2; exit 2' }
`;

const section = (page: Page) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: "Works for", exact: true }) });

async function chooseOwner(page: Page, option: string | RegExp): Promise<void> {
  await page.getByLabel("Works for", { exact: true }).click();
  await page.getByRole("option", { name: option }).click();
}

const agentIdOf = async (api: Script, name: string): Promise<string> =>
  found((await api.query("agents.names")).find((one) => one.name === name)).id;

test("an agent gets an owner, and its calls are found by that service or as those of an unknown person", async ({
  page,
  api,
}) => {
  const { send, agent, session } = await sender(api, "runner");
  const call = (cmd: string) =>
    send("pre_tool_use", { tool_name: "shell", tool_use_id: fresh("c"), tool_input: { cmd } });
  await api.mutate("policies.publishByName", { name: fresh("no shell"), source: POLICY });
  await call("echo before");

  await page.goto(`/agents/${await agentIdOf(api, agent)}`);
  await expect(section(page)).toContainText("Unknown person");
  await page.getByRole("button", { name: "Set owner" }).click();
  await chooseOwner(page, "A new service…");
  await page.getByRole("button", { name: "Save owner" }).click();
  await expect(page.getByText("Enter the name of the service.")).toBeVisible();
  await page.getByLabel("Name of the service").fill("nightly review");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save owner" }).click();
  await expect(section(page)).toContainText("nightly review");
  // Gates hear of an owner a moment after the page.
  await expect(async () => {
    await call("true");
    const range = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000) };
    const { rows: calls } = await api.query("decisions.calls", { range, filters: { session: [session] }, limit: 1 });
    expect(calls).toMatchObject([{ principal: { certainty: "stated" } }]);
  }).toPass();
  await call("echo after");

  await page.goto(`/activity?q=session:${session}`);
  const rows = page.getByRole("row");
  await expect(rows.filter({ hasText: "echo before" })).toBeVisible();
  await page.getByRole("combobox", { name: /^Filter/ }).fill("person:night");
  await page.getByRole("option", { name: /nightly review/ }).click();
  await expect(rows.filter({ hasText: "echo after" })).toBeVisible();
  await expect(rows.filter({ hasText: "echo before" })).toBeHidden();
  await expectAccessible(page);
  await rows.filter({ hasText: "echo after" }).getByText("echo after").click();
  const drawer = page.getByRole("dialog");
  await expect(drawer).toContainText("nightly review");
  await expect(drawer).toContainText("set on the agent's page");
  await page.keyboard.press("Escape");
  await page.goto(`/activity?q=${encodeURIComponent(`session:${session} person:unknown`)}`);
  await expect(rows.filter({ hasText: "echo before" })).toBeVisible();
  await expect(rows.filter({ hasText: "echo after" })).toBeHidden();
  await page.goto("/audit?q=kind:agent_owner_set");
  await expect(rows.filter({ hasText: "nightly review (stated)" })).toBeVisible();
});

test("a person has a page with their agents, calls and spend, and another who is the same is merged into it", async ({
  page,
  api,
}) => {
  const { send, agent } = await sender(api, "worker");
  const agentId = await agentIdOf(api, agent);
  const own = fresh("review bot");
  await api.mutate("principals.setOwner", { agentId, owner: { kind: "service", name: own } });
  await api.mutate("policies.publishByName", { name: fresh("no shell"), source: POLICY });
  await send("pre_tool_use", { tool_name: "shell", tool_use_id: "c1", tool_input: { cmd: "echo mine" } });
  await send("after_llm_call", { model_id: "openai/gpt-5", cost: 0.25, usage: { input_tokens: 10, output_tokens: 2 } });
  const other = await sender(api, "other");
  const twin = fresh("review bot two");
  const otherId = await agentIdOf(api, other.agent);
  await api.mutate("principals.setOwner", { agentId: otherId, owner: { kind: "service", name: twin } });

  await page.goto("/agents/people");
  await expect(page.getByRole("row").filter({ hasText: own })).toContainText("$0.25");
  await expectAccessible(page);
  await page.getByRole("link", { name: own, exact: true }).click();
  await expect(page.getByRole("link", { name: agent })).toBeVisible();
  await expect(page.getByText("echo mine")).toBeVisible();
  await expect(page.getByRole("list", { name: "Spend by agent" })).toContainText("$0.25");
  await expectAccessible(page);

  await page.goto("/agents/people");
  await page.getByRole("link", { name: twin, exact: true }).click();
  await page.getByRole("button", { name: "Merge…" }).click();
  await page.getByLabel("Merge into").click();
  await page.getByRole("option", { name: own, exact: true }).click();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Merge", exact: true }).click();
  await expect(page.getByText(`Merged with ${twin}`)).toBeVisible();
  await expect(page.getByRole("link", { name: other.agent })).toBeVisible();

  await page.goto("/agents");
  await page.getByRole("combobox", { name: "Filter agents" }).fill(`person:${own.slice(0, 6)}`);
  await page.getByRole("option", { name: own }).click();
  await expect(page.getByRole("row").filter({ hasText: agent })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: other.agent })).toBeVisible();
  await page.goto("/spend?view=groups&by=person&split=agent");
  await expect(page.getByRole("row").filter({ hasText: own })).toContainText("$0.25");
  await expectAccessible(page);
});

test("machines that join with a person's token work for that person", async ({ page, api }) => {
  const name = fresh("laptops");
  await page.goto("/agents/enrolment");
  await page.getByRole("button", { name: "New token" }).click();
  const dialog = page.getByRole("dialog", { name: "New enrolment token" });
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await chooseOwner(page, /\(you\)$/);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create token" }).click();
  const token = (await page.getByTestId("new-token").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  const joined = await fetch(`${api.url}/api/v1/join`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: fresh("laptop"), os_user: "someone" }),
  });
  const { agent_id: id } = (await joined.json()) as { agent_id: string };
  await page.goto(`/agents/${id}`);
  await expect(section(page)).toContainText("proven");
  await expect(section(page)).toContainText("from the enrolment token");
});

test("a policy is assigned to a service, binds its agents, and says why it binds them", async ({ page, api }) => {
  const { agent } = await sender(api, "worker");
  const agentId = await agentIdOf(api, agent);
  const [service, name] = [fresh("release bot"), fresh("no shell")];
  await api.mutate("principals.setOwner", { agentId, owner: { kind: "service", name: service } });
  const { policyId } = await api.mutate("policies.publishByName", { name, source: POLICY });

  await page.goto(`/policies/${policyId}`);
  await page.getByRole("button", { name: "Edit assignments" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Chosen tags, groups, people and agents/).check();
  await dialog.getByRole("checkbox", { name: service }).check();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(`the agents of ${service}`).first()).toBeVisible();

  await page.goto(`/agents/${agentId}`);
  const row = page.getByRole("list", { name: "Policies in order" }).getByRole("listitem").filter({ hasText: name });
  await expect(row).toContainText(`through its owner ${service}`);
  await expect(row).toContainText("its approval of a call does not count");
  await expectAccessible(page);
});
