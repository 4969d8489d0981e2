/** The policy page's two hands: the form and the text are one document, and either alone writes the same policy. */
import type { Page } from "@playwright/test";
import { parse } from "yaml";
import { expect, expectAccessible, found, fresh, type Script, test } from "./fixtures/console.ts";
import { showText } from "./pages/policy-editor.ts";

const editor = (page: Page) => page.getByRole("textbox", { name: "Policy text, YAML" });
const hand = (page: Page, name: "Rules" | "YAML" | "Both") => page.getByRole("radio", { name, exact: true });

async function open(page: Page, api: Script, source: string): Promise<{ name: string; id: string }> {
  const name = fresh("studio");
  const { policyId } = await api.mutate("policies.create", { name, source });
  await page.goto(`/policies/${policyId}`);
  await expect(page.getByRole("button", { name: "Add a guard" })).toBeVisible({ timeout: 30_000 });
  await showText(page);
  return { name, id: policyId };
}

/** The draft as the server holds it. */
async function draft(page: Page, api: Script, id: string): Promise<string> {
  await expect(page.getByText("Draft saved").first()).toBeVisible();
  await expect
    .poll(async () => await api.query("policies.get", { policyId: id }))
    .toMatchObject({ draftVersion: expect.any(Number) });
  return (await api.query("policies.get", { policyId: id })).source;
}

const TEXT = `hooks:
  pre_tool_use:
    - matcher: shell|bash
      hooks:
        - name: no force pushes
          type: rules
          rules:
            - deny: Force pushes are not allowed here. Open a pull request.
              command:
                program: git
                subcommand: push
                flags: [force]
          timeout: 9
  before_llm_call:
    - type: builtin
      command: max_iterations
      args: ["20"]
`;

test("the form alone and the text alone write the same policy", async ({ page, api }) => {
  const { id } = await open(page, api, "hooks: {}\n");
  await hand(page, "Rules").click();
  await page.getByRole("button", { name: "Add a guard" }).click();
  await page.getByRole("menuitem", { name: /Deny a command/ }).click();
  await page.getByRole("button", { name: "Add guard" }).click();
  const gate = page.getByRole("region", { name: "pre_tool_use" });
  await gate.getByRole("button", { name: /deny git push with force/ }).click();
  await gate.getByLabel("Tools").fill("shell|bash");
  await gate.getByLabel("Name", { exact: true }).fill("no force pushes");
  await gate.getByText("Time limit, failure, location").click();
  await gate.getByLabel("Time limit, seconds").fill("9");
  await page.getByRole("button", { name: "Add a guard" }).click();
  await page.getByRole("menuitem", { name: /Limit model calls/ }).click();
  await page.getByLabel("Model calls", { exact: true }).fill("20");
  await page.getByRole("button", { name: "Add guard" }).click();
  await expect(page.getByRole("region", { name: "before_llm_call" })).toBeVisible();
  await expectAccessible(page);
  await expect.poll(async () => parse(await draft(page, api, id))).toEqual(parse(TEXT));

  // The hand that was chosen is remembered.
  await hand(page, "Both").click();
  const other = await open(page, api, "hooks: {}\n");
  await hand(page, "YAML").click();
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(TEXT);
  await expect(page.getByText(/^(?:No errors|\d+ gates? allows? on failure)/)).toBeVisible();
  await expect.poll(() => draft(page, api, other.id)).toBe(TEXT);
  await hand(page, "Both").click();
});

const RULES = `hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - type: rules
          rules:
            # the record keeps it
            - allow: Reading is fine.
              any:
                - { kind: read } # nested
                - not:
                    kind: shell
`;

test("rules are written by form, and nested conditions stay as they are", async ({ page, api }) => {
  const { id } = await open(page, api, RULES);
  const gate = page.getByRole("region", { name: "pre_tool_use" });
  await gate.getByRole("button", { name: /allow file reads or/ }).click();
  await gate.getByRole("button", { name: "Add a rule" }).click();
  await gate.getByLabel("Reason").last().fill("Delete single files instead.");
  await gate.getByLabel("Program", { exact: true }).fill("rm, unlink");
  await gate.getByText("Flags, Without flags").click();
  await gate.getByLabel("Flags", { exact: true }).fill("recursive");
  await expect(gate.getByLabel("Flags", { exact: true })).toHaveValue("recursive");
  await expectAccessible(page);
  await gate.getByRole("button", { name: "Move rule 2 up" }).focus();
  await page.keyboard.press("Enter");
  await expect(gate.getByRole("button", { name: "Move rule 1 down" })).toBeFocused();
  const nested = RULES.slice(RULES.indexOf("            # the record"));
  await expect.poll(() => draft(page, api, id)).toContain(nested.trimEnd());
  expect(parse(await draft(page, api, id)).hooks.pre_tool_use[0].hooks[0].rules[0]).toEqual({
    deny: "Delete single files instead.",
    command: { program: ["rm", "unlink"], flags: ["recursive"] },
  });
  // The sentence opened it, and it stays open where it moves.
  await expect(gate.getByRole("button", { name: /^Rule 2:/ })).toHaveAttribute("aria-expanded", "true");
  await expect(gate.getByText("Edit nested conditions in the YAML.")).toBeVisible();
});

test("an edit by form leaves every other byte, and one undo covers both hands", { tag: "@proof" }, async ({
  page,
  api,
}) => {
  const source = `# mine\nhooks:\n    stop: # at the end\n    -   type: command   # two blanks\n        command: "echo one"\n\n        timeout: 5\n    # last\n`;
  const { id } = await open(page, api, source);
  const stop = page.getByRole("region", { name: "(stop)" });
  await stop.getByRole("button", { name: /run echo one/ }).click();
  await stop.getByLabel("Command", { exact: true }).fill("echo two");
  const edited = source.replace("echo one", "echo two");
  await expect.poll(() => draft(page, api, id)).toBe(edited);
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.insertText("# typed\n");
  await expect.poll(() => draft(page, api, id)).toBe(`# typed\n${edited}`);
  await stop.getByLabel("Command", { exact: true }).focus();
  await page.keyboard.press("ControlOrMeta+z");
  await expect.poll(() => draft(page, api, id)).toBe(edited);
  await stop.getByLabel("Command", { exact: true }).focus();
  await page.keyboard.press("ControlOrMeta+z");
  await expect.poll(() => draft(page, api, id)).toBe(source);
});

test("what a form cannot change safely, it says", { tag: "@proof" }, async ({ page, api }) => {
  await open(page, api, "hooks: {}\n");
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText("hooks:\n  stop: []\n  stop: []\n");
  await expect(page.getByText(/Line 3 repeats the key "stop"/)).toBeVisible();
  await expectAccessible(page);
});

test("an agent file is imported, edited and published", async ({ page, api }) => {
  const name = fresh("imported");
  await page.goto("/policies");
  await page.getByRole("button", { name: "Import…" }).click();
  await page
    .getByLabel("Or paste it")
    .fill(
      "agents:\n  root:\n    model: x\n    add_date: true\n    hooks:\n      # why\n      stop:\n        - {type: command, command: echo}\n",
    );
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByText("2 hooks on 2 events. Ready to publish.")).toBeVisible();
  await expect(page.getByText("Agent root: not taken, because no hook says it: model.")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create draft" }).click();
  await showText(page);
  await expect(editor(page)).toContainText("# why", { timeout: 30_000 });
  await page
    .getByRole("region", { name: "(stop)" })
    .getByRole("button", { name: /run echo/ })
    .click();
  await page.getByRole("region", { name: "(stop)" }).getByLabel("Command", { exact: true }).fill("echo done");
  await expect(page.getByText(/^(?:No errors|\d+ gates? allows? on failure)/)).toBeVisible();
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.getByRole("button", { name: "Publish revision 1" }).click();
  await expect(page.getByText(`Revision 1 of ${name} is in force`)).toBeVisible();
  const text = await api.query("policies.exportByName", { name });
  expect(text).toContain("  # why\n");
  expect(parse(text).hooks.stop).toEqual([{ type: "command", command: "echo done" }]);
});

test("settings of another client become a draft, with every line named that is not in it", async ({ page, api }) => {
  const name = fresh("from-claude");
  const settings = {
    permissions: { deny: ["Bash(rm:*)", "Skill(deploy)"], allow: ["Bash(npm test:*)"] },
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "./gate.sh" }] }] },
    model: "opus",
  };
  await page.goto("/policies");
  await page.getByRole("button", { name: "Import…" }).click();
  await page.getByRole("combobox", { name: "From" }).click();
  await page.getByRole("option", { name: "Claude Code" }).click();
  await page.getByLabel("Or paste it").fill("{ oops");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByText(/The file is not JSON. Line 1/)).toBeVisible();
  await page.getByLabel("Or paste it").fill(JSON.stringify(settings, null, 2));
  await page.getByRole("button", { name: "Preview" }).click();
  const left = page.getByRole("region", { name: "Not imported: 3 lines" });
  await expect(left).toContainText("Line 5");
  await expect(left).toContainText("deny Skill(deploy)");
  await expect(left).toContainText("allow Bash(npm test:*)");
  await expect(left).toContainText("model");
  await expect(page.getByRole("region", { name: "Carried: 2 lines" })).toContainText("PreToolUse ./gate.sh");
  await expect(page.getByText("3 hooks on 1 event. Ready to publish.")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create draft" }).click();
  await showText(page);
  await expect(editor(page)).toContainText("Imported from Claude Code", { timeout: 30_000 });
  await expect(page.getByText(/^(?:No errors|\d+ gates? allows? on failure)/)).toBeVisible();
  const policyId = found(page.url().split("/").at(-1));
  expect(await api.query("policies.get", { policyId })).toMatchObject({ name, latestRevision: 0 });
});

test("by keyboard alone a policy is written and published", { tag: "@proof" }, async ({ page, api }) => {
  const { name, id } = await open(page, api, "hooks: {}\n");
  await page.getByRole("button", { name: "Add a guard" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: /Deny a command/ })).toBeFocused();
  await page.keyboard.type("Limit");
  await expect(page.getByRole("menuitem", { name: /Limit model calls/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Model calls", { exact: true })).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("30");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "before_llm_call" })).toBeVisible();
  await expect(page.getByText(/^(?:No errors|\d+ gates? allows? on failure)/)).toBeVisible();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByRole("button", { name: "Publish revision 1" })).toBeEnabled();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByText(`Revision 1 of ${name} is in force`)).toBeVisible();
  const { source } = await api.query("policies.get", { policyId: id });
  expect(parse(source)).toEqual({
    hooks: { before_llm_call: [{ type: "builtin", command: "max_iterations", args: ["30"] }] },
  });
});

test("the form of a hook that a model judges offers the models that have a price, and takes any other", {
  tag: "@proof",
}, async ({ page, api }) => {
  const name = fresh("lab").replaceAll(" ", "-");
  const price = { model: "tiny", input: 1n, output: 1n, cachedInput: null, cacheWrite: null };
  const uncapped = {
    provider: "openai-compatible" as const,
    baseUrl: "http://127.0.0.1:9/v1",
    callsPerDay: null,
    nanoPerDay: null,
  };
  await api.mutate("judges.save", { name, ...uncapped, prices: [price] });
  const hook = "{type: model, model: other/large, prompt: Is it safe?, schema: pre_tool_use_decision}";
  const { id } = await open(
    page,
    api,
    `hooks:\n  pre_tool_use:\n    - matcher: shell\n      hooks:\n        - ${hook}\n`,
  );
  const gate = page.getByRole("region", { name: "pre_tool_use" });
  await gate.getByRole("button", { name: /other\/large/ }).click();
  const model = gate.getByLabel("Model", { exact: true });
  await expect(model).toHaveValue("other/large");
  const list = await model.getAttribute("list");
  await expect(page.locator(`[id="${list}"] option`)).toHaveAttribute("value", `${name}/tiny`);
  await model.fill(`${name}/tiny`);
  await expect.poll(() => draft(page, api, id)).toContain(`model: ${name}/tiny`);
  await model.fill("any/other");
  await expect.poll(() => draft(page, api, id)).toContain("model: any/other");
  await expectAccessible(page);
});

test("a guard that asks says where, and the choice is one hook", async ({ page, api }) => {
  const { id } = await open(page, api, "hooks: {}\n");
  await hand(page, "Rules").click();
  await page.getByRole("button", { name: "Add a guard" }).click();
  await page.getByRole("menuitem", { name: /Require approval for network access/ }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("radio", { name: /In the agent's terminal/ })).toBeChecked();
  await dialog.getByRole("radio", { name: /On the Approvals page/ }).check();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Add guard" }).click();
  const gate = page.getByRole("region", { name: "pre_tool_use" });
  const rule = gate.getByRole("button", { name: /ask on the Approvals page about/ });
  await expect(rule).toBeVisible();
  await expect.poll(() => draft(page, api, id)).toContain("when asked");
  await rule.click();
  await gate.getByRole("radio", { name: /In the agent's terminal/ }).check();
  await expect(gate.getByRole("button", { name: /ask in the agent's terminal about/ })).toBeVisible();
  await expect.poll(() => draft(page, api, id)).not.toContain("ask_a_person");
  await gate.getByRole("radio", { name: /On the Approvals page/ }).check();
  await expect(rule).toBeVisible();
  await expectAccessible(page);
});
