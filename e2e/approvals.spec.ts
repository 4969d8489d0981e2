/** People answer calls from a page: an agent that waits, one that comes back with a ticket, and two people. */
import type { Browser, Page } from "@playwright/test";
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import { sender } from "./fixtures/sender.ts";
import { address, invite, join, stranger } from "./pages/accounts.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: "^shell$"
      hooks:
        - { type: builtin, command: ask_a_person, args: ["Is this meant for production?"] }
    - matcher: "^deploy$"
      hooks:
        - { type: builtin, command: ask_a_person, args: ["Two of us look at this.", "two people"] }
`;

interface Verdict {
  readonly permission_decision?: string;
  readonly permission_decision_reason?: string;
  readonly updated_input?: object;
}

interface Call {
  readonly tool?: string;
  readonly cmd: string;
  readonly description?: string;
  readonly cwd?: string;
  /** Seconds; absent: it does not wait. */
  readonly wait?: number;
}

/** An agent under the policy; answers how it calls a tool. */
async function asking(api: Script) {
  const name = fresh("guarded");
  const agent = fresh("worker");
  const key = await api.key(agent);
  await api.mutate("policies.create", { name });
  await api.mutate("policies.publishByName", { name, source: POLICY });
  const call = async ({ tool = "shell", wait, ...input }: Call): Promise<Verdict> => {
    const response = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...(wait === undefined ? {} : { "quarterdeck-wait-seconds": String(wait) }),
      },
      body: JSON.stringify({
        ...{ session_id: "approvals", tool_name: tool, tool_use_id: fresh("c"), tool_input: input, cwd: "/srv/app" },
      }),
    });
    expect(response.status).toBe(200);
    const { hook_specific_output: specific = {} } = (await response.json()) as { hook_specific_output?: Verdict }; // hook output
    return specific;
  };
  return { agent, call };
}

/** The rows of a wide page, whose selected call is in a panel. */
const rows = (page: Page) => page.getByRole("list", { name: "Calls to answer" }).getByRole("listitem");
const panel = (page: Page) => page.getByRole("region", { name: /^QD-\d+ · / });
/** The cards of a phone. */
const cards = (page: Page) => page.getByRole("list", { name: "Calls to answer" }).locator(":scope > li");

test("a call that waits is edited on a phone, and returns to its agent as edited", async ({ page, api }) => {
  const { agent, call } = await asking(api);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/approvals");
  await expect(page.getByText("No pending approvals")).toBeVisible();
  const underWay = call({ cmd: "rm -rf build", wait: 60 });
  const card = cards(page).first();
  await expect(card).toContainText(`${agent} wants to use shell`);
  await expect(card).toContainText("Is this meant for production?");
  await expect(card).toContainText("rm -rf build");
  await expect(card).toContainText("/srv/app");
  await expect(card).toContainText(/Denied in \d+ s without an answer/);
  await expect(card).toContainText("No earlier request from this agent for this tool ended in the last 30 days");
  await expectAccessible(page);
  await card.getByRole("button", { name: "Edit…" }).click();
  await card.getByRole("button", { name: "Allow edited" }).click();
  await expect(card.getByRole("alert")).toContainText("No changes yet.");
  await card.getByLabel("New input for the call").fill('{"cmd": "rm -r build/tmp"}');
  await expectAccessible(page);
  await card.getByRole("button", { name: "Allow edited" }).click();
  const verdict = await underWay;
  expect(verdict).toMatchObject({ permission_decision: "allow", updated_input: { cmd: "rm -r build/tmp" } });
  expect(verdict.permission_decision_reason).toMatch(/^Allowed with an edited input by Ada Lovelace \(QD-\d+\)\.$/);
  await page.goto("/approvals/answered");
  const row = page.getByRole("list", { name: "Answered and expired calls" }).getByRole("listitem").first();
  await expect(row).toContainText("Edited");
  await expect(row).toContainText("Ada Lovelace");
  await page.goto("/approvals?person=unknown");
  await expect(page.getByText("No requests for Unknown person")).toBeVisible();
  await page.getByRole("button", { name: "Show every person" }).click();
  await expect(page.getByText("No pending approvals")).toBeVisible();

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/activity");
  await page.getByRole("row").filter({ hasText: "shell" }).first().click();
  await expect(page.getByRole("dialog")).toContainText("Allowed with an edited input by Ada Lovelace");
});

test("a ticket is allowed once, used once, and an unused one withdrawn", async ({ page, api }) => {
  const { agent, call } = await asking(api);
  await page.goto("/approvals");
  const denied = await call({ cmd: "make release" });
  expect(denied.permission_decision_reason).toMatch(/^Approval required: QD-\d+\./);
  await expect(rows(page).first()).toContainText("Retry needed");
  await expect(rows(page).first()).toContainText(agent);
  await expect(page.getByRole("navigation").getByText("1 call to answer").first()).toBeAttached();
  await panel(page).getByRole("button", { name: "Allow once" }).press("Enter");
  await expect(page.getByText(`${agent} wants to use shell: make release`)).toBeVisible();
  await expect(page.getByText("No pending approvals")).toBeVisible();
  expect((await call({ cmd: "make other" })).permission_decision).toBe("deny");
  expect((await call({ cmd: "make release" })).permission_decision).toBe("allow");
  expect((await call({ cmd: "make release" })).permission_decision).toBe("deny");
  for (const cmd of ["make other", "make release"]) {
    await rows(page).filter({ hasText: cmd }).getByRole("button").click();
    const other = panel(page).filter({ hasText: cmd });
    await other.getByRole("button", { name: "Deny…" }).click();
    await other.getByRole("button", { name: "Deny", exact: true }).click();
    await expect(other.getByRole("alert")).toContainText("Enter a one-line reason.");
    await other.getByLabel("Why not").fill("Not today");
    await other.getByRole("button", { name: "Deny", exact: true }).click();
    await expect(rows(page).filter({ hasText: cmd })).toHaveCount(0);
  }
  await call({ cmd: "make docs" });
  await panel(page).getByRole("button", { name: "Allow once" }).click();
  await page.goto("/approvals/answered");
  const row = page.getByRole("list", { name: "Answered and expired calls" }).getByRole("listitem").first();
  await row.getByRole("button", { name: "Take back" }).click();
  await expect(row).toContainText("Taken back");
  expect((await call({ cmd: "make docs" })).permission_decision).toBe("deny");
  await expectAccessible(page);
});

test("calls are walked, allowed and denied by keys, and no key answers a call that was not read", async ({
  page,
  api,
}) => {
  const { call } = await asking(api);
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const cmd of ["make one", "make two", "make three"]) await call({ cmd });
  await page.goto("/approvals");
  await expect(rows(page)).toHaveCount(3);
  await expect(panel(page)).toContainText("make one");
  await expectAccessible(page);
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const each of ["Allow the call", "Deny the call", "Next call", "Previous call"])
    await expect(keys).toContainText(each);
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();

  await page.keyboard.press("j");
  await expect(panel(page)).toContainText("make two");
  await expect(rows(page).nth(1).getByRole("button")).toBeFocused();
  await page.keyboard.press("d");
  await expect(panel(page).getByLabel("Why not")).toBeFocused();
  await page.keyboard.type("add a day, and ask jack");
  await expect(panel(page).getByLabel("Why not")).toHaveValue("add a day, and ask jack");
  await page.keyboard.press("Enter");
  await expect(rows(page)).toHaveCount(2);

  const none = page.getByRole("region", { name: "No call selected" });
  await expect(none).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("a");
  await page.keyboard.press("j");
  await expect(panel(page)).toContainText("make three");
  await expect(rows(page)).toHaveCount(2);
  await page.keyboard.press("k");
  await expect(panel(page)).toContainText("make one");
  await page.keyboard.press("a");
  await expect(rows(page)).toHaveCount(1);
  expect((await call({ cmd: "make one" })).permission_decision).toBe("allow");
  expect((await call({ cmd: "make three" })).permission_decision).toBe("deny");

  await rows(page).getByRole("button").click();
  await panel(page)
    .getByRole("link", { name: /^QD-\d+ in Calls$/ })
    .click();
  await expect(page).toHaveURL(/\/activity\?range=7d&q=QD-\d+\.$/);
  await expect(page.getByRole("row").filter({ hasText: "make three" })).toHaveCount(2);
  await expect(page.getByRole("row").filter({ hasText: "make" })).toHaveCount(2);
});

test("the description of a call is a line, and its waiting call opens in Calls", async ({ page, api }) => {
  const { call } = await asking(api);
  await page.setViewportSize({ width: 1440, height: 900 });
  const underWay = call({ cmd: "make site", description: "Builds the public site", cwd: ".", wait: 60 });
  await page.goto("/approvals");
  // The folder of the command is the agent's own, which is named once.
  await expect(panel(page).getByText("/srv/app")).toBeVisible();
  await expect(panel(page).getByText("In", { exact: true })).toHaveCount(0);
  await expect(panel(page)).toContainText("“ask_a_person”");
  await expect(panel(page).getByRole("button", { name: "Before a tool runs" })).toBeVisible();
  await expect(panel(page).getByText("Builds the public site")).toBeVisible();
  await expect(panel(page).getByRole("region", { name: /^Arguments/ })).toHaveCount(0);
  const timeline = panel(page).getByRole("link", { name: "approvals", exact: true });
  await expect(timeline).toHaveAttribute("href", /sessions\/timeline\?agent=/);
  await panel(page)
    .getByRole("link", { name: /^QD-\d+ in Calls$/ })
    .click();
  await expect(page.getByRole("dialog")).toContainText("Waiting for a person");
  await page
    .getByRole("dialog")
    .getByRole("link", { name: /^Answer QD-/ })
    .click();
  await expect(panel(page)).toContainText("make site");
  await page.keyboard.press("a");
  expect((await underWay).permission_decision).toBe("allow");
});

async function secondPerson(browser: Browser, api: Script): Promise<Page> {
  const other = await stranger(browser);
  await join(other, await invite(api, address("grace"), "approver"), "Grace Hopper");
  return other;
}

test("two people agree to a call before it runs", { tag: "@proof" }, async ({ page, api, browser }) => {
  const { call } = await asking(api);
  const other = await secondPerson(browser, api);
  // Home has its sections from the first event on.
  await (await sender(api, "seen")).send("session_start", { session_id: "seen" });
  const underWay = call({ tool: "deploy", cmd: "deploy --all", wait: 100 });
  await page.goto("/approvals");
  await expect(panel(page)).toContainText("Two people must approve the call.");
  await panel(page).getByRole("button", { name: "Agree" }).click();
  // It waits for other people now, who are named.
  const others = page.getByRole("list", { name: "Calls that other people must answer" });
  await expect(others).toContainText("Ada Lovelace agreed; one more must agree.");
  await expect(others).toContainText("You approved this call, and you can't undo that. Grace Hopper can answer.");
  await expect(page.getByRole("button", { name: "Agree" })).toHaveCount(0);
  await page.goto("/");
  await expect(page.getByText("1 call waits for other people.")).toBeVisible();
  await expect(page.getByText("Nothing waits for you")).toBeVisible();
  await page.goto("/approvals");
  await other.goto("/approvals");
  await panel(other).getByRole("button", { name: "Allow once" }).click();
  expect((await underWay).permission_decision_reason).toContain("Ada Lovelace and Grace Hopper");
  await expect(page.getByText("No pending approvals")).toBeVisible();
});
