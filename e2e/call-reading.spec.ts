/** Rules on what a call does: written by form and as text, tried, and drawn wherever a person decides or looks back. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import { sender } from "./fixtures/sender.ts";
import { TimelinePage } from "./pages/timeline.ts";

const bench = (page: Page) => page.getByRole("region", { name: "Playground", exact: true });
const PHONE = { width: 390, height: 844 };

async function created(page: Page, api: Script, source: string): Promise<void> {
  const { policyId } = await api.mutate("policies.create", { name: fresh("rules"), source });
  await page.goto(`/policies/${policyId}`);
  await expect(page.getByRole("button", { name: "Add a guard" })).toBeVisible({ timeout: 30_000 });
}

/** Tries a shell command in the playground, and looks at what was understood and decided. */
async function expectDenied(page: Page, reason: string): Promise<void> {
  await page.getByRole("button", { name: "Playground", exact: true }).click();
  await bench(page).getByLabel("tool_name").fill("Bash");
  await bench(page)
    .getByLabel("tool_input")
    .fill(JSON.stringify({ command: "cd /srv/shop && sudo sh -c 'shred -u ~/.ssh/id_ed25519 notes.txt'" }));
  const commands = bench(page).getByRole("region", { name: "Commands", exact: true });
  await expect(commands.getByRole("listitem").filter({ hasText: /^sudo sh -c/ })).toContainText("shred -u");
  await expect(commands.getByRole("listitem").filter({ hasText: "~/.ssh/id_ed25519" }).last()).toContainText(
    "credentials",
  );
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(bench(page).getByRole("region", { name: "Verdict" })).toContainText("Denied", { timeout: 30_000 });
  const rules = bench(page).getByRole("group", { name: "Rules" });
  await expect(rules).toContainText(reason);
  await expect(rules).toContainText("decides");
}

test("a rule that is written by form denies in the playground, which draws the call", async ({ page, api }) => {
  await created(page, api, "hooks: {}\n");
  await page.getByRole("radio", { name: "Rules", exact: true }).click();
  await page.getByRole("button", { name: "Add a guard" }).click();
  await page.getByRole("menuitem", { name: /Deny a command/ }).click();
  const guard = page.getByRole("dialog");
  await guard.getByLabel("Program").fill("shred, wipe");
  await guard.getByLabel("Subcommand").fill("");
  await guard.getByLabel("Flags").fill("");
  await guard.getByLabel("Reason").fill("Nothing is shredded on this machine.");
  await expectAccessible(page);
  await guard.getByRole("button", { name: "Add guard" }).click();
  await expect(page.getByRole("region", { name: "pre_tool_use" })).toContainText("Nothing is shredded");
  await expectDenied(page, "Nothing is shredded on this machine.");
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await expect(bench(page).getByRole("group", { name: "Rules" })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  await expectAccessible(page);
});

const TEXT = `hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - name: keys stay
          type: rules
          rules:
            - ask: Hosts outside are looked at.
              host: { not: ["*.example.com"] }
            - deny: Keys are not deleted by agents.
              path: { access: delete, class: credentials }
`;

test("a rule that is written as text denies in the playground, and says why the other does not match", async ({
  page,
  api,
}) => {
  await created(page, api, "hooks: {}\n");
  await page.getByRole("radio", { name: "YAML", exact: true }).click();
  await page.getByRole("textbox", { name: "Policy text, YAML" }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(TEXT);
  await expect(page.getByText(/^No errors/)).toBeVisible();
  await expectDenied(page, "Keys are not deleted by agents.");
  const rules = bench(page).getByRole("group", { name: "Rules" });
  await rules.getByText("1 rule not matched").click();
  await expect(rules).toContainText("The call names no host.");
});

const WATCH = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - { type: builtin, command: ask_a_person, args: ["A person looks at this."] }
    - matcher: "*"
      hooks:
        - name: sequence
          type: rules
          rules:
            - mark: saw_keys
              path: { access: read, class: credentials }
            - ask: A session that saw keys reaches a host.
              after: saw_keys
              host: {}
            - ask: Pushes are looked at.
              command: { program: git, subcommand: push }
`;

test("the card of an approval draws the call, and the session lists its marks", async ({ page, api }) => {
  const name = fresh("watch");
  await api.mutate("policies.publishByName", { name, source: WATCH, note: "" });
  const { agent, send, session } = await sender(api, "watched");
  const call = (tool_name: string, command: string) =>
    send("pre_tool_use", { tool_name, tool_use_id: fresh("call"), tool_input: { command }, cwd: "/srv/app" });
  expect(await call("Bash", "cat ~/.ssh/config")).toEqual({});
  expect(JSON.stringify(await call("shell", "git status && timeout 9 git push origin trunk"))).toMatch(/QD-\d+/);

  await page.setViewportSize(PHONE);
  await page.goto("/approvals");
  const card = page.getByRole("list", { name: "Calls to answer" }).locator(":scope > li").first();
  const commands = card.getByRole("region", { name: "Commands", exact: true });
  await expect(commands.getByRole("listitem").filter({ hasText: /^timeout 9/ })).toContainText("git push origin trunk");
  const rules = card.getByRole("group", { name: "Rules" });
  await expect(rules).toContainText("Rule 3");
  await expect(rules).toContainText("Pushes are looked at.");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  await expectAccessible(page);

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/activity/sessions?range=all&q=${encodeURIComponent(`agent:"${agent}"`)}`);
  await page.getByRole("grid", { name: "sessions" }).getByRole("row").filter({ hasText: session }).click();
  await expect(new TimelinePage(page).strip).toBeVisible();
  const marks = page.getByRole("region", { name: "Marks" });
  await expect(marks).toContainText("saw_keys");
  await expect(marks).toContainText(`by ${agent}`);
  await expectAccessible(page);
});
