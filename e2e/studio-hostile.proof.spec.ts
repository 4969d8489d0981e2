/** The studio's page with the worst texts: it answers, the tab stays awake, and nothing incomplete is kept. */
import type { Page } from "@playwright/test";
import { expect, fresh, type Script, test } from "./fixtures/console.ts";
import { showText } from "./pages/policy-editor.ts";

const editor = (page: Page) => page.getByRole("textbox", { name: "Policy text, YAML" });
const START = "hooks: {}\n";

async function open(page: Page, api: Script): Promise<string> {
  const { policyId } = await api.mutate("policies.create", { name: fresh("hostile"), source: START });
  await page.goto(`/policies/${policyId}`);
  await showText(page);
  return policyId;
}

/** Replaces the whole text in one go, as a paste does. */
async function paste(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await editor(page).evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

const laughs = ["a: &a [x, x, x, x, x, x, x, x, x]"];
for (const [at, name] of [..."bcdefghij"].entries())
  laughs.push(`${name}: &${name} [${Array(9).fill(`*${"abcdefghi"[at]}`).join(", ")}]`);

for (const [what, text, says] of [
  ["a billion laughs", `${laughs.join("\n")}\nhooks: *j\n`, /Aliases .* Write the value out/],
  [
    "10,000 hooks",
    `hooks:\n  stop:\n${"    - {type: command, command: x}\n".repeat(10_000)}`,
    /at most 2000 hooks; this one has 10000/,
  ],
  ["10,000 levels", `hooks: ${"[".repeat(10_000)}${"]".repeat(10_000)}`, /Nested deeper than 64 levels/],
  ["5 MB", `hooks: {}\n${"# filler\n".repeat(600_000)}`, /at most 512 KiB/],
] as const) {
  test(`${what}: a sentence, a page that still answers, and a way back`, async ({ page, api }) => {
    const policyId = await open(page, api);
    await paste(page, text);
    await expect(page.getByRole("region", { name: "Problems" }).getByText(says).first()).toBeVisible({
      timeout: 60_000,
    });
    // Another part of the page answers.
    await page.keyboard.press("ControlOrMeta+Enter");
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("button", { name: /^Publish revision/ })).toBeDisabled();
    await page.keyboard.press("Escape");
    await paste(page, START);
    await expect(page.getByText(/^(?:No errors|\d+ gates? allows? on failure)/)).toBeVisible({ timeout: 30_000 });
    const { latestRevision } = await api.query("policies.get", { policyId });
    expect(latestRevision).toBe(0);
  });
}

test("a file that is no UTF-8 or too large is refused before it is sent, with its line and what to do", async ({
  page,
}) => {
  await page.goto("/policies");
  await page.getByRole("button", { name: "Import…" }).click();
  const file = page.getByLabel("File");
  await file.setInputFiles({
    name: "a.yaml",
    mimeType: "text/yaml",
    buffer: Buffer.from("hooks: {}\n# caf\xe9\n", "latin1"),
  });
  await expect(page.getByText("Line 2 is not UTF-8. Save the file as UTF-8 and try again.")).toBeVisible();
  await file.setInputFiles({ name: "b.yaml", mimeType: "text/yaml", buffer: Buffer.alloc(5 * 1024 * 1024, "#") });
  await expect(page.getByText(/A file to import has at most 1 MiB\./)).toBeVisible();
});
