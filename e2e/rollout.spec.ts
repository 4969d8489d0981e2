/** From the first try to everyone and back: canary, promote, roll back, only observe, freeze; groups and why. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, found, fresh, type Script, test } from "./fixtures/console.ts";
import { expectNotice } from "./fixtures/notices.ts";
import { showText } from "./pages/policy-editor.ts";

const DENY = (word: string) => `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - {name: stop ${word}, type: command, command: 'if grep -q ${word}; then echo "${word} is denied" >&2; exit 2; fi'}
`;

async function denies(api: Script, key: string, cmd: string): Promise<boolean> {
  const response = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "rollout", tool_name: "shell", tool_input: { cmd } }),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { decision?: string }).decision === "block"; // hook output
}

/** Two agents, the first of them in a group, and a policy of one revision for both. */
async function scene(api: Script) {
  const [insider, outsider] = [fresh("insider"), fresh("outsider")];
  const [inKey, outKey] = [await api.key(insider), await api.key(outsider)];
  const agents = await api.query("agents.list");
  const idOf = (name: string) => agents.find((agent) => agent.name === name)?.id ?? "";
  const group = fresh("first");
  const { groupId } = await api.mutate("agents.createGroup", { name: group });
  await api.mutate("agents.setGroupMembers", { groupId, agentIds: [idOf(insider)] });
  const name = fresh("rollout");
  const { policyId } = await api.mutate("policies.create", { name });
  const agentIds = [idOf(insider), idOf(outsider)];
  await api.mutate("policies.assign", { policyId, scope: "chosen", groupIds: [], agentIds });
  await api.mutate("policies.publishByName", { name, source: DENY("one") });
  return { name, policyId, group, groupId, insider, inKey, outKey, insiderId: idOf(insider) };
}

const editor = (page: Page) => page.getByRole("textbox", { name: "Policy text, YAML" });

async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
  await expect(page.getByText(/^(?:No errors|\d+ gates? allows? on failure)/)).toBeVisible();
}

test("a revision is tried in a group, promoted, and rolled back with one click and back", async ({ page, api }) => {
  const { name, policyId, group, inKey, outKey } = await scene(api);
  await page.goto(`/policies/${policyId}`);
  await showText(page);
  await write(page, DENY("two"));
  await page.getByRole("button", { name: "Publish…" }).click();
  await page.getByRole("radio", { name: "Some agents first (canary)" }).check();
  await page.getByLabel("Share of the agents, percent").fill("0");
  await expect(page.getByRole("alert")).toContainText("A canary needs a share of the agents or a group.");
  await expect(page.getByRole("button", { name: "Publish revision 2" })).toBeDisabled();
  await page.getByLabel("Include all agents of this group").click();
  await page.getByRole("option", { name: group }).click();
  await expect(page.getByText("Agents outside the canary stay on revision 1.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Publish revision 2" }).click();
  await expect(page.getByText(`Revision 2 of ${name} is in canary`)).toBeVisible();
  const strip = page.getByRole("region", { name: "Canary" });
  await expect(strip).toContainText(`revision 2 for group ${group}, 1 agent of 2; the other 1 is on revision 1`);
  expect([await denies(api, inKey, "two"), await denies(api, outKey, "two")]).toEqual([true, false]);
  expect([await denies(api, inKey, "one"), await denies(api, outKey, "one")]).toEqual([false, true]);
  await expectAccessible(page);

  await strip.getByRole("button", { name: "Promote…" }).click();
  await page.getByRole("button", { name: "Promote", exact: true }).click();
  await expect(page.getByText("Revision 2 is in force for all agents")).toBeVisible();
  await expect(strip).toHaveCount(0);
  expect(await denies(api, outKey, "two")).toBe(true);

  await page.getByRole("radio", { name: /Revisions/ }).click();
  await page.goto(`/policies/${policyId}?view=revisions&revision=1`);
  await page.getByRole("dialog").getByRole("button", { name: "Roll back…" }).click();
  const asked = page.getByRole("alertdialog");
  await expect(asked).toContainText("The revision applies to 2 agents");
  await expect(asked).toContainText("Revision 2 will no longer be in force, but stays under Revisions.");
  await asked.getByRole("button", { name: "Roll back to revision 1" }).click();
  await expect(page.getByText(`Revision 1 of ${name} is in force`)).toBeVisible();
  expect([await denies(api, inKey, "one"), await denies(api, inKey, "two")]).toEqual([true, false]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText(`Revision 2 of ${name} is in force`)).toBeVisible();
  expect(await denies(api, inKey, "two")).toBe(true);
});

test("a policy that is only observed is loud, counted and closed again", async ({ page, api }) => {
  const { name, policyId, inKey, insiderId } = await scene(api);
  await page.goto(`/policies/${policyId}`);
  await page.getByRole("button", { name: "Switch to monitor mode…" }).click();
  await expect(page.getByText("calls the policy denies will run, for 2 agents")).toBeVisible();
  await expect(page.getByText("When monitor mode ends, the policy is enforced automatically.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Switch to monitor mode", exact: true }).click();
  const banner = page.getByRole("region", { name: "Observed only" });
  await expect(banner).toContainText("calls the policy denies still run");
  expect(await denies(api, inKey, "one")).toBe(false);
  await expect(banner).toContainText("The policy would have denied 1 of 1 gate call.");
  await banner.getByRole("button", { name: "Effect if enforced" }).click();
  await expect(page.getByRole("dialog")).toContainText("one is denied");
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  await page.goto("/");
  await expectNotice(page, "Observed only", `${name} is observed only.`);
  await page.goto(`/agents?open=${insiderId}`);
  const applying = page
    .getByRole("list", { name: "Policies in order" })
    .getByRole("listitem")
    .filter({ hasText: name });
  await expect(applying).toContainText("revision 1, observed only");
  await expect(applying).toContainText("through this agent itself");
  await expectAccessible(page);

  await page.goto(`/policies/${policyId}`);
  await banner.getByRole("button", { name: "Enforce now…" }).click();
  await page.getByRole("button", { name: "Enforce now", exact: true }).click();
  await expect(page.getByText(`${name} is enforced`)).toBeVisible();
  expect(await denies(api, inKey, "one")).toBe(true);
});

test("groups are made, applied to and ordered by keyboard", async ({ page, api }) => {
  const { name, policyId, insider, inKey, outKey } = await scene(api);
  const group = fresh("nightly");
  await page.goto("/agents/groups");
  await page.getByRole("button", { name: "New group" }).click();
  await page.getByLabel("Name", { exact: true }).fill(group);
  await page.getByLabel(insider, { exact: true }).check();
  await page.getByRole("button", { name: "Create group" }).click();
  const groups = page.getByRole("list", { name: "Groups in order" });
  await expect(groups).toContainText(group);
  await expectAccessible(page);

  await page.goto(`/policies/${policyId}`);
  await page.getByRole("button", { name: "Edit assignments" }).click();
  await page.getByLabel(insider, { exact: true }).uncheck();
  await page.getByLabel(group, { exact: true }).check();
  await expect(page.getByText(`The policy also applies to agents that join group ${group} later.`)).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(`group ${group} and outsider`, { exact: false })).toBeVisible();
  expect([await denies(api, inKey, "one"), await denies(api, outKey, "one")]).toEqual([true, true]);

  await page.goto("/agents/groups");
  await groups.getByRole("button", { name: `Delete ${group}` }).click();
  await page.getByRole("button", { name: "Delete group" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("Remove the group from these policies first.");
  await page.getByRole("button", { name: "Cancel" }).click();
  // Closing, the dialog gives the focus back to the button that opened it.
  await expect(page.getByRole("alertdialog")).toBeHidden();
  await groups.getByRole("button", { name: `Move ${group} up` }).press("Enter");
  await expect.poll(async () => (await api.query("agents.groups")).map((one) => one.name).at(-1)).not.toBe(group);

  const other = fresh("second policy");
  await api.mutate("policies.publishByName", { name: other, source: "hooks: {}\n" });
  const idIn = async (list: "policies.list" | "agents.groups", sought: string) =>
    found((await api.query(list)).find((one) => one.name === sought)).id;
  const otherId = await idIn("policies.list", other);
  const groupIds = [await idIn("agents.groups", group)];
  await api.mutate("policies.assign", { policyId: otherId, scope: "chosen", groupIds, agentIds: [] });
  await page.goto("/policies");
  await page.getByRole("button", { name: "Priority…" }).click();
  await page.getByLabel("Of", { exact: true }).click();
  await page.getByRole("option", { name: `Group ${group}` }).click();
  const list = page.getByRole("list", { name: "Policies in order" });
  await expect(list.getByRole("listitem")).toHaveText([new RegExp(name), new RegExp(other)]);
  await list.getByRole("button", { name: `Move ${other} up` }).press("Alt+ArrowUp");
  await expect(list.getByRole("listitem")).toHaveText([new RegExp(other), new RegExp(name)]);
  await expectAccessible(page);
  // The live update overtakes the answer, as it may while the machine is busy.
  await page.route(/\/api\/trpc\/[^?]*policies\.reorder\b/, async (route) => {
    const updated = page.waitForResponse(/\/api\/trpc\/[^?]*policies\.order\b/);
    const response = await route.fetch();
    await updated;
    await route.fulfill({ response });
  });
  await page.getByRole("button", { name: "Save order" }).click();
  await expect(page.getByText("Order saved")).toBeVisible();
});

test("a freeze stands on every page, refuses in words, and a brake still works with a reason", async ({
  page,
  api,
}) => {
  const { name, policyId, inKey } = await scene(api);
  await api.mutate("policies.publishByName", { name, source: DENY("two") });
  await page.goto("/policies");
  await page.getByRole("button", { name: "Freeze changes…" }).click();
  await page.getByLabel("Reason").fill("release week.");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Freeze", exact: true }).click();
  const banner = await expectNotice(page, "Frozen", "release week.");
  await page.goto("/activity");
  await expectNotice(page, "Frozen", "release week.");
  await page.goto(`/policies/${policyId}`);
  await showText(page);
  await write(page, DENY("three"));
  await expect(page.getByText("Draft saved").first()).toBeVisible();
  await page.getByRole("button", { name: "Publish…" }).click();
  await page.getByRole("button", { name: "Publish revision 3" }).click();
  await expect(
    page.getByRole("dialog").getByText(/Changes cannot take effect until the freeze is lifted/),
  ).toBeVisible();
  await page.keyboard.press("Escape");

  await page.goto(`/policies/${policyId}?view=revisions&revision=1`);
  await page.getByRole("dialog").getByRole("button", { name: "Roll back…" }).click();
  await page.getByRole("button", { name: "Roll back to revision 1" }).click();
  await expect(page.getByText("Enter the reason for acting during the freeze.")).toBeVisible();
  await page.getByLabel("Reason for acting during the freeze").fill("two denies every deploy");
  await page.getByRole("button", { name: "Roll back to revision 1" }).click();
  await expect(page.getByText(`Revision 1 of ${name} is in force`)).toBeVisible();
  expect(await denies(api, inKey, "one")).toBe(true);
  await page.keyboard.press("Escape");
  await banner.getByRole("button", { name: "Lift the freeze…" }).click();
  await page.getByRole("button", { name: "Lift the freeze", exact: true }).click();
  await expect(banner).toHaveCount(0);
});
