/** Somebody without a mouse: makes a policy, writes it in the form and in the text, tries it, publishes it. Keys only. */
import type { Locator, Page } from "@playwright/test";
import { parse } from "yaml";
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";

/** More steps than any part of the page has from one landmark to the next. */
const STEPS_MAX = 120;

/** Expects the focus to be visible: an outline or a ring on the focused element, or on the editor around it. */
async function expectFocusSeen(page: Page): Promise<void> {
  const seen = () =>
    page.evaluate(() => {
      const here = document.activeElement;
      if (here === null || here === document.body) return "nowhere";
      const around = [here, here.closest(".cm-editor"), here.closest("label"), here.parentElement];
      const isRinged = around.some((element) => {
        if (element === null) return false;
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
        return (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0) || boxShadow !== "none";
      });
      return isRinged ? "seen" : `not seen on ${here.outerHTML.slice(0, 200)}`;
    });
  await expect.poll(seen).toBe("seen");
}

/** Tab until the keyboard is there, seen at every step. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible({ timeout: 30_000 });
  for (let step = 0; step < STEPS_MAX; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
    await expectFocusSeen(page);
  }
  await expect(target).toBeFocused();
}

/** By the palette, as everything can be reached. */
async function command(page: Page, words: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("dialog").getByRole("combobox")).toBeFocused();
  await page.keyboard.type(words);
  await expect(page.getByRole("option", { name: words }).first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
}

const GATE = `
  pre_tool_use:
    - matcher: shell
      hooks:
        - name: no deletes
          type: command
          command: 'if grep -q "rm -rf"; then echo "Nothing is deleted here." >&2; exit 2; fi'
`;

test("a policy is made, written in both hands, tried and published by keys alone", { tag: "@proof" }, async ({
  page,
  api,
}) => {
  const name = fresh("keys");
  const editor = page.getByRole("textbox", { name: "Policy text, YAML" });
  const hands = page.getByRole("radiogroup", { name: "How to edit" });

  await test.step("make", async () => {
    await page.goto("/agents");
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await expect(page).toHaveURL(/\/policies$/);
    await expect(page.getByRole("button", { name: "New policy" }).first()).toBeVisible();
    await page.keyboard.press("c");
    await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
    await expectFocusSeen(page);
    await page.keyboard.type(name);
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/policies\/[0-9a-f-]{36}/);
    await expect(hands).toBeVisible({ timeout: 30_000 });
    await tabTo(page, hands.getByRole("radio", { name: "Rules" }));
    for (const mode of ["YAML", "Both"]) {
      await page.keyboard.press("ArrowRight");
      await expect(hands.getByRole("radio", { name: mode, exact: true })).toBeFocused();
    }
    await page.keyboard.press("Space");
    await expect(editor).toBeVisible({ timeout: 30_000 });
  });
  const policyId = new URL(page.url()).pathname.split("/").at(-1) ?? "";

  await test.step("write in the form", async () => {
    await tabTo(page, page.getByRole("button", { name: "Add a guard" }));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menuitem").first()).toBeFocused();
    await page.keyboard.type("Limit");
    await expect(page.getByRole("menuitem", { name: /Limit model calls/ })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByLabel("Model calls", { exact: true })).toBeFocused();
    await expectFocusSeen(page);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("30");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("region", { name: "before_llm_call" })).toBeVisible();
  });

  await test.step("write in the text, and leave it by Escape and Tab", async () => {
    await tabTo(page, editor);
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.insertText(GATE);
    await expect(page.getByRole("region", { name: "pre_tool_use" })).toBeVisible();
    await expect(page.getByText(/^(?:No errors|\d+ gates? allows? on failure)/)).toBeVisible();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await expect(editor).not.toBeFocused();
    await expectFocusSeen(page);
  });

  await test.step("try in the playground", async () => {
    await command(page, "Try this policy in the playground");
    await expect(page).toHaveURL(/try=true/);
    await expect(page.getByRole("region", { name: "Playground", exact: true })).toBeVisible({ timeout: 30_000 });
    await page.keyboard.press("ControlOrMeta+Enter");
    const verdict = page.getByRole("region", { name: "Verdict" });
    await expect(verdict).toBeVisible({ timeout: 30_000 });
  });

  await test.step("publish", async () => {
    await command(page, "Review and publish this policy");
    await expect(page.getByRole("button", { name: "Publish revision 1" })).toBeEnabled({ timeout: 30_000 });
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(page.getByText(`Revision 1 of ${name} is in force`)).toBeVisible();
  });

  const { publishedSource } = await api.query("policies.get", { policyId });
  const { hooks } = parse(publishedSource);
  expect(hooks.before_llm_call).toEqual([{ type: "builtin", command: "max_iterations", args: ["30"] }]);
  expect(hooks.pre_tool_use[0].matcher).toBe("shell");
});

test("the palette finds an object by its name, remembers it, and does what it is asked on any page", async ({
  page,
  api,
}) => {
  const name = fresh("found by name");
  const { policyId } = await api.mutate("policies.create", { name });
  await page.goto("/spend");
  await page.keyboard.press("ControlOrMeta+k");
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type(name.toUpperCase());
  const found = palette.getByRole("option", { name });
  await expect(found).toHaveAttribute("aria-selected", "true");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/policies/${policyId}`), { timeout: 30_000 });

  await page.keyboard.press("ControlOrMeta+k");
  await expect(palette.getByRole("group", { name: "Recent" }).getByRole("option", { name })).toBeVisible();
  await page.keyboard.type("no such thing anywhere");
  await expect(palette.getByRole("status")).toContainText("No match.");
  await palette.getByRole("combobox").fill("");
  await page.keyboard.type("invite");
  await expect(palette.getByRole("option", { name: "Invite a person" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Invite a person" });
  await expect(dialog.getByRole("radio", { name: "viewer" })).toBeFocused();
  await dialog.getByText("Compare roles").click();
  await expect(dialog.getByRole("region", { name: "Roles and permissions" })).toBeVisible();
  await expect(page).toHaveURL(/\/settings\/people$/);
});
