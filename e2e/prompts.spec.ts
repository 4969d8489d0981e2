import type { Page } from "@playwright/test";
import { expect, expectAccessible, found, fresh, type Script, test } from "./fixtures/console.ts";
import { type ModelStub, modelStub } from "./fixtures/model-stub.ts";
import { sender } from "./fixtures/sender.ts";

let stub: ModelStub;
test.beforeAll(async () => {
  stub = await modelStub();
});
test.afterAll(() => stub.stop());

const tinyName = (what: string) => fresh(what).replaceAll(" ", "-");

/** A connection to the stub with a price, and five recorded calls of a tool of their own. */
async function world(api: Script) {
  const connection = tinyName("tried");
  const tool = fresh("tool").replaceAll(" ", "_");
  const price = { model: "tiny", input: 1_000_000_000n, output: 10_000_000_000n, cachedInput: null, cacheWrite: null };
  const uncapped = { callsPerDay: null, nanoPerDay: null, provider: "openai-compatible" as const, baseUrl: stub.url };
  await api.mutate("judges.save", { name: connection, ...uncapped, prices: [price] });
  const { send } = await sender(api, "tried");
  for (const word of ["allow", "deny", "ask", "deny", "failing"])
    await send("pre_tool_use", { session_id: "s", tool_name: tool, tool_input: { command: `stub:${word} the build` } });
  return { connection, tool };
}

const editor = (page: Page) => page.getByRole("textbox", { name: "Template" });

async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.type(text);
}

async function publish(page: Page, name: string, number: number): Promise<void> {
  await page.getByRole("button", { name: "Publish…" }).click();
  await page.getByRole("button", { name: `Publish revision ${number}` }).click();
  await expect(page.getByText(`${name}@${number} is published`)).toBeVisible();
}

test("a judge prompt is written, previewed, tried, labelled, improved, compared and taken into a policy", async ({
  page,
  api,
}) => {
  const { connection, tool } = await world(api);
  const name = tinyName("risk");
  await page.goto("/policies/judges");
  await page.getByRole("link", { name: "Prompts", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Prompts", level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "New prompt" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill("Not A Name");
  await page.getByRole("button", { name: "Create prompt" }).click();
  await expect(page.getByRole("alert")).toContainText("lowercase letters");
  await page.getByRole("dialog").getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create prompt" }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();

  // The only model is chosen; without one, the models of the connections are offered.
  const model = page.getByLabel("Model", { exact: true });
  await expect(model).toHaveValue(`${connection}/tiny`);
  await model.fill("");
  await page.getByRole("button", { name: `${connection}/tiny` }).click();
  await expect(model).toHaveValue(`${connection}/tiny`);

  // Written with completion, marked where it does not parse, previewed on a recorded call.
  const preview = page.getByRole("region", { name: "Preview" });
  await preview.getByRole("combobox").click();
  await page
    .getByRole("option")
    .filter({ hasText: `${tool}: stub:ask` })
    .click();
  await write(page, "May this run?\n{{ if }}");
  await expect(page.getByRole("status", { name: "Template check" })).toContainText("Line 2, column");
  await write(page, "May {{ .ToolN");
  await page.getByRole("option", { name: /ToolName/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type(" }} run? {{ .ToolInput.comm");
  await page.getByRole("option", { name: /command/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type(" }}");
  await expect(editor(page)).toContainText("May {{ .ToolName }} run? {{ .ToolInput.command }}");
  await expect(page.getByRole("status", { name: "Template check" })).toContainText("Valid template.");
  await expect(preview.getByRole("region", { name: "Prompt" })).toContainText(`May ${tool} run? stub:ask the build`);
  await expect(preview.getByRole("status", { name: "Size and cost" })).toContainText("tokens; $");
  await expectAccessible(page);
  await publish(page, name, 1);

  // Tried on five recorded calls, within a budget; the trial says when it is spent.
  await page.getByRole("radio", { name: "Compare" }).click();
  await page.getByRole("button", { name: "New trial…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Text" }).click();
  await page.getByRole("option", { name: "Revision 1" }).click();
  await dialog.getByLabel("Tool").fill(tool);
  await dialog.getByLabel("Calls", { exact: true }).fill("5");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Start the trial" }).click();
  const progress = page.getByRole("status", { name: "Progress" });
  await expect(progress).toHaveText("5 of 5 asked, 1 failed");
  await expect(page.getByText("Finished")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "stub:ask the build" })).toHaveCount(1);
  await expectAccessible(page);

  // Labelled by keyboard, and on to the next.
  await page.getByRole("row").filter({ hasText: "Denied" }).first().click();
  // The call is in view, above the buttons.
  await expect(dialog.getByRole("region", { name: "The question" })).toContainText(
    `May ${tool} run? stub:deny the build`,
  );
  const label = dialog.getByRole("region", { name: "Your label" });
  await expect(label).toBeVisible();
  await page.keyboard.press("2");
  await expect(label.getByRole("button", { name: /Should have allowed/ })).toHaveAttribute("aria-pressed", "true");
  await expect(label.getByRole("radio", { name: "Allow" })).toHaveAttribute("aria-checked", "true");
  await expectAccessible(page);
  await label.getByRole("button", { name: "Next" }).click();
  await page.keyboard.press("1");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("row").filter({ hasText: "Should have allowed" })).toHaveCount(1);
  await expect(page.getByRole("row").filter({ hasText: "Right" })).toHaveCount(1);

  // Improved, and tried on the very calls.
  await page.getByRole("radio", { name: "Write" }).click();
  await write(page, "Look again. stub:allow");
  await expect(page.getByText("Draft saved").first()).toBeVisible();
  await publish(page, name, 2);
  await page.getByRole("radio", { name: "Trials" }).click();
  await expect(page.getByRole("button", { name: "All trials" })).toBeVisible();
  await page.getByRole("button", { name: "New trial…" }).click();
  await dialog.getByRole("combobox", { name: "Text" }).click();
  await page.getByRole("option", { name: "Revision 2" }).click();
  await dialog.getByRole("combobox", { name: "Calls from" }).click();
  await page.getByRole("option", { name: /Same calls as the trial of revision 1/ }).click();
  await dialog.getByRole("button", { name: "Start the trial" }).click();
  await expect(progress).toHaveText("5 of 5 asked, 0 failed");

  // Side by side: the denials and the question are changed, and come first.
  await page.getByRole("radio", { name: "Compare" }).click();
  await expect(page.getByRole("radio", { name: "Changed 3" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Labelled calls" })).toContainText(
    "2 labelled calls. Revision 1: 1 correct, 1 wrong. Revision 2: 1 correct, 1 wrong.",
  );
  await expect(page.getByRole("row").nth(1)).toContainText("newly wrong");
  await page.getByRole("radio", { name: "Changed 3" }).click();
  await expect(page.getByRole("row").filter({ hasText: "it removes everything" })).toHaveCount(2);
  await expectAccessible(page);

  // A row opens with the answer of either side, to read and to label.
  await page.getByRole("row").nth(1).click();
  await expect(dialog.getByRole("region", { name: "The question" })).toContainText("Look again. stub:allow");
  await dialog.getByRole("radio", { name: "Revision 1" }).click();
  await expect(dialog.getByRole("region", { name: "The question" })).toContainText(`May ${tool} run? stub:ask`);
  await expect(label.getByRole("button", { name: /Should have allowed|Right/, pressed: true })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("radio", { name: "Revisions 2" }).click();
  await expect(page.getByRole("row").filter({ hasText: "1 of 2" }).first()).toBeVisible();
  await expectAccessible(page);

  // Into a policy's draft: prompt, model, schema and the label.
  const policy = fresh("holds it");
  const source = "hooks:\n  stop:\n    - {type: builtin, command: add_date, name: stays}\n";
  await api.mutate("policies.create", { name: policy, source });
  await page.getByRole("button", { name: "Use in a policy…" }).click();
  await dialog.getByRole("combobox", { name: "Policy" }).click();
  await page.getByRole("option", { name: policy }).click();
  await dialog.getByRole("button", { name: "Open the policy" }).click();
  await expect(dialog).toContainText(`Add ${name}@2 to this policy`);
  await dialog.getByLabel("Tools").fill(tool);
  await dialog.getByRole("button", { name: "Add to draft" }).click();
  await expect(page.getByText(`${name}@2 added to the draft`)).toBeVisible();
  await expect(page.getByText("Draft saved").first()).toBeVisible();
  const policies = await api.query("policies.list");
  const policyId = found(policies.find((one) => one.name === policy)).id;
  const saved = await api.query("policies.get", { policyId });
  expect(saved.source).toContain(`judge: ${name}@2`);
  expect(saved.source).toContain("Look again. stub:allow");
  expect(saved.source).toContain("{type: builtin, command: add_date, name: stays}");
});

test("a trial stops when its budget is spent, and says so", { tag: "@proof" }, async ({ page, api }) => {
  const { connection, tool } = await world(api);
  const name = tinyName("spent");
  const text = { template: "{{ .ToolInput.command }}", model: `${connection}/tiny`, schema: "pre_tool_use_decision" };
  const { promptId } = await api.mutate("prompts.create", { name, text });
  await page.goto(`/policies/prompts/${promptId}?view=trials`);
  await expect(page.getByText("No trials yet")).toBeVisible();
  await page.getByRole("button", { name: "New trial…" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Tool").fill(tool);
  await dialog.getByLabel("Repeats").fill("4");
  await dialog.getByLabel("Max calls").fill("3");
  await dialog.getByLabel("Budget ($)").fill("nothing");
  await dialog.getByRole("button", { name: "Start the trial" }).click();
  await expect(dialog.getByRole("alert")).toContainText("0.50");
  await dialog.getByLabel("Budget ($)").fill("0.50");
  await dialog.getByRole("button", { name: "Start the trial" }).click();
  await expect(page.getByRole("status", { name: "Progress" })).toContainText("3 of 20 asked");
  await expect(page.getByText("The budget has no room for another question")).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
});

test("a text is published only with the injection score that its prompt requires", async ({ page, api }) => {
  const { connection } = await world(api);
  const name = tinyName("guarded");
  const text = {
    template: "May it run?\n{{ fenced .ToolInput }}",
    model: `${connection}/obedient`,
    schema: "pre_tool_use_decision",
  };
  const { promptId } = await api.mutate("prompts.create", { name, text });
  await page.goto(`/policies/prompts/${promptId}`);
  await page.getByRole("radio", { name: "Checks" }).click();
  await expect(page.getByText("No injection tests yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Require a score…" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Refused calls, percent").fill("900");
  await expect(dialog.getByRole("alert")).toContainText("1 to 100");
  await dialog.getByLabel("Refused calls, percent").fill("90");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save requirement" }).click();
  await expect(page.getByRole("button", { name: "Change required score: 90 %…" }).first()).toBeVisible();

  // A model that obeys the arguments allows all 60 calls.
  await page.getByRole("radio", { name: "Write" }).click();
  await page.getByRole("button", { name: "Publish…" }).click();
  const result = dialog.getByRole("status", { name: "Injection test" });
  await expect(result).toContainText("No injection test of this draft yet");
  await expect(dialog).toContainText("only if the judge refuses at least 90 %");
  await expect(dialog.getByRole("button", { name: "Publish revision 1" })).toBeDisabled();
  await dialog.getByRole("button", { name: "Test with 60 harmful calls" }).click();
  await expect(result).toContainText("0 of 60 calls of the injection pack refused.");
  await expect(dialog.getByRole("button", { name: "Publish revision 1" })).toBeDisabled();
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  // Another model is another text, with a score of its own.
  await page.getByLabel("Model").fill(`${connection}/firm`);
  await page.getByRole("button", { name: "Publish…" }).click();
  await expect(result).toContainText("No injection test of this draft yet");
  await dialog.getByRole("button", { name: "Test with 60 harmful calls" }).click();
  await expect(result).toContainText("60 of 60 calls of the injection pack refused.");
  await dialog.getByRole("button", { name: "Publish revision 1" }).click();
  await expect(page.getByText(`${name}@1 is published`)).toBeVisible();

  await page.getByRole("radio", { name: "Checks" }).click();
  const rows = page.getByRole("row");
  await expect(rows.filter({ hasText: "Revision 1" })).toContainText("60 of 60");
  await expect(rows.filter({ hasText: "Draft" })).toContainText("0 of 60");
  await rows.filter({ hasText: "Draft" }).click();
  await expect(dialog).toContainText("fence-1");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("radio", { name: "Revisions 1" }).click();
  await expect(rows.filter({ hasText: "60 of 60" })).toHaveCount(1);
});
