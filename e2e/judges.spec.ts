import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";
import { type ModelStub, modelStub } from "./fixtures/model-stub.ts";
import { sender } from "./fixtures/sender.ts";
import { DecisionsPage } from "./pages/decisions.ts";

let stub: ModelStub;
test.beforeAll(async () => {
  stub = await modelStub();
});
test.afterAll(() => stub.stop());

const uncapped = () => ({
  provider: "openai-compatible" as const,
  baseUrl: stub.url,
  nanoPerDay: null,
  callsPerDay: null,
});

/** The judges' spend in the last hour, in nano-dollars. */
async function judgeSpend(api: Script): Promise<bigint> {
  const range = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000) };
  const { ledger } = await api.query("judges.summary", range);
  return ledger.nano;
}

/** A policy of two judges: one that answers, and one whose model fails. Tool names keep other journeys out of it. */
async function judged(api: Script, connection: string, tool: string): Promise<void> {
  const judge = (matcher: string, word: string) => `
    - matcher: ${matcher}
      hooks:
        - type: model
          name: ${matcher} judge
          model: ${connection}/tiny
          schema: pre_tool_use_decision
          timeout: 2
          prompt: "May this run? stub:${word}"`;
  const source = `hooks:\n  pre_tool_use:${judge(`${tool}_good`, "deny")}${judge(`${tool}_bad`, "two")}`;
  await api.mutate("policies.publishByName", { name: `judged ${tool}`, source, note: "" });
}

test("a model is connected and tried out; its key goes in and never comes out", async ({ page, api }) => {
  const connection = fresh("stub").replaceAll(" ", "-");
  await page.goto("/policies/judges?range=1h");
  await expect(page.getByRole("heading", { name: "Judges", level: 1 })).toBeVisible();

  await page.getByRole("button", { name: "New connection" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Provider" }).click();
  await page.getByRole("option", { name: "OpenAI-compatible" }).click();
  await dialog.getByLabel("Name").fill(connection);
  await dialog.getByLabel("Address").fill("http://10.0.0.1/v1");
  await dialog.getByLabel("Key").fill("sk-e2e-never-shown-again-9876");
  await dialog.getByRole("button", { name: "Add a price" }).click();
  await dialog.getByLabel("Model, price 1").fill("tiny");
  await dialog.getByLabel("Input, price 1").fill("1");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Enter a price, or 0 for a free model.");
  await dialog.getByLabel("Output, price 1").fill("10");

  // A tier needs all of its prices.
  await dialog.getByText("Prices for cache writes and long prompts").click();
  await dialog.getByLabel("Cache write, 1 hour, price 1", { exact: true }).fill("2");
  await dialog.getByLabel("Long input, price 1", { exact: true }).fill("2");
  await dialog.getByLabel("Long output, price 1", { exact: true }).fill("15");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Enter the number of tokens above which a prompt is long");
  await expectAccessible(page);
  await dialog.getByLabel("Prompts above, tokens, price 1", { exact: true }).fill("200,000");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await expect(dialog.getByRole("alert")).toContainText("QUARTERDECK_ALLOW_PRIVATE_MODELS");
  await dialog.getByLabel("Address").fill(stub.url);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Connect" }).click();
  await expect(dialog).toBeHidden();
  const row = page.getByRole("list", { name: "Connections" }).getByRole("listitem").filter({ hasText: connection });
  await expect(row).toContainText("key …9876");
  expect(await page.content()).not.toContain("sk-e2e-never");

  await row.getByRole("button", { name: `Test ${connection}` }).click();
  await dialog.getByRole("button", { name: "Send test" }).click();
  await expect(dialog.getByRole("region", { name: "Result" })).toContainText("Connection works");
  await expect(dialog).toContainText("stub-2026");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(row).toContainText("1 call");
  const [saved] = (await api.query("judges.connections")).filter(({ name }) => name === connection);
  expect(saved?.prices).toEqual([
    {
      ...{ model: "tiny", input: 1_000_000_000n, output: 10_000_000_000n, cachedInput: null, cacheWrite: null },
      hourCacheWrite: 2_000_000_000n,
      longPrompt: {
        ...{ aboveTokens: 200_000, input: 2_000_000_000n, output: 15_000_000_000n, cachedInput: null },
        ...{ cacheWrite: null, hourCacheWrite: null },
      },
    },
  ]);
});

test("a judge's words, its failures and its costs are on the pages", async ({ page, api }) => {
  const connection = fresh("asked").replaceAll(" ", "-");
  const tool = fresh("tool").replaceAll(" ", "_");
  const price = { model: "tiny", input: 1_000_000_000n, output: 10_000_000_000n, cachedInput: null, cacheWrite: null };
  await api.mutate("judges.save", { name: connection, ...uncapped(), prices: [price] });
  await page.goto("/policies/judges?range=1h");
  const dialog = page.getByRole("dialog");
  const spentBefore = await judgeSpend(api);
  await judged(api, connection, tool);
  const { agent, send } = await sender(api, "judged");
  const say = (name: string) => send("pre_tool_use", { session_id: "s", tool_name: name, tool_input: { cmd: "make" } });
  expect(JSON.stringify(await say(`${tool}_good`))).toContain("it removes everything");
  expect(JSON.stringify(await say(`${tool}_bad`))).toContain("block");

  // The page moved on by itself: the failure by its cause, the judge with its spend.
  const failures = page.getByRole("listitem").filter({ hasText: "unparsable" });
  await expect(failures).toContainText("one JSON object with decision and reason");
  await expect(
    page.getByRole("grid", { name: "judges" }).or(page.getByRole("table", { name: "judges" })),
  ).toContainText(`${tool}_good judge`);
  await expectAccessible(page);
  await failures.getByRole("link").click();
  // The page it leaves has a row of that name too.
  await expect(page).toHaveURL(/unparsable/);
  await page
    .getByRole("row")
    .filter({ hasText: `${tool}_bad judge` })
    .click();
  await expect(dialog).toContainText('{"decision":"allow","reason":"one"} {"decision":"deny","reason":"two"}');
  await expect(dialog).toContainText("May this run? stub:two");
  await expectAccessible(page);
  await dialog.getByRole("link", { name: "Decision" }).click();
  await expect(page).toHaveURL(/\/activity/);

  const decisions = new DecisionsPage(page);
  await expect(decisions.drawer).toContainText("Unparsable.");
  await expect(decisions.drawer).toContainText("$0.0003");
  await decisions.open(`?range=1h&q=${encodeURIComponent(`agent:"${agent}"`)}`);
  await decisions.rows(`${tool}_good`).click();
  const asked = decisions.drawer.getByRole("region", { name: "Question to a model" });
  await expect(asked).toContainText("it removes everything");
  await expect(asked).toContainText("120 tokens in, 20 out");
  await expectAccessible(page);

  await page.goto("/spend?range=1h");
  const line = page.getByRole("region", { name: "Spent on judges" });
  await expect(line).toContainText("priced");
  expect((await judgeSpend(api)) - spentBefore).toBe(640_000n);
});

test("a judge's daily cap holds, and removing its connection is a typed word away", { tag: "@proof" }, async ({
  page,
  api,
}) => {
  const connection = fresh("capped").replaceAll(" ", "-");
  const tool = fresh("tool").replaceAll(" ", "_");
  await api.mutate("judges.save", { name: connection, ...uncapped(), prices: [] });
  await judged(api, connection, tool);
  const { send } = await sender(api, "capped");
  const say = () => send("pre_tool_use", { session_id: "s", tool_name: `${tool}_good`, tool_input: {} });
  await say();

  await page.goto("/policies/judges?range=1h");
  await page.getByRole("button", { name: `Change the settings of the judge ${tool}_good judge` }).click();
  await page.getByRole("dialog").getByLabel("Calls a day").fill("1");
  await page.getByRole("button", { name: "Save settings" }).click();
  await expect(page.getByRole("row").filter({ hasText: `${tool}_good judge` })).toContainText("1 of 1 call, used up");
  await say();
  await expect(page.getByRole("listitem").filter({ hasText: "over budget" })).toContainText("midnight UTC");

  const row = page.getByRole("list", { name: "Connections" }).getByRole("listitem").filter({ hasText: connection });
  await row.getByRole("button", { name: `Remove ${connection}` }).click();
  const confirm = page.getByRole("alertdialog");
  await expect(confirm).toContainText("the calls that this judge gates are denied");
  await confirm.getByRole("textbox").fill(connection);
  await expectAccessible(page);
  await confirm.getByRole("button", { name: "Remove connection" }).click();
  await expect(row).toHaveCount(0);
});

test("an equal call is answered from the verdict cache, and a fallback answers for a connection that is down", async ({
  page,
  api,
}) => {
  const [first, backup] = [fresh("down").replaceAll(" ", "-"), fresh("spare").replaceAll(" ", "-")];
  const tool = fresh("tool").replaceAll(" ", "_");
  await api.mutate("judges.save", { name: backup, ...uncapped(), prices: [] });
  await api.mutate("judges.save", { name: first, ...uncapped(), baseUrl: "http://127.0.0.1:9", prices: [] });
  await judged(api, first, tool);

  await page.goto("/policies/judges?range=1h");
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: `Edit ${first}` }).click();
  await dialog.getByLabel("Fallback model").fill("nowhere/tiny");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText('no connection named "nowhere"');
  await dialog.getByLabel("Fallback model").fill(`${backup}/spare`);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toBeHidden();

  const { send } = await sender(api, "equal");
  const say = () => send("pre_tool_use", { session_id: "s", tool_name: `${tool}_good`, tool_input: { cmd: "make" } });
  const asked = stub.asked.length;
  const answer = JSON.stringify(await say());
  expect(answer).toContain("it removes everything");
  expect(JSON.stringify(await say())).toBe(answer);
  expect(stub.asked.length).toBe(asked + 1);

  await page.goto(`/policies/judges?range=1h&view=calls&q=${encodeURIComponent(`judge:"${tool}_good judge"`)}`);
  const rows = page.getByRole("row").filter({ hasText: `${tool}_good judge` });
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("cached");
  await rows.first().click();
  await expect(dialog).toContainText("verdict cache (first by stub-2026)");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await rows.last().click();
  await expect(dialog).toContainText(`stub-2026 over ${backup}`);
  await expect(dialog).toContainText(`${first}: provider error`);
  await dialog.getByRole("link", { name: "Decision" }).click();
  const question = page.getByRole("dialog").getByRole("region", { name: "Question to a model" });
  await expect(question).toContainText(`${first} did not answer (provider error)`);
  await expectAccessible(page);

  await page.goto("/policies/judges?range=1h");
  await page.getByRole("button", { name: `Change the settings of the judge ${tool}_good judge` }).click();
  await dialog.getByRole("checkbox", { name: /Reuse verdicts/ }).click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save settings" }).click();
  await expect(dialog).toBeHidden();
  await say();
  expect(stub.asked.length).toBe(asked + 2);
});
