/** Many tabs of one browser: they share one stream of changes, so that connections are left for everything else. */
import { expect, test } from "./fixtures/console.ts";

const ADDRESSES = [
  "/",
  "/activity",
  "/spend",
  "/activity/sessions",
  "/agents",
  "/spend/budgets",
  "/policies",
  "/settings",
];

test("eight tabs load, hear of a change over one stream, and go on when the tab that reads it is closed", async ({
  page,
  context,
  api,
}) => {
  const streams: string[] = [];
  context.on("request", (request) => {
    if (request.url().includes("events.changes")) streams.push(request.url());
  });
  const tabs = [page];
  while (tabs.length < ADDRESSES.length) tabs.push(await context.newPage());
  for (const [index, tab] of tabs.entries()) {
    await tab.goto(ADDRESSES[index] ?? "/");
    await expect(tab.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(tab.getByRole("status").getByText("Live", { exact: true })).toBeVisible();
  }
  expect(streams).toHaveLength(1);

  const last = tabs.at(-2) ?? page;
  const source = "hooks:\n  pre_tool_use:\n    - hooks: [{type: builtin, command: safer_shell}]\n";
  await api.mutate("policies.create", { name: "seen in a tab that follows", source });
  await expect(last.getByText("seen in a tab that follows")).toBeVisible();

  await page.close();
  await expect.poll(() => streams.length).toBe(2);
  await api.mutate("policies.create", { name: "seen after the first tab is gone", source });
  await expect(last.getByText("seen after the first tab is gone")).toBeVisible();
  await expect(last.getByRole("status").getByText("Live", { exact: true })).toBeVisible();
});
