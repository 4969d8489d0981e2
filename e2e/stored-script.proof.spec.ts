/** Text written by others stays text on every page that shows it, whoever they are. */
import type { Page } from "@playwright/test";
import { expect, fresh, test } from "./fixtures/console.ts";
import { sender } from "./fixtures/sender.ts";

/** Each would run, or break out of where it stands, if it were ever taken for more than text. */
const PAYLOADS = [
  "<script>document.title='taken'</script>",
  "<img src=x onerror=\"document.title='taken'\">",
  '"><svg onload="document.title=\'taken\'">',
  "[x](javascript:document.title='taken')",
  "</textarea></title></style><script>document.title='taken'</script>",
  "{{constructor.constructor('document.title=1')()}}",
];
const ALL = PAYLOADS.join(" ");

/** Collects what must not happen: a dialog, or a script that the page's own policy stopped. */
function watched(page: Page): string[] {
  const broken: string[] = [];
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => broken.push("a dialog opened")));
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) broken.push(message.text());
  });
  return broken;
}

/** Nothing of it ran, and it made no element. */
async function expectText(page: Page): Promise<void> {
  expect(await page.title()).not.toContain("taken");
  const made = "img[src=x], svg[onload], [onerror], a[href^='javascript:' i]";
  expect(await page.locator(made).count()).toBe(0);
}

test("whatever an agent sends stays text", async ({ page, api }) => {
  const broken = watched(page);
  const word = fresh("scripted").replaceAll(" ", "-");
  const { send } = await sender(api, "scripted");
  const said = { session_id: `${word} ${ALL}`, agent_name: ALL, cwd: `/${ALL}`, parent_session_id: ALL };
  const call = { tool_name: `${word}${ALL}`.slice(0, 200), tool_use_id: ALL, tool_input: { cmd: ALL, [ALL]: ALL } };
  const usage = { input_tokens: 10, output_tokens: 1, context_limit: 20 };
  await send("session_start", { ...said, source: ALL });
  await send("user_prompt_submit", { ...said, prompt: ALL });
  await send("pre_tool_use", { ...said, ...call });
  await send("on_tool_approval_decision", { ...said, ...call, approval_decision: "deny", approval_source: ALL });
  await send("post_tool_use", { ...said, ...call, tool_response: ALL, tool_error: true });
  await send("after_llm_call", { ...said, model_id: `${word} ${ALL}`, cost: 0.01, stop_response: ALL, usage });
  await send("before_compaction", { ...said, ...usage, compaction_reason: ALL });
  await send("after_compaction", { ...said, ...usage, compaction_reason: ALL, summary: PAYLOADS.join("\n\n") });
  await send("notification", { ...said, notification_level: ALL, notification_message: ALL });

  // Nothing is newer, so its rows are the first.
  for (const [path, list] of [
    ["/activity?range=1h", "calls"],
    ["/spend?range=1h&view=calls", "model calls"],
    ["/activity/compactions?range=1h", "compactions"],
  ] as const) {
    await page.goto(path);
    const rows = page.getByRole("grid", { name: list }).getByRole("row").filter({ hasText: "document.title" });
    await expect(rows.first()).toBeVisible();
    await expectText(page);
    for (let row = await rows.count(); row > 0; row -= 1) {
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("dialog")).toContainText("document.title");
      await expectText(page);
      await page.keyboard.press("Escape");
    }
  }
  for (const path of ["/", "/spend?range=1h&by=model", "/agents", "/audit"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading .*…$/)).toHaveCount(0);
    await expectText(page);
  }
  expect(broken).toEqual([]);
});

test("whatever an author writes stays text", async ({ page, api }) => {
  const broken = watched(page);
  const name = fresh("scripted policy");
  const quoted = JSON.stringify(ALL);
  const label = JSON.stringify(ALL.slice(0, 200));
  const source = `hooks:\n  pre_tool_use:\n    - matcher: never_called\n      hooks:\n        - name: ${label}\n          type: command\n          command: ${quoted}\n`;
  const { policyId } = await api.mutate("policies.publishByName", { name, source, note: ALL });
  for (const path of ["/policies", `/policies/${policyId}`, `/policies/${policyId}?view=revisions`, "/audit"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText(/scripted policy|document\.title/).first()).toBeVisible();
    await expectText(page);
  }
  expect(broken).toEqual([]);
});
