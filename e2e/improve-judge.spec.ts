/** A judge that denied wrongly: from the decision to its prompt, proven on labels, and to some agents first. */
import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, found, fresh, type Script, test } from "./fixtures/console.ts";
import { type ModelStub, modelStub } from "./fixtures/model-stub.ts";
import { sender } from "./fixtures/sender.ts";
import { address, invite, join, stranger } from "./pages/accounts.ts";

let stub: ModelStub;
test.beforeAll(async () => {
  stub = await modelStub();
});
test.afterAll(() => stub.stop());

const tinyName = (what: string) => fresh(what).replaceAll(" ", "-");
/** The most clicks from the decision to the canary; a share that reaches no agent takes one more. */
const CLICKS_MAX = 9;

/** A published prompt that denies every call, in a policy of two agents, and three calls that it denied. */
async function world(api: Script) {
  const connection = tinyName("strict");
  const tool = fresh("tool").replaceAll(" ", "_");
  const price = { input: 1_000_000_000n, output: 10_000_000_000n, cachedInput: null, cacheWrite: null };
  const shared = { provider: "openai-compatible" as const, baseUrl: stub.url, callsPerDay: null, nanoPerDay: null };
  await api.mutate("judges.save", { name: connection, ...shared, prices: [{ model: "tiny", ...price }] });
  const name = tinyName("judge");
  const { promptId } = await api.mutate("prompts.create", { name });
  const opened = await api.query("prompts.get", { promptId });
  // The only model of the workspace is chosen.
  expect(opened.text.model).toBe(`${connection}/tiny`);
  const text = { ...opened.text, template: "stub:deny {{ .ToolInput.command }}" };
  await api.mutate("prompts.publish", { promptId, ...text, note: "", baseRevision: 0, draftVersion: 0 });
  const senders = [await sender(api, "first"), await sender(api, "second")];
  const policy = fresh("judged");
  const source = `# Stays as it is.
hooks:
  pre_tool_use:
    - matcher: ${tool}
      hooks:
        - {type: model, name: strict judge, judge: ${name}@1, model: ${text.model}, schema: pre_tool_use_decision, prompt: "stub:deny {{ .ToolInput.command }}"}
`;
  const { policyId } = await api.mutate("policies.create", { name: policy });
  const agents = await api.query("agents.list");
  const agentIds = agents.filter(({ name: agent }) => senders.some((one) => one.agent === agent)).map(({ id }) => id);
  await api.mutate("policies.assign", { policyId, scope: "chosen", groupIds: [], agentIds });
  await api.mutate("policies.publishByName", { name: policy, source });
  const call = (command: string) => ({
    session_id: "s",
    tool_use_id: command,
    tool_name: tool,
    tool_input: { command },
  });
  for (const command of ["ls -la", "cat README.md", "git status"])
    await found(senders[0]).send("pre_tool_use", call(command));
  return { name, promptId, policy, policyId, tool };
}

/** Counts the clicks of a journey. */
function counter(page: Page) {
  let clicks = 0;
  return {
    click: async (target: Locator) => {
      clicks += 1;
      await target.click();
    },
    type: async (text: string) => {
      await page.getByRole("textbox", { name: "Template" }).focus();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.press("Delete");
      await page.keyboard.type(text);
    },
    clicks: () => clicks,
  };
}

test("a wrong decision is labelled, its judge improved, proven and in canary, in nine clicks and one text", async ({
  page,
  api,
}) => {
  const { name, policy, policyId, promptId } = await world(api);
  const { click, type, clicks } = counter(page);
  const dialog = page.getByRole("dialog");
  await page.goto("/");
  await click(page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: /^Activity/ }));
  await click(page.getByRole("row").filter({ hasText: "ls -la" }).first());
  const label = dialog.getByRole("region", { name: "Your label" });
  await expect(label).toBeVisible();
  await page.keyboard.press("2");
  await expect(label.getByRole("button", { name: /Should have allowed/ })).toHaveAttribute("aria-pressed", "true");
  await expectAccessible(page);
  await click(label.getByRole("link", { name: "Improve this judge" }));

  // The prompt opens with this call in its preview.
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview).toContainText("Expected verdict: allow");
  await expect(preview.getByRole("region", { name: "Prompt" })).toContainText("stub:deny ls -la");
  await type("stub:allow {{ .ToolInput.command }}");
  const asked = stub.asked.length;
  await click(page.getByRole("button", { name: "New trial…" }));
  await expect(dialog.getByRole("combobox", { name: "Calls from" })).toContainText(
    "Labelled calls first, then other judged calls",
  );
  await expectAccessible(page);
  await click(dialog.getByRole("button", { name: "Start the trial" }));

  // Both texts were asked about each call once, and are side by side.
  await expect(page.getByRole("region", { name: "Labelled calls" })).toContainText(/: 1 correct, 0 wrong/);
  await expect(page.getByRole("radio", { name: "Changed 3" })).toBeVisible();
  expect(stub.asked.length - asked).toBe(6);
  await expect(page.getByText("1 newly right")).toBeVisible();
  // A row is labelled by key, without its drawer.
  await page.getByRole("row").filter({ hasText: "git status" }).focus();
  await page.keyboard.press("1");
  await expect(page.getByRole("region", { name: "Labelled calls" })).toContainText(/: 2 correct, 0 wrong/);
  await expectAccessible(page);

  await click(page.getByRole("button", { name: "Publish…" }));
  await expect(dialog).toContainText("1 policy with this judge");
  await click(dialog.getByRole("radio", { name: "Some agents first (canary)" }));
  const effect = dialog.getByRole("list", { name: "Effect on the policies" });
  await expect(effect).toContainText(/10 % of 2 agents = /);
  const larger = dialog.getByRole("button", { name: /^Use \d+ %$/ });
  if (await larger.isVisible()) {
    await expect(dialog.getByRole("button", { name: /^Publish revision 2/ })).toBeDisabled();
    await click(larger);
  }
  await expect(effect).toContainText(/Revision 2 for \d+ % of 2 agents = .*The other agents stay on revision 1/);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await click(dialog.getByRole("button", { name: "Publish revision 2 and start the canary" }));
  await expect(page.getByText(`${name}@2 is published`)).toBeVisible();
  await expect(page.getByText(`Revision 2 of ${policy} is in canary on`)).toBeVisible();
  expect(clicks()).toBeLessThanOrEqual(CLICKS_MAX);

  const { canary, liveRevision, source } = await api.query("policies.get", { policyId });
  expect({ canary: canary?.revision, liveRevision }).toEqual({ canary: 2, liveRevision: 1 });
  expect(source).toContain(`judge: ${name}@2`);
  expect(source).toContain("stub:allow {{ .ToolInput.command }}");
  expect(source).toContain("# Stays as it is.");
  expect((await api.query("prompts.get", { promptId })).latestRevision).toBe(2);
});

test("a policy with a draft keeps its revision, and a policy that refuses is named", async ({ page, api }) => {
  const { name, policy, policyId, promptId } = await world(api);
  const dialog = page.getByRole("dialog");
  const publish = async (text: string, number: number) => {
    const { draftVersion, text: before } = await api.query("prompts.get", { promptId });
    await api.mutate("prompts.saveDraft", {
      ...{ promptId, ...before, template: text },
      ...{ baseVersion: draftVersion, baseRevision: number - 1 },
    });
    await page.goto(`/policies/prompts/${promptId}`);
    await page.getByRole("button", { name: "Publish…" }).click();
    await dialog.getByRole("radio", { name: "All agents at once" }).check();
  };
  await publish("stub:allow {{ .ToolInput.command }}", 2);
  await expect(dialog).toContainText("Revision 2 applies to 2 agents at once.");
  // The workspace is frozen while the dialog is open.
  await api.mutate("policies.freeze", { reason: "Release week" });
  await dialog.getByRole("button", { name: "Publish revision 2 and update the policies" }).click();
  await expect(page.getByText(`${name}@2 is published, but a policy was not updated`)).toBeVisible();
  await expect(page.getByText(`${policy} keeps its revision:`)).toBeVisible();
  await api.mutate("policies.unfreeze");
  expect(await api.query("policies.get", { policyId })).toMatchObject({ latestRevision: 1 });

  const { source, draftVersion } = await api.query("policies.get", { policyId });
  const { version } = await api.mutate("policies.saveDraft", {
    ...{ policyId, source: `${source}# Another change.\n` },
    ...{ baseVersion: draftVersion, baseRevision: 1 },
  });
  await publish("stub:ask {{ .ToolInput.command }}", 3);
  await expect(dialog).toContainText("has a draft and keeps its revision");
  await expect(dialog.getByRole("button", { name: /^Publish revision 3/ })).toBeDisabled();
  await dialog.getByRole("radio", { name: "Keep the policies' current revisions" }).check();
  await dialog.getByRole("button", { name: "Publish revision 3" }).click();
  await expect(page.getByText(`${name}@3 is published`)).toBeVisible();
  expect(await api.query("policies.get", { policyId })).toMatchObject({
    ...{ latestRevision: 1, draftVersion: version },
  });
});

test("a viewer sees the decision and its label, and can give none", async ({ api, browser }) => {
  await world(api);
  const viewer = await stranger(browser);
  await join(viewer, await invite(api, address("vera"), "viewer"), "Vera Rubin");
  await viewer.goto("/activity");
  await viewer.getByRole("row").filter({ hasText: "ls -la" }).first().click();
  const label = viewer.getByRole("dialog").getByRole("region", { name: "Your label" });
  await expect(label.getByRole("button", { name: /Should have allowed/ })).toBeDisabled();
  await expect(label.getByRole("textbox")).toBeDisabled();
  await viewer.keyboard.press("2");
  await expect(label.getByRole("link", { name: "Improve this judge" })).toBeVisible();
  await expect(label.getByText("Take back")).toHaveCount(0);
  await expectAccessible(viewer);
});
