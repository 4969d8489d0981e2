import { expect, fresh, test } from "./fixtures/console.ts";

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

test("whatever an author writes stays text", async ({ page, api }) => {
  const broken: string[] = [];
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => broken.push("a dialog opened")));
  const name = fresh("scripted policy");
  const quoted = JSON.stringify(ALL);
  const label = JSON.stringify(ALL.slice(0, 200));
  const source = `hooks:\n  pre_tool_use:\n    - matcher: never_called\n      hooks:\n        - name: ${label}\n          type: command\n          command: ${quoted}\n`;
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
