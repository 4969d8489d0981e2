/** The playground: an author tries a draft, keeps what came of it as a case, and is held to it when publishing. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import { DecisionsPage } from "./pages/decisions.ts";
import { showText } from "./pages/policy-editor.ts";

const editor = (page: Page) => page.getByRole("textbox", { name: "Policy text, YAML" });
const bench = (page: Page) => page.getByRole("region", { name: "Playground", exact: true });

const GUARD = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - name: no deletes
          type: command
          command: |
            if grep -q 'rm -rf'; then echo "Nothing is deleted here." >&2; exit 2; fi
`;

async function made(api: Script, source: string): Promise<{ id: string; name: string }> {
  const name = fresh("bench");
  const { policyId } = await api.mutate("policies.create", { name, source });
  return { id: policyId, name };
}

async function typeText(page: Page, text: string) {
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

test("a draft is tried, held to a case, and published in spite of it only by name", async ({ page, api }) => {
  // Two axe scans and five runs of real hooks: more than the usual two minutes on a busy machine.
  test.slow();
  const { id, name } = await made(api, GUARD);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/policies/${id}`);
  await showText(page);
  await page.getByRole("button", { name: "Playground", exact: true }).click();
  await expect(page).toHaveURL(/try=true/);

  // The sample of a shell call deletes a folder.
  await bench(page).getByRole("combobox", { name: "Sample" }).click();
  await page.getByRole("option", { name: "shell" }).click();
  await page.keyboard.press("ControlOrMeta+Enter");
  const verdict = bench(page).getByRole("region", { name: "Verdict" });
  await expect(verdict).toContainText("Denied", { timeout: 30_000 });
  await expect(verdict).toContainText("Nothing is deleted here.");
  await expect(verdict).toContainText(`Denied by "no deletes" (${name}, Before a tool runs)`);
  await expect(bench(page)).not.toContainText("hooks.pre_tool_use[0]");
  await expect(bench(page).getByRole("region", { name: "stderr" })).toContainText("Nothing is deleted here.");
  await bench(page).getByRole("radio", { name: "stdin" }).click();
  await expect(bench(page).getByRole("region", { name: "stdin" })).toContainText('"hook_event_name": "pre_tool_use"');
  await expectAccessible(page);

  await bench(page).getByRole("button", { name: "Save as test…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("deletes are denied");
  await dialog.getByRole("button", { name: "Save test case" }).click();
  await expect(page.getByRole("radio", { name: "Tests 1" })).toBeVisible();

  await bench(page).getByRole("button", { name: "Close the playground" }).click();
  await page.getByRole("radio", { name: "YAML", exact: true }).click();
  await typeText(page, GUARD.replace("exit 2", "exit 0"));
  await page.getByRole("radio", { name: /^Tests 1/ }).click();
  await page.getByRole("button", { name: "Run all on your draft" }).click();
  await expect(page.getByText("verdict: expected deny, got none.")).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page);

  // The button is there; what it does is refused until the policy's name is typed.
  // Until the page has saved what was typed, the version that was read may be the one before.
  await expect(async () => {
    const { draftVersion } = await api.query("policies.get", { policyId: id });
    const source = GUARD.replace("exit 2", "exit 0");
    const refused = api.mutate("policies.publish", { policyId: id, source, baseRevision: 0, draftVersion });
    await expect(refused).rejects.toThrow("1 test case fails");
  }).toPass({ timeout: 30_000 });
  await page.getByRole("button", { name: "Publish…" }).click();
  const publishing = page.getByRole("dialog");
  await expect(publishing.getByRole("heading", { name: "Test cases" })).toBeVisible();
  await expect(publishing.getByText("verdict: expected deny, got none.")).toBeVisible({ timeout: 30_000 });
  const publish = publishing.getByRole("button", { name: "Publish revision 1" });
  await publish.click();
  const override = publishing.getByRole("group", { name: "Publish despite failing test cases" });
  await expect(publishing.getByRole("alert").filter({ hasText: "1 test case fails" })).toBeVisible({ timeout: 30_000 });
  expect(await revisionsOf(api, id)).toBe(0);

  // Neither another word, nor the name without a reason, makes the button live.
  const typed = override.getByLabel(`Type ${name} to continue`);
  await expect(publish).toBeDisabled();
  await override.getByLabel("Reason").fill("the case is out of date");
  await typed.fill(name.toUpperCase());
  await expect(publish).toBeDisabled();
  await typed.fill(name);
  await override.getByLabel("Reason").fill("  ");
  await expect(publish).toBeDisabled();
  await override.getByLabel("Reason").fill("the case is out of date");
  await expectAccessible(page);
  await publish.click();
  await expect(page.getByText(`Revision 1 of ${name} is in force`)).toBeVisible({ timeout: 30_000 });
  expect(await revisionsOf(api, id)).toBe(1);

  await page.goto("/audit?q=kind:policy_published");
  await page
    .getByRole("row")
    .filter({ hasText: `published revision 1 of ${name} in spite of failing test cases` })
    .click();
  const entry = page.getByRole("dialog");
  await expect(entry).toContainText("the case is out of date");
  await expect(entry).toContainText("deletes are denied");
});

async function revisionsOf(api: Script, policyId: string): Promise<number> {
  return (await api.query("policies.get", { policyId })).latestRevision;
}

test("a form, its JSON and a mistake are one input", { tag: "@proof" }, async ({ page, api }) => {
  const { id } = await made(api, GUARD);
  await page.goto(`/policies/${id}?try=true`);
  await bench(page).getByLabel("tool_name").fill("fetch");
  await bench(page).getByRole("radio", { name: "JSON" }).click();
  const text = bench(page).getByRole("textbox", { name: "Input" });
  await expect(text).toHaveValue(/"tool_name": "fetch"/);
  await text.fill('{"tool_name": 7}');
  await expect(
    bench(page)
      .getByText(/tool_name/)
      .last(),
  ).toBeVisible();
  await expect(bench(page).getByRole("button", { name: /^Run/ })).toBeDisabled();
  await bench(page).getByRole("radio", { name: "Form" }).click();
  await expect(
    bench(page)
      .getByText(/expected string/)
      .first(),
  ).toBeVisible();
  await bench(page).getByRole("radio", { name: "Matcher" }).click();
  await bench(page).getByLabel("Matcher", { exact: true }).fill("mcp__.*");
  await bench(page).getByLabel("Try a tool name").fill("mcp__github__x");
  await expect(bench(page).getByText("Selected", { exact: true }).first()).toBeVisible();
});

test("a past decision opens in the playground of the policy that made it", { tag: "@proof" }, async ({ page, api }) => {
  const { id, name } = await made(api, GUARD);
  const agent = fresh("tried");
  const key = await api.key(agent);
  await api.mutate("policies.publish", {
    policyId: id,
    source: GUARD,
    baseRevision: 0,
    draftVersion: await versionOf(api, id),
  });
  await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      session_id: fresh("s"),
      tool_name: "shell",
      tool_use_id: "c",
      tool_input: { cmd: "rm -rf /srv" },
    }),
  });
  const decisions = new DecisionsPage(page);
  await decisions.open();
  await decisions.rows("rm -rf /srv").first().click();
  await page.getByRole("button", { name: "Replay in playground" }).click();
  await page.getByRole("menuitem", { name }).first().click();
  await expect(bench(page).getByText(`Recorded input of ${agent}.`)).toBeVisible({ timeout: 30_000 });
  await bench(page).getByRole("button", { name: /^Run/ }).click();
  await expect(bench(page).getByRole("region", { name: "Verdict" })).toContainText("Denied", { timeout: 30_000 });
});

async function versionOf(api: Script, policyId: string): Promise<number> {
  return (await api.query("policies.get", { policyId })).draftVersion;
}
