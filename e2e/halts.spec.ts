/** Halting from a page: the dialog, the strip on every page, the agent's answer, resuming with a reason, and the record. */
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import { expectNotice } from "./fixtures/notices.ts";

interface HookOutput {
  readonly continue?: boolean;
  readonly reason?: string;
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

test("a workspace is halted from the page, every page says so, and it is resumed with a reason", async ({
  page,
  api,
}) => {
  const key = await api.key(fresh("worker"));
  expect(await gate(api, key)).toEqual({});
  await page.goto("/halts");
  await expect(page.getByText("Nothing is halted")).toBeVisible();
  await page.getByRole("button", { name: "Halt…" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Halt now" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Say why in one line");
  await dialog.getByLabel("Why").fill("A key leaked");
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
  await page.goto("/decisions");
  await expectNotice(page, "Halted", "The whole workspace is halted");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("link", { name: "Show halts" }).click();
  await expect(row).toBeVisible();
  await expectAccessible(page);
  await row.getByRole("button", { name: "Resume…" }).click();
  await dialog.getByRole("button", { name: "Resume" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Say in one line why it may run again.");
  await dialog.getByLabel("Why it may run again").fill("The key is replaced");
  await dialog.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("Nothing is halted")).toBeVisible();
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
  await page.goto("/halts");
  const dialog = page.getByRole("alertdialog");
  const open = async (scope: string, agent: string) => {
    await page.getByRole("button", { name: "Halt…" }).click();
    await dialog.getByRole("combobox", { name: "Halt" }).click();
    await page.getByRole("option", { name: scope, exact: true }).click();
    await dialog.getByRole("combobox", { name: "Agent" }).click();
    await page.getByRole("option", { name: agent }).click();
    await dialog.getByLabel("Why").fill("Odd commands");
  };
  await open("One agent", odd);
  await dialog.getByRole("checkbox", { name: "Quarantine" }).check();
  await dialog.getByRole("button", { name: "Halt now" }).click();
  await expect(dialog).toBeHidden();
  await open("One session of an agent", other);
  await dialog.getByLabel("Session").fill("s1");
  await dialog.getByRole("button", { name: "Halt now" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("list", { name: "Halts in force" }).getByRole("listitem")).toHaveCount(2);
  await expectNotice(page, "Halted", `The agent ${odd} is in quarantine`);
  expect((await gate(api, oddKey)).reason).toContain("until a person has reviewed it");
  expect((await gate(api, otherKey, "s1")).continue).toBe(false);
  expect(await gate(api, otherKey, "s2")).toEqual({});
});

test("an agent with a local executor is shown as not reachable until it has followed", async ({ page, api }) => {
  const name = fresh("laptop");
  const key = await api.key(name);
  const executor = { authorization: `Bearer ${key}`, "quarterdeck-executor": "id=00000000000000aa; max-age=3600" };
  const accept = "application/vnd.quarterdeck.policy.v2+json";
  const poll = await fetch(`${api.url}/api/v1/policy`, { headers: { ...executor, accept } });
  expect(poll.status).toBe(200);
  await page.goto("/halts");
  await page.getByRole("button", { name: "Halt…" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByLabel("Why").fill("A key leaked");
  await dialog.getByRole("button", { name: "Halt now" }).click();
  await expect(dialog).toBeHidden();
  const line = page.getByRole("list", { name: "Agents with a local executor" }).getByRole("listitem");
  await expect(line).toContainText(`${name} Not reachable`);
  await expect(line).toContainText("it may go on until");
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await line.getByRole("link", { name }).click();
  const notice = page.getByRole("status").filter({ hasText: "The whole workspace is halted" }).last();
  await expect(notice).toContainText("Not reachable");
  await expectAccessible(page);

  const response = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { ...executor, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", tool_name: "shell", tool_input: { cmd: "ls" } }),
  });
  expect(((await response.json()) as HookOutput).continue).toBe(false); // hook output
  await expect(notice).toContainText("Followed");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/halts");
  await expect(line).toContainText(`${name} Followed`);
  await expectAccessible(page);
});
