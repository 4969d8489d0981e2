/** The report card of each rule: what it decided through the HTTP API is what its page says, while it is in force and after. */
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";
import { sender } from "./fixtures/sender.ts";
import { DecisionsPage } from "./pages/decisions.ts";

const ASK = '{"hook_specific_output":{"permission_decision":"ask","permission_decision_reason":"a person decides"}}';

interface Rule {
  readonly name: string;
  readonly command: string;
}

const policyOf = (rules: readonly Rule[]): string => `profile: 2026-08
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
${rules.map(({ name, command }) => `        - {name: ${name}, type: command, command: ${JSON.stringify(command)}}\n`).join("")}`;

const RULES = {
  stop: { name: "stop", command: 'if grep -q stop-me; then echo "not here" >&2; exit 2; fi' },
  question: { name: "question", command: `if grep -q ask-me; then printf %s '${ASK}'; fi` },
  broken: { name: "broken", command: 'if grep -q break-me; then echo "no such table" >&2; exit 7; fi' },
} as const satisfies Record<string, Rule>;

const COLUMNS = ["rule", "policy", "event", "fired", "denied", "asked", "overturned", "errors"] as const;

/** Figures of rules update every five seconds. */
const followed = expect.configure({ timeout: 20_000 });

test("a rule's card counts what it decided, opens the calls, and outlives the rule", async ({ page, api }) => {
  const policy = fresh("rulebook");
  const { agent, send } = await sender(api, "ruled");
  const publish = (rules: readonly Rule[]) =>
    api.mutate("policies.publishByName", { name: policy, source: policyOf(rules), note: "" });
  const call = (tool_use_id: string, cmd: string) =>
    send("pre_tool_use", { tool_name: "shell", tool_use_id, tool_input: { cmd } });
  await publish(Object.values(RULES));

  await page.goto("/policies/performance?range=1h");
  const row = (rule: Rule) => page.getByRole("grid", { name: "rules" }).getByRole("row").filter({ hasText: rule.name });
  for (const rule of Object.values(RULES)) await expect(row(rule)).toContainText("never");
  await expect(page.getByText("3 rules have not run in the last hour.")).toBeVisible();

  // The cards count what the agent hears, without a reload.
  expect(await call("one", "echo stop-me")).toMatchObject({ decision: "block", reason: "not here" });
  expect(await call("two", "echo ask-me")).toMatchObject({ hook_specific_output: { permission_decision: "ask" } });
  expect(await call("three", "echo break-me")).toMatchObject({ decision: "block" });
  expect(await call("four", "echo")).toEqual({});
  const cell = (rule: Rule, column: (typeof COLUMNS)[number]) =>
    row(rule).getByRole("gridcell").nth(COLUMNS.indexOf(column));
  for (const rule of Object.values(RULES)) await followed(cell(rule, "fired")).toHaveText("4");
  await followed(cell(RULES.stop, "denied")).toHaveText(/^1\s25\s%$/);
  await followed(cell(RULES.question, "asked")).toHaveText(/^1\s25\s%$/);
  await followed(cell(RULES.broken, "errors")).toHaveText(/^1\s25\s%$/);
  await followed(cell(RULES.question, "overturned")).toHaveText("0");
  await send("on_tool_approval_decision", {
    tool_name: "shell",
    tool_use_id: "two",
    approval_decision: "allow",
    approval_source: "user_approved",
  });
  await followed(cell(RULES.question, "overturned")).toHaveText(/^1\s100\s%$/);
  await expect(page.getByText(/not run/)).toHaveCount(0);
  await expectAccessible(page);

  const cardOf = async (hook: string) => {
    const range = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000) };
    const { cards } = await api.query("rules.cards", range);
    return cards.find((card) => card.hook === hook);
  };
  expect(await cardOf("stop")).toMatchObject({ fired: 4, inForce: 1, outcomes: { denied: 1, silent: 3, failed: 0 } });
  expect(await cardOf("broken")).toMatchObject({ fired: 4, outcomes: { denied: 0, silent: 3, failed: 1 } });

  await row(RULES.broken).click();
  const drawer = page.getByRole("dialog");
  await expect(drawer).toContainText("exited with status 7");
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await row(RULES.stop).click();
  await expect(drawer).toContainText("1 · 25 % of 4 runs");
  await expectAccessible(page);
  await drawer.getByRole("listitem").filter({ hasText: agent }).getByRole("link").click();
  const decisions = new DecisionsPage(page);
  await expect(decisions.drawer.getByRole("region", { name: "Verdict" })).toContainText("stop refused it");
  await expect(decisions.drawer).toContainText("echo stop-me");

  // Out of force: the same call passes, and what the rule did stays on its card.
  await page.goto("/policies/performance?range=1h");
  await followed(row(RULES.stop)).toBeVisible();
  await publish([RULES.question, RULES.broken]);
  await followed(row(RULES.stop)).toContainText("not in force");
  expect(await call("five", "echo stop-me")).toEqual({});
  await followed(cell(RULES.question, "fired")).toHaveText("5");
  await followed(cell(RULES.stop, "fired")).toHaveText("4");
  expect(await cardOf("stop")).toMatchObject({ fired: 4, inForce: 0, outcomes: { denied: 1 } });

  // In force again, it goes on where it was.
  await publish(Object.values(RULES));
  await followed(row(RULES.stop)).not.toContainText("not in force");
  expect(await call("six", "echo stop-me")).toMatchObject({ decision: "block" });
  await followed(cell(RULES.stop, "denied")).toHaveText(/^2\s40\s%$/);
});

test("a new revision of a rule is compared with the one before it", async ({ page, api }) => {
  const policy = fresh("compared");
  const { send } = await sender(api, "compared");
  const publish = (rule: Rule) =>
    api.mutate("policies.publishByName", { name: policy, source: policyOf([rule]), note: "" });
  const call = (tool_use_id: string, cmd: string) =>
    send("pre_tool_use", { tool_name: "shell", tool_use_id, tool_input: { cmd } });
  await publish(RULES.stop);
  for (const id of ["a", "b", "c"]) await call(id, "echo");
  await call("d", "echo stop-me");

  await page.goto("/policies/performance?range=1h");
  const row = page.getByRole("grid", { name: "rules" }).getByRole("row").filter({ hasText: policy });
  await row.click();
  const drawer = page.getByRole("dialog", { name: RULES.stop.name });
  const lines = drawer.getByRole("region", { name: "Figures by revision" }).getByRole("row");
  await followed(lines).toHaveText([/^Revision/, /^1in force.*4\s*1 · 25 %/]);

  // The next revision denies more. Until it runs, there is nothing to compare.
  await publish({ ...RULES.stop, command: 'if grep -q echo; then echo "nothing here" >&2; exit 2; fi' });
  await followed(drawer).toContainText("No comparison: revision 2 has not run in this range.");
  expect(await call("e", "echo")).toMatchObject({ decision: "block" });
  await call("f", "echo");
  await followed(lines).toHaveText([/^Revision/, /^2in force.*2\s*2 · 100 %/, /^1published.*4\s*1 · 25 %/]);
  const changes = drawer.getByRole("list", { name: "Changes from revision 1 to revision 2" });
  await expect(changes.getByRole("listitem")).toHaveText([
    "Denied: 100 % of 2 runs, before 25 % of 4 runs. The share rose by 75 percentage points.",
    /^p50: /,
    /^p95: /,
  ]);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(changes).toBeVisible();
  await expectAccessible(page);
});

test("a rule has an owner and a ticket, and the change is in the record", async ({ page, api }) => {
  const policy = fresh("owned");
  await api.mutate("policies.publishByName", { name: policy, source: policyOf([RULES.stop]), note: "" });
  await page.goto("/policies/performance?range=1h");
  const row = page.getByRole("grid", { name: "rules" }).getByRole("row").filter({ hasText: policy });
  await row.click();
  const owner = page.getByRole("dialog", { name: RULES.stop.name });
  await expect(owner).toContainText("The rule has no owner.");
  await owner.getByRole("button", { name: "Edit owner…" }).click();
  const dialog = page.getByRole("alertdialog", { name: `Owner of the rule ${RULES.stop.name}` });
  await dialog.getByRole("textbox", { name: "Ticket" }).fill("SEC-12");
  await dialog.getByRole("button", { name: "Save owner" }).click();
  await expect(dialog).toContainText("Enter the address of a ticket");
  await dialog.getByRole("textbox", { name: "Ticket" }).fill("https://tickets.example/SEC-12");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save owner" }).click();
  await expect(dialog).toBeHidden();
  await expect(owner.getByRole("link", { name: "https://tickets.example/SEC-12" })).toBeVisible();

  await page.goto("/audit?range=1h");
  await expect(page.getByText(`of the rule ${RULES.stop.name}, with the ticket`).first()).toBeVisible();
});
