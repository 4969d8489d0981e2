/** People answer calls from a page: an agent that waits, one that comes back with a ticket, and two people. */
import type { Browser, Page } from "@playwright/test";
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
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
  const call = async ({ tool = "shell", cmd, wait }: Call): Promise<Verdict> => {
    const response = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...(wait === undefined ? {} : { "quarterdeck-wait-seconds": String(wait) }),
      },
      body: JSON.stringify({
        ...{ session_id: "approvals", tool_name: tool, tool_use_id: fresh("c"), tool_input: { cmd }, cwd: "/srv/app" },
      }),
    });
    expect(response.status).toBe(200);
    const { hook_specific_output: specific = {} } = (await response.json()) as { hook_specific_output?: Verdict }; // hook output
    return specific;
  };
  return { agent, call };
}

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
  await expect(card).toContainText("No calls from this agent to this tool");
  await expectAccessible(page);
  await card.getByRole("button", { name: "Edit…" }).click();
  await card.getByRole("button", { name: "Allow edited" }).click();
  await expect(card.getByRole("alert")).toContainText("No changes yet.");
  await card.getByLabel("Run with this input instead").fill('{"cmd": "rm -r build/tmp"}');
  await expectAccessible(page);
  await card.getByRole("button", { name: "Allow edited" }).click();
  const verdict = await underWay;
  expect(verdict).toMatchObject({ permission_decision: "allow", updated_input: { cmd: "rm -r build/tmp" } });
  expect(verdict.permission_decision_reason).toMatch(/^Allowed with an edited input by Ada Lovelace \(QD-\d+\)\.$/);
  await page.goto("/approvals/answered");
  const row = page.getByRole("list", { name: "Answered and expired calls" }).getByRole("listitem").first();
  await expect(row).toContainText("Edited");
  await expect(row).toContainText("Ada Lovelace");

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/activity");
  await page.getByRole("row").filter({ hasText: "shell" }).first().click();
  await expect(page.getByRole("dialog")).toContainText("Allowed with an edited input by Ada Lovelace");
});

test("a ticket is allowed once, used once, and an unused one withdrawn", async ({ page, api }) => {
  const { call } = await asking(api);
  await page.goto("/approvals");
  const denied = await call({ cmd: "make release" });
  expect(denied.permission_decision_reason).toMatch(/^Approval required: QD-\d+\./);
  const card = cards(page).first();
  await expect(card).toContainText("Retry needed");
  await expect(page.getByRole("navigation").getByText("1 call to answer").first()).toBeAttached();
  await card.getByRole("button", { name: "Allow once" }).press("Enter");
  await expect(page.getByText("No pending approvals")).toBeVisible();
  expect((await call({ cmd: "make other" })).permission_decision).toBe("deny");
  expect((await call({ cmd: "make release" })).permission_decision).toBe("allow");
  expect((await call({ cmd: "make release" })).permission_decision).toBe("deny");
  for (const cmd of ["make other", "make release"]) {
    const other = cards(page).filter({ hasText: cmd });
    await other.getByRole("button", { name: "Deny…" }).click();
    await other.getByRole("button", { name: "Deny", exact: true }).click();
    await expect(other.getByRole("alert")).toContainText("Enter a one-line reason.");
    await other.getByLabel("Why not").fill("Not today");
    await other.getByRole("button", { name: "Deny", exact: true }).click();
    await expect(other).toBeHidden();
  }
  await call({ cmd: "make docs" });
  await cards(page).first().getByRole("button", { name: "Allow once" }).click();
  await page.goto("/approvals/answered");
  const row = page.getByRole("list", { name: "Answered and expired calls" }).getByRole("listitem").first();
  await row.getByRole("button", { name: "Take back" }).click();
  await expect(row).toContainText("Taken back");
  expect((await call({ cmd: "make docs" })).permission_decision).toBe("deny");
  await expectAccessible(page);
});

async function secondPerson(browser: Browser, api: Script): Promise<Page> {
  const other = await stranger(browser);
  await join(other, await invite(api, address("grace"), "approver"), "Grace Hopper");
  return other;
}

test("two people agree to a call before it runs", { tag: "@proof" }, async ({ page, api, browser }) => {
  const { call } = await asking(api);
  const other = await secondPerson(browser, api);
  const underWay = call({ tool: "deploy", cmd: "deploy --all", wait: 100 });
  await page.goto("/approvals");
  await expect(cards(page).first()).toContainText("Two people must approve.");
  await cards(page).first().getByRole("button", { name: "Agree" }).click();
  await expect(cards(page).first()).toContainText("Ada Lovelace agreed; one more must agree.");
  await expect(cards(page).first()).toContainText("You approved this call.");
  await expect(cards(page).first().getByRole("button", { name: "Agree" })).toHaveCount(0);
  await other.goto("/approvals");
  await cards(other).first().getByRole("button", { name: "Allow once" }).click();
  expect((await underWay).permission_decision_reason).toContain("Ada Lovelace and Grace Hopper");
  await expect(page.getByText("No pending approvals")).toBeVisible();
});
