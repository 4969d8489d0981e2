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

/** Nothing of it ran: no script of the page's own policy was broken, no dialog, no title, no element it would have made. */
async function expectText(page: Page, shown: string): Promise<void> {
  await expect(page.getByText(shown).first()).toBeVisible();
  expect(await page.title()).not.toContain("taken");
  expect(await page.locator("img[src=x], svg[onload], [onerror], a[href^='javascript:' i]").count()).toBe(0);
}

test("whatever an agent sends stays text, on every page that shows it", async ({ page, api }) => {
  const broken: string[] = [];
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => broken.push("a dialog opened")));
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) broken.push(message.text());
  });
  const word = fresh("scripted").replaceAll(" ", "-");
  const agent = await sender(api, "scripted");
  const said = { session_id: `${word} ${ALL}`, agent_name: `${word} ${ALL}`, cwd: `/${word}/${ALL}` };
  const call = {
    tool_name: `${word}${ALL}`.slice(0, 200),
    tool_use_id: ALL,
    tool_input: { cmd: `${word} ${ALL}`, [ALL]: ALL },
  };
  await agent.send("pre_tool_use", { ...said, ...call });
  await agent.send("tool_approval_decision", {
    ...said,
    ...call,
    approval_decision: "denied",
    approval_source: ALL,
    approval_reason: ALL,
  });
  await agent.send("after_llm_call", { ...said, model_id: `${word} ${ALL}`, cost: 0.01, stop_reason: ALL });
  const size = { input_tokens: 10, output_tokens: 1, context_limit: 20, compaction_reason: ALL };
  await agent.send("after_compaction", { ...said, ...size, summary: `# ${word}\n\n${PAYLOADS.join("\n\n")}` });
  await agent.send("notification", { ...said, notification_level: ALL, notification_message: ALL });

  for (const path of ["/decisions", "/costs", "/compactions"]) {
    await page.goto(path);
    await expectText(page, word);
    await page.getByText(word).first().click();
    await expect(page.getByRole("dialog")).toContainText(word);
    await expectText(page, word);
  }
  for (const path of ["/", "/agents"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await page.title()).not.toContain("taken");
  }
  expect(broken).toEqual([]);
});

test("whatever an author writes stays text", async ({ page, api }) => {
  const broken: string[] = [];
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => broken.push("a dialog opened")));
  const name = fresh("scripted policy");
  const quoted = JSON.stringify(ALL);
  const source = `hooks:\n  pre_tool_use:\n    - matcher: never_called\n      hooks:\n        - name: ${quoted}\n          type: command\n          command: ${quoted}\n`;
  const { policyId } = (await api.mutate("policies.publishByName", { name, source, note: ALL })) as {
    policyId: string;
  }; // publishedView
  for (const path of ["/policies", `/policies/${policyId}`, `/policies/${policyId}?view=revisions`, "/audit"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText(/scripted policy|document\.title/).first()).toBeVisible();
    expect(await page.title()).not.toContain("taken");
    expect(await page.locator("img[src=x], svg[onload], [onerror]").count()).toBe(0);
  }
  expect(broken).toEqual([]);
});
