/** People follow up calls: comments, keywords and an assignee, alone and for several calls. */
import type { Browser, Page } from "@playwright/test";
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import { sender } from "./fixtures/sender.ts";
import { address, invite, join, stranger } from "./pages/accounts.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: "^shell$"
      hooks:
        - { name: no pushes, type: command, command: 'echo "Not this one." >&2; exit 2' }
`;

const drawer = (page: Page) => page.getByRole("dialog");
const row = (page: Page, words: string) => page.getByRole("row").filter({ hasText: words });

async function newcomer(
  browser: Browser,
  api: Script,
  who: string,
  role: "auditor" | "viewer",
  name: string,
): Promise<Page> {
  const other = await stranger(browser);
  await join(other, await invite(api, address(who), role), name);
  return other;
}

async function denied(api: Script, ...commands: readonly string[]) {
  const { send } = await sender(api, fresh("pusher"));
  const name = fresh("no pushes");
  await api.mutate("policies.create", { name });
  await api.mutate("policies.publishByName", { name, source: POLICY });
  for (const [at, cmd] of commands.entries())
    await send("pre_tool_use", { tool_name: "shell", tool_use_id: `c${at}`, tool_input: { cmd } });
}

test("a call is commented on, marked with a keyword and assigned, and the assignee is notified", async ({
  page,
  api,
  browser,
}) => {
  const grace = await newcomer(browser, api, "grace", "auditor", "Grace Hopper");
  await denied(api, "git push origin main");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/activity");
  await row(page, "git push").click();
  await drawer(page).getByRole("button", { name: "Comment" }).click();
  await expect(drawer(page).getByRole("alert")).toContainText("Write a comment.");
  await drawer(page).getByLabel("New comment").fill("This push was meant.\nThe rule is too strict.");
  await drawer(page).getByRole("button", { name: "Comment" }).click();
  const comments = drawer(page).getByRole("list", { name: "Comments" }).getByRole("listitem");
  await expect(comments).toContainText(["This push was meant."]);
  await expect(drawer(page).getByLabel("New comment")).toHaveValue("");
  await drawer(page).getByLabel("New keyword").fill("two words");
  await drawer(page).getByRole("button", { name: "Add", exact: true }).click();
  await expect(drawer(page).getByRole("alert")).toContainText("A keyword is one word");
  await drawer(page).getByLabel("New keyword").fill("False-Positive");
  await drawer(page).getByRole("button", { name: "Add", exact: true }).click();
  await expect(drawer(page).getByRole("list", { name: "Keywords" })).toContainText("false-positive");
  await drawer(page).getByLabel("Assigned to").click();
  await page.getByRole("option", { name: "Grace Hopper" }).click();
  await expect(page.getByText("Call assigned")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(drawer(page)).toBeHidden();
  await expect(row(page, "git push")).toContainText("Grace Hopper");
  await expect(row(page, "git push")).toContainText("false-positive");
  await page.getByRole("navigation", { name: "Presets" }).getByRole("link", { name: "Commented" }).click();
  await expect(row(page, "git push")).toBeVisible();

  await grace.setViewportSize({ width: 390, height: 844 });
  await grace.goto("/notices");
  const notice = grace.getByRole("list", { name: "Notices" }).getByRole("listitem").first();
  await expect(notice).toContainText("A call is assigned to you");
  await notice.getByRole("link").click();
  await expect(drawer(grace).getByRole("list", { name: "Comments" })).toContainText("The rule is too strict.");
  await drawer(grace).getByLabel("New comment").fill("Agreed.");
  await drawer(grace).getByRole("button", { name: "Comment" }).click();
  await expect(comments).toHaveCount(0);
  await expectAccessible(grace);
  expect(await grace.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await row(page, "git push").click();
  await expect(comments).toHaveCount(2);
  await comments.nth(1).getByRole("button", { name: "Remove the comment of Grace Hopper" }).click();
  await expect(comments).toHaveCount(1);
});

test("selected calls get a keyword and an assignee, and a viewer only reads", async ({ page, api, browser }) => {
  const viewer = await newcomer(browser, api, "vera", "viewer", "Vera Molnar");
  await denied(api, "git push one", "git push two", "git push three");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/activity");
  // Rows that arrive under the pointer would wait.
  await expect(row(page, "git push")).toHaveCount(3);
  for (const words of ["push one", "push two"]) await row(page, words).getByRole("checkbox").click();
  const bar = page.getByRole("region", { name: "Selected calls" });
  await bar.getByRole("button", { name: "Add keyword…" }).click();
  await expectAccessible(page);
  await drawer(page).getByLabel("Keyword").fill("later");
  await drawer(page).getByRole("button", { name: "Add the keyword" }).click();
  await expect(page.getByText("Keyword later added to 2 calls")).toBeVisible();
  await expect(row(page, "push two")).toContainText("later");
  await expect(row(page, "push three")).not.toContainText("later");
  for (const words of ["push two", "push three"]) await row(page, words).getByRole("checkbox").click();
  await bar.getByRole("button", { name: "Assign…" }).click();
  await drawer(page).getByLabel("Person").click();
  await page.getByRole("option", { name: "Ada Lovelace" }).click();
  await drawer(page).getByRole("button", { name: "Assign 2 calls" }).click();
  await expect(page.getByText("2 calls assigned")).toBeVisible();
  await page.getByRole("navigation", { name: "Presets" }).getByRole("link", { name: "Assigned to me" }).click();
  await expect(row(page, "git push")).toHaveCount(2);
  await page.goto("/activity?q=keyword:later+assignee:%22Ada+Lovelace%22");
  await expect(row(page, "git push")).toHaveCount(1);
  await expect(row(page, "push two")).toBeVisible();

  await viewer.setViewportSize({ width: 1440, height: 900 });
  await viewer.goto("/activity?q=keyword:later");
  await row(viewer, "push two").click();
  await expect(drawer(viewer)).toContainText("Assigned to");
  await expect(drawer(viewer)).toContainText("Ada Lovelace");
  await expect(drawer(viewer).getByLabel("New comment")).toHaveCount(0);
  await expectAccessible(viewer);
});
