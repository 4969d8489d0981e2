import type { Page } from "@playwright/test";
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import { sender } from "./fixtures/sender.ts";
import { showText } from "./pages/policy-editor.ts";

const DENY = (word: string) => `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - {name: stop ${word}, type: command, command: 'if grep -q ${word}; then echo "${word} is denied" >&2; exit 2; fi'}
`;

const RULE = `profile: 2026-08
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - {name: stop, type: rules, rules: [{deny: This is forbidden., command: {program: forbidden}}]}
`;

async function judge(api: Script, key: string, cmd: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "e2e", tool_name: "shell", tool_input: { cmd } }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>; // hook output
}

const editor = (page: Page) => page.getByRole("textbox", { name: "Policy text, YAML" });

/** Replaces the whole text, as a person would. */
async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

async function open(page: Page, api: Script, source: string): Promise<{ name: string; id: string }> {
  const name = fresh("policy");
  const { policyId } = await api.mutate("policies.create", { name, source });
  await page.goto(`/policies/${policyId}`);
  await showText(page);
  return { name, id: policyId };
}

test("a policy is created, put right, published and denies; then undone", async ({ page, api }) => {
  const name = fresh("shell rules");
  const key = await api.key(fresh("agent"));
  await page.goto("/policies");
  await page.getByRole("button", { name: "New policy" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create policy" }).click();
  await showText(page);
  await expect(page.getByText(/^(?:No errors|\d+ gates? allows? on failure)/)).toBeVisible();
  await expectAccessible(page);

  // A problem stands at its line, and blocks publication in words.
  await write(page, "hooks:\n  stp: []\n");
  const problem = page
    .getByRole("region", { name: "Problems" })
    .getByRole("button", { name: /line 2.*did you mean "stop"/ });
  await expect(problem).toBeVisible();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByText("1 problem to fix before publishing.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Publish revision 1" })).toBeDisabled();
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  await write(page, DENY("forbidden"));
  await expect(page.getByText(/^(?:No errors|\d+ gates? allows? on failure)/)).toBeVisible();
  await expect(page.getByText("Draft saved").first()).toBeVisible();
  expect(await judge(api, key, "forbidden")).toEqual({});

  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByText(/Revision 1 applies to the whole workspace: \d+ agents?/)).toBeVisible();
  await page.getByLabel("Note").fill("for the test");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByText(`Revision 1 of ${name} is in force`)).toBeVisible();
  // Nothing differs, so there is nothing to publish.
  await expect(page.getByRole("button", { name: "Publish…" })).toBeDisabled();
  expect(await judge(api, key, "forbidden")).toMatchObject({ decision: "block", reason: "forbidden is denied" });
  expect(await judge(api, key, "harmless")).toEqual({});
  await expect(page.getByRole("region", { name: "Reach" })).toContainText("bound agent");

  // A second revision, and back again with one click.
  await write(page, DENY("another"));
  await expect(page.getByText(/^(?:No errors|\d+ gates? allows? on failure)/)).toBeVisible();
  await page.getByRole("button", { name: "Publish…" }).click();
  await expect(page.getByText("Replaces revision 1.")).toBeVisible();
  await page.getByRole("button", { name: "Publish revision 2" }).click();
  await expect(page.getByText(`Revision 2 of ${name} is in force`)).toBeVisible();
  expect(await judge(api, key, "forbidden")).toEqual({});
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("revision 1 in force", { exact: true })).toBeVisible();
  expect(await judge(api, key, "forbidden")).toMatchObject({ decision: "block" });

  await page.getByRole("radio", { name: /Revisions/ }).click();
  await page.getByText("for the test").click();
  await expect(page.getByRole("dialog", { name: /Revision 1/ }).getByText("sha256")).toBeVisible();
  await expectAccessible(page);

  // The list says whom it can stop, and how often it denied.
  await page.goto("/policies");
  await expect(page.getByRole("columnheader", { name: "Denied 24 h" })).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row.getByText(/^(\d+) of \1$/)).toBeVisible();
  await expect(row.getByText("2", { exact: true })).toBeVisible();
  await expectAccessible(page);
});

const EARLY = (tool: string) => `hooks:
  pre_tool_use:
    - matcher: ${tool}
      preempt_yolo: true
      hooks:
        - {name: no force, type: command, command: 'if grep -q force; then echo "no forced push" >&2; exit 2; fi'}
`;

test("a gate whose program is missing is refused at publication, in words, and denies once it needs none", async ({
  page,
  api,
}) => {
  const key = await api.key(fresh("agent"));
  const { name } = await open(page, api, DENY("forbidden").replace("grep", "absent-program"));
  await page.keyboard.press("ControlOrMeta+Enter");
  const publish = page.getByRole("button", { name: "Publish revision 1" });
  await publish.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(/runs absent-program, which is not in the sandbox\..*\(line \d+\)/)).toBeVisible();
  await expectAccessible(page);
  expect(await judge(api, key, "forbidden")).toEqual({});
  await page.keyboard.press("Escape");

  await write(page, RULE);
  await expect(page.getByText(/^No errors/)).toBeVisible();
  await expect(page.getByText("Draft saved").first()).toBeVisible();
  await page.keyboard.press("ControlOrMeta+Enter");
  await publish.click();
  await expect(page.getByText(`Revision 1 of ${name} is in force`)).toBeVisible();
  const denied = { permission_decision: "deny", permission_decision_reason: "This is forbidden." };
  expect(await judge(api, key, "forbidden")).toMatchObject({ hook_specific_output: denied });
});

test("a text that no recorded call reaches has an unknown effect, and its commands run for the impact only", {
  tag: "@proof",
}, async ({ page, api }) => {
  const { send } = await sender(api, "pushes");
  const call = (cmd: string) => ({ tool_name: "shell", tool_use_id: cmd, tool_input: { cmd } });
  for (const cmd of ["git push --force", "ls"]) await send("pre_tool_use?lane=default", call(cmd));
  // An agent that asks through the early lane: its other calls would have come through it too.
  await send("pre_tool_use?lane=preempt_yolo", call("pwd"));
  await open(page, api, EARLY("never_called"));
  const dialog = page.getByRole("dialog");
  const openDialog = async () => {
    await expect(page.getByText(/^(?:No errors|\d+ gates? allows? on failure)/)).toBeVisible();
    await page.getByRole("button", { name: "Publish…" }).click();
  };
  await openDialog();
  await expect(
    dialog.getByText(
      "Neither the draft nor a policy in force checks any of 3 calls. The draft's effect on other calls is unknown.",
    ),
  ).toBeVisible({
    timeout: 60_000,
  });
  await expect(dialog.getByRole("button", { name: "Measure the impact" })).toBeHidden();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await write(page, EARLY("shell"));
  await openDialog();
  await expect(dialog.getByText(/The outcome depends on the result of a command hook: \d/)).toBeVisible({
    timeout: 60_000,
  });
  await dialog.getByRole("button", { name: "Measure the impact" }).click();
  await expect(dialog.getByText("denies calls that it left undecided before: 1 of 3 events")).toBeVisible({
    timeout: 40_000,
  });
  await expect(dialog.getByText("rules of the early check were replayed", { exact: false })).toBeVisible();
});

test("what is typed survives leaving at once, and coming back", { tag: "@proof" }, async ({ page, api }) => {
  const { id } = await open(page, api, "hooks: {}\n");
  await write(page, "hooks: {} # typed and left\n");
  await page.getByRole("link", { name: "Policies" }).first().click();
  await page.waitForURL("**/policies");
  await page.goto(`/policies/${id}`);
  await expect(editor(page)).toContainText("typed and left");
  await expect(page.getByText("Draft saved").first()).toBeVisible();
  expect(await api.query("policies.get", { policyId: id })).toMatchObject({ source: "hooks: {} # typed and left\n" });
});

test("of two who edit at once, the second is told and chooses", { tag: "@proof" }, async ({ page, api }) => {
  const { id } = await open(page, api, "hooks: {}\n");
  const { draftVersion } = await api.query("policies.get", { policyId: id });
  await api.mutate("policies.saveDraft", {
    policyId: id,
    source: "hooks: {} # theirs\n",
    baseVersion: draftVersion,
    baseRevision: 0,
  });
  await write(page, "hooks: {} # mine\n");
  await expect(page.getByText(/changed the same lines of this policy while you had it open/)).toBeVisible();
  await expectAccessible(page);
  expect(await api.query("policies.get", { policyId: id })).toMatchObject({ source: "hooks: {} # theirs\n" });
  await page.getByRole("button", { name: "Compare and choose…" }).click();
  await expect(page.getByRole("dialog").getByText("hooks: {} # theirs")).toBeVisible();
  await page.getByRole("radio", { name: "Mine, conflict 1" }).click();
  await page.getByRole("button", { name: "Use this text" }).click();
  await expect(page.getByText("Draft saved").first()).toBeVisible();
  expect(await api.query("policies.get", { policyId: id })).toMatchObject({ source: "hooks: {} # mine\n" });
});

test("whom a policy binds is changed in words, and deleting asks for its name", async ({ page, api }) => {
  const agent = fresh("bound");
  const key = await api.key(agent);
  const { name } = await open(page, api, DENY("narrow"));
  await expect(page.getByText(/^(?:No errors|\d+ gates? allows? on failure)/)).toBeVisible();
  await page.getByRole("button", { name: "Publish…" }).click();
  await page.getByRole("button", { name: "Publish revision 1" }).click();
  await expect(page.getByText(`Revision 1 of ${name} is in force`)).toBeVisible();
  expect(await judge(api, key, "narrow")).toMatchObject({ decision: "block" });

  await page.getByRole("button", { name: "Edit assignments" }).click();
  await page.getByText("No agents", { exact: true }).click();
  await expect(page.getByText(/This policy will no longer apply to/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Assigned to no agent, so the policy stops no calls.")).toBeVisible();
  expect(await judge(api, key, "narrow")).toEqual({});

  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByText("Delete the policy…").click();
  const act = page.getByRole("button", { name: "Delete policy" });
  await expect(act).toBeDisabled();
  await page.getByRole("alertdialog").getByRole("textbox").fill(name);
  await act.click();
  await page.waitForURL("**/policies");
  await expect(page.getByText(name, { exact: true })).toHaveCount(0);
});

test("the editor completes what may be written there, by keyboard alone", { tag: "@proof" }, async ({ page, api }) => {
  await open(page, api, "hooks:\n");
  await editor(page).focus();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type("  turn_e");
  await expect(page.getByRole("option", { name: /turn_end/ })).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.type("echo done");
  await expect(page.getByText(/^(?:No errors|\d+ gates? allows? on failure)/)).toBeVisible();
  await expect(page.getByRole("complementary", { name: "Outline" })).toContainText("turn_end");
});

test("on a phone a policy is read, written and published", { tag: "@proof" }, async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { name } = await open(page, api, "hooks: {} # small\n");
  await expect(page.getByRole("button", { name: "Publish…" })).toBeInViewport();
  await page.getByRole("button", { name: "Publish…" }).click();
  await page.getByRole("button", { name: "Publish revision 1" }).click();
  await expect(page.getByText(`Revision 1 of ${name} is in force`)).toBeVisible();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test("the list says what each policy denies, and when it last ran", async ({ page, api }) => {
  const name = fresh("no force");
  const rule = (flag: string) =>
    `            - {command: {program: git, subcommand: push, flags: [${flag}]}, deny: no}`;
  const flags = ["force", "mirror", "delete", "prune"];
  const { policyId } = await api.mutate("policies.publishByName", {
    name,
    source: `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - name: pushes
          type: rules
          rules:
${flags.map(rule).join("\n")}
`,
  });
  await api.mutate("policies.assign", { policyId, scope: "workspace" });
  const row = page.getByRole("row").filter({ hasText: name });
  await page.goto("/policies");
  await expect(row).toContainText(
    "Denies git push with force; git push with mirror; git push with delete; and 1 more.",
  );
  await expect(row).toContainText("Not run yet");
  const { send } = await sender(api, fresh("pusher"));
  await send("pre_tool_use", { tool_name: "shell", tool_input: { cmd: "git push --force" } });
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText("this hour", { timeout: 2_000 });
  }).toPass();
  await expectAccessible(page);
  await page.getByRole("searchbox", { name: "Search policies" }).fill("mirror");
  await expect(row).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  const card = page.getByRole("listitem").filter({ hasText: name });
  await expect(card).toContainText("and 1 more.");
  await expect(card).toContainText("this hour");
  await expectAccessible(page);
});
