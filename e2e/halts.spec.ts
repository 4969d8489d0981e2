/** Halting from a page: the dialog, the strip on every page, the agent's answer, resuming with a reason, and the record. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import { expectNotice } from "./fixtures/notices.ts";
import { address, invite, join, stranger } from "./pages/accounts.ts";

interface HookOutput {
  readonly continue?: boolean;
  readonly reason?: string;
}

async function newAgent(api: Script, name: string): Promise<{ agentId: string; key: string }> {
  return await api.mutate("agents.create", { name });
}

async function gate(api: Script, key: string, sessionId = "halts"): Promise<HookOutput> {
  const response = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: sessionId, tool_name: "shell", tool_input: { cmd: "ls" } }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as HookOutput; // hook output
}

/** Chooses an option of a list in the dialog. */
async function choose(page: Page, list: string, option: string): Promise<void> {
  await page.getByRole("alertdialog").getByRole("combobox", { name: list }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

/** Presses the buttons by name, one after the other, and nothing else: the halt is in force after them. */
async function halts(page: Page, ...buttons: readonly string[]): Promise<void> {
  for (const name of buttons) await page.getByRole("button", { name, exact: true }).click();
  await expect(page.getByRole("alertdialog")).toBeHidden();
}

test("a workspace is halted from the page, every page says so, and it is resumed with a reason", async ({
  page,
  api,
}) => {
  const key = await api.key(fresh("worker"));
  expect(await gate(api, key)).toEqual({});
  await page.goto("/audit/halts");
  await expect(page.getByText("No halts in force")).toBeVisible();
  await page.getByRole("button", { name: "Stop agents…", exact: true }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Halt now" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Choose what to stop");
  await choose(page, "What to stop", "The whole workspace");
  await expect(dialog.getByRole("status")).toContainText("Stops 1 agent and 1 session in progress.");
  await dialog.getByLabel("Reason").fill(" ");
  await dialog.getByRole("button", { name: "Halt now" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Enter a one-line reason");
  await dialog.getByLabel("Reason").fill("A key leaked");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Halt now" }).click();
  await expect(dialog).toBeHidden();
  const row = page.getByRole("list", { name: "Halts in force" }).getByRole("listitem");
  await expect(row).toContainText("The whole workspace");
  const answer = await gate(api, key);
  expect(answer.continue).toBe(false);
  expect(answer.reason).toContain("A key leaked.");
  await expectAccessible(page);

  await page.goto("/");
  await expect(page.getByRole("region", { name: "The gate" })).toContainText("Halted");
  await page.goto("/activity");
  await expectNotice(page, "Halted", "The whole workspace is halted");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("link", { name: "Show halts" }).click();
  await expect(row).toBeVisible();
  await expectAccessible(page);
  await row.getByRole("button", { name: "Resume…" }).click();
  await dialog.getByRole("button", { name: "Resume" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Enter a one-line reason.");
  await dialog.getByLabel("Reason for resuming").fill("The key is replaced");
  await dialog.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("No halts in force")).toBeVisible();
  await expect(page.getByRole("region", { name: "Halted" })).toBeHidden();
  await expect(page.getByRole("list", { name: "Past halts" })).toContainText("The key is replaced");
  expect(await gate(api, key)).toEqual({});

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/audit");
  await expect(page.getByText(/halted the whole workspace: A key leaked/)).toBeVisible();
  await expect(page.getByText(/resumed the whole workspace: The key is replaced/)).toBeVisible();
});

test("an agent is put into quarantine, and one session of another is halted", async ({ page, api }) => {
  const [odd, other] = [fresh("odd"), fresh("other")];
  const [oddKey, otherKey] = [await api.key(odd), await api.key(other)];
  await page.goto("/audit/halts");
  const dialog = page.getByRole("alertdialog");
  const open = async (scope: string, agent: string) => {
    await page.getByRole("button", { name: "Stop agents…", exact: true }).click();
    await choose(page, "What to stop", scope);
    await choose(page, "Agent", agent);
    await dialog.getByLabel("Reason").fill("Odd commands");
  };
  await open("One agent", odd);
  await dialog.getByRole("checkbox", { name: "Quarantine" }).check();
  await dialog.getByRole("button", { name: "Halt now" }).click();
  await expect(dialog).toBeHidden();
  await open("One session", other);
  await dialog.getByLabel("Session").fill("s1");
  await dialog.getByRole("button", { name: "Halt now" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("list", { name: "Halts in force" }).getByRole("listitem")).toHaveCount(2);
  await expectNotice(page, "Halted", `The agent ${odd} is in quarantine`);
  expect((await gate(api, oddKey)).reason).toContain("until a person has reviewed it");
  expect((await gate(api, otherKey, "s1")).continue).toBe(false);
  expect(await gate(api, otherKey, "s2")).toEqual({});
});

test("a local executor is named with its last contact until it has followed", { tag: "@proof" }, async ({
  page,
  api,
}) => {
  const name = fresh("laptop");
  const key = await api.key(name);
  const executor = { authorization: `Bearer ${key}`, "quarterdeck-executor": "id=00000000000000aa" };
  const accept = "application/vnd.quarterdeck.policy.v2+json";
  const poll = await fetch(`${api.url}/api/v1/policy`, { headers: { ...executor, accept } });
  expect(poll.status).toBe(200);
  await page.goto("/audit/halts");
  await page.getByRole("button", { name: "Stop agents…", exact: true }).click();
  const dialog = page.getByRole("alertdialog");
  await choose(page, "What to stop", "The whole workspace");
  await dialog.getByLabel("Reason").fill("A key leaked");
  await dialog.getByRole("button", { name: "Halt now" }).click();
  await expect(dialog).toBeHidden();
  const row = page.getByRole("list", { name: "Halts in force" }).getByRole("listitem").first();
  await expect(row).toContainText("Not applied yet Applied by 0 of 1 local executor");
  const line = page.getByRole("list", { name: "Local executors that have not applied the halt" }).getByRole("listitem");
  await expect(line).toContainText(`${name}, last contact`);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await line.getByRole("link", { name }).click();
  // Once, by the notice that says how far the halt has come.
  await expect(page.getByText("The whole workspace is halted")).toHaveCount(1);
  const notice = page.getByRole("status").filter({ hasText: "The whole workspace is halted" });
  await expect(notice).toContainText(`${name}, last contact`);
  await expectAccessible(page);

  const response = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { ...executor, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", tool_name: "shell", tool_input: { cmd: "ls" } }),
  });
  expect(((await response.json()) as HookOutput).continue).toBe(false); // hook output
  await expect(notice).toContainText("Applied Applied by 1 of 1 local executor");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/audit/halts");
  await expect(row).toContainText("Applied Applied by 1 of 1 local executor");
  await expectAccessible(page);
});

test("an agent is halted from its page with two clicks, by a browser that has proved nothing, at 390 px too", {
  tag: "@proof",
}, async ({ page, api }) => {
  for (const width of [1280, 390]) {
    const name = fresh("runner");
    const { agentId, key } = await newAgent(api, name);
    expect(await gate(api, key)).toEqual({});
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`/agents/${agentId}`);
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
    await page.getByRole("button", { name: "Stop…", exact: true }).click();
    const dialog = page.getByRole("alertdialog", { name: `Stop ${name}?` });
    await expect(dialog.getByRole("status")).toContainText("Stops 1 agent and 1 session in progress.");
    await expect(dialog.getByRole("combobox", { name: "Agent" })).toContainText(name);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("button", { name: "Stop…", exact: true })).toBeFocused();
    expect(await gate(api, key)).toEqual({});

    await halts(page, "Stop…", "Halt now");
    const answer = await gate(api, key);
    expect(answer.continue).toBe(false);
    expect(answer.reason).toContain("Emergency stop.");
    await expect(page.getByText(`The agent ${name} is halted`)).toHaveCount(1);
    await expectAccessible(page);
  }
});

test("a session and a call are stopped from where they are shown, each preset to itself", async ({ page, api }) => {
  const name = fresh("caller");
  const { agentId, key } = await newAgent(api, name);
  await gate(api, key, "one");
  await gate(api, key, "two");
  await page.goto(`/activity/sessions/timeline?agent=${agentId}&session=one`);
  await expect(page.getByRole("link", { name }).or(page.getByText(name)).first()).toBeVisible();
  await page.getByRole("button", { name: "Stop…", exact: true }).click();
  await expect(page.getByRole("alertdialog", { name: "Stop this session?" })).toContainText(
    "Stops 1 session in progress.",
  );
  await halts(page, "Halt now");
  expect((await gate(api, key, "one")).continue).toBe(false);
  expect(await gate(api, key, "two")).toEqual({});

  await page.goto(`/activity?q=${encodeURIComponent(`agent:"${name}"`)}`);
  await page.getByRole("row").filter({ hasText: "shell" }).first().click();
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("button", { name: "Stop…" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Stop this agent?" });
  await expect(dialog.getByRole("combobox", { name: "Agent" })).toContainText(name);
  await choose(page, "What to stop", "One session");
  await expect(dialog.getByLabel("Session", { exact: true })).not.toHaveValue("");
  await choose(page, "What to stop", "One agent");
  await expectAccessible(page);
  await halts(page, "Halt now");
  await expect(drawer).toBeVisible();
  expect((await gate(api, key, "two")).continue).toBe(false);
});

test("a viewer sees Stop on every page, disabled, with the reason", { tag: "@proof" }, async ({ browser, api }) => {
  const page = await stranger(browser);
  await join(page, await invite(api, address("vera"), "viewer"), "Vera Rubin");
  for (const path of ["/", "/activity", "/agents", "/policies", "/settings"]) {
    await page.goto(path);
    const button = page.getByRole("button", { name: "Stop agents…", exact: true });
    await expect(button).toBeDisabled();
    await expect(button.locator("..")).toHaveAttribute("title", /Required role: .*Your role: viewer/);
  }
});
