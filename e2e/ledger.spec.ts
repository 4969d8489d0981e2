/** The ledger: a correction adds a line and moves every total, a price list estimates beside them, and a file holds the same sums. */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, found, fresh, type InputOf, type Script, test } from "./fixtures/console.ts";
import { csvRows } from "./fixtures/csv-rows.ts";
import { sender } from "./fixtures/sender.ts";
import { CostsPage } from "./pages/costs.ts";

const usage = { input_tokens: 1_000_000, output_tokens: 500_000, cached_input_tokens: 0, cached_write_tokens: 0 };

const lastHour = () => ({ from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000) });
const callsOf = async (api: Script) => (await api.query("costs.calls", lastHour())).calls;
const summaryOf = async (api: Script) => await api.query("costs.summary", lastHour());
const pivotOf = async (api: Script, by: InputOf<"costs.pivot">["by"]) =>
  (await api.query("costs.pivot", { ...lastHour(), by, split: null })).lines;

/** The part of a drawer under this title. */
const part = (drawer: Locator, title: string): Locator =>
  drawer.locator("section", { has: drawer.page().getByRole("heading", { name: title, exact: true }) }).last();

test("a corrected call moves every total, keeps the line it had, and yields to nobody's older screen", async ({
  page,
  api,
}) => {
  const { send } = await sender(api, "billed");
  await send("after_llm_call", { model_id: "acme/large", cost: 1.5, usage });
  await send("after_llm_call", { model_id: "acme/small", cost: 0.25, usage });
  await send("after_llm_call", { model_id: "acme/unknown", usage });
  const costs = new CostsPage(page);
  await costs.open("?view=calls&range=1h");
  await expect(costs.exactTotal).toHaveText("$1.75");

  await costs.rows("acme/large").click();
  const corrections = part(costs.drawer, "Corrections");
  await expect(corrections).toContainText("This call has no corrections or estimates.");
  const correct = async (usd: string, reason: string) => {
    await corrections.getByRole("button", { name: "Correct the cost" }).click();
    await corrections.getByLabel("Cost in dollars").fill(usd);
    await corrections.getByLabel("Why").fill(reason);
    await corrections.getByRole("button", { name: "Save correction" }).click();
  };
  await correct("1.0000000001", "");
  await expect(
    corrections.getByText("Enter an amount in dollars with at most nine decimals, such as 0.0042."),
  ).toBeVisible();
  await expect(corrections.getByText("Enter a reason. The reason is stored with the call.")).toBeVisible();
  await expectAccessible(page);
  await corrections.getByLabel("Cost in dollars").fill("1.234500001");
  await corrections.getByLabel("Why").fill("the invoice says so");
  await corrections.getByRole("button", { name: "Save correction" }).click();

  // Beside what was reported, not over it; and in every total.
  await expect(corrections.getByRole("listitem")).toHaveText([
    /Ada Lovelace: corrected to \$1\.234500001.*the invoice/,
  ]);
  const cost = costs.drawer.getByRole("region", { name: "Cost" });
  await expect(cost).toContainText("corrected to $1.234500001, which is used in totals.");
  await expect(cost).toContainText("in the ledger $1.50");
  await expect(cost).not.toContainText("rounded");
  await expect(costs.exactTotal).toHaveText("$1.484500001");
  const total = page.getByLabel("Total", { exact: true });
  await expect(total).toContainText("1 call corrected");
  const call = found((await callsOf(api)).find(({ modelId }) => modelId === "acme/large"));
  expect(call).toMatchObject({ nano: 1_500_000_000n, corrected: 1_234_500_001n, pricing: "priced" });
  expect(await summaryOf(api)).toMatchObject({
    ledger: { calls: 3, unpriced: 1, nano: 1_484_500_001n },
    corrections: { calls: 1, nano: -265_499_999n },
  });

  // Somebody else is quicker: what they wrote is not overwritten.
  await corrections.getByRole("button", { name: "Correct the cost" }).click();
  const key = { id: call.id, occurredAt: call.occurredAt };
  const history = async () => (await api.query("ledger.history", key)).entries;
  const [first] = await history();
  await api.mutate("ledger.correct", { call: key, usd: "1.3", reason: "a discount", corrects: found(first).id });
  await expect(corrections.getByRole("listitem")).toHaveCount(2);
  await corrections.getByLabel("Cost in dollars").fill("9");
  await corrections.getByLabel("Why").fill("an old screen");
  await corrections.getByRole("button", { name: "Save correction" }).click();
  await expect(
    corrections.getByText("Another person corrected the cost of this model call.", { exact: false }),
  ).toBeVisible();
  await expect(costs.exactTotal).toHaveText("$1.55");
  await corrections.getByRole("button", { name: "Cancel" }).click();
  await correct("1.4", "the final invoice");
  await expect(corrections.getByRole("listitem")).toHaveText([
    /Ada Lovelace: corrected again, to \$1\.40.*the final invoice/,
    /corrected again, to \$1\.30.*a discount/,
    /Ada Lovelace: corrected to \$1\.234500001.*the invoice says so/,
  ]);
  await expect(costs.exactTotal).toHaveText("$1.65");
  const entries = await history();
  expect(entries.map(({ nano }) => nano)).toEqual([1_400_000_000n, 1_300_000_000n, 1_234_500_001n]);
  expect(entries.map(({ corrects }) => corrects)).toEqual([entries[1]?.id, entries[2]?.id, null]);
  await page.keyboard.press("Escape");

  // A call that nobody priced has a cost from then on: in the totals, and in what a filter finds.
  await costs.rows("acme/unknown").click();
  await expect(cost).toContainText("Totals do not include this call.");
  await correct("0.5", "asked the provider");
  await expect(cost).toContainText("corrected to $0.50, which is used in totals.");
  await expect(cost).not.toContainText("Totals do not include this call.");
  await expect(costs.exactTotal).toHaveText("$2.15");
  await expect(total).toContainText("all 3 calls priced");
  await page.keyboard.press("Escape");
  await costs.filter.fill("pricing:unpriced");
  await costs.filter.press("Enter");
  await expect(page.getByText("No call matches", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "Remove pricing: unpriced" }).click();
  await expect(costs.rows("corr.")).toHaveCount(2);
  await costs.open("?range=1h");
  await expect(costs.line("model", "acme/unknown")).toContainText("$0.50");
  await expect(page.getByRole("region", { name: "Unpriced calls" })).toHaveCount(0);
  const kinds = await api.query("audit.list", { range: lastHour() });
  expect(kinds.rows.filter(({ kind }) => kind === "call_corrected")).toHaveLength(4);
});

/** Fills the n-th line of the price list that is being written. */
async function price(page: Page, line: number, figures: Record<string, string>): Promise<void> {
  const dialog = page.getByRole("dialog");
  for (const [label, text] of Object.entries(figures))
    await dialog.getByLabel(`${label}, price ${line}`, { exact: true }).fill(text);
}

test("a price list estimates unpriced calls beside the total, and each version stays what it was", async ({
  page,
  api,
}) => {
  const { send } = await sender(api, "estimated");
  const model = fresh("lab/small").replaceAll(" ", "-");
  await send("after_llm_call", { model_id: "acme/large", cost: 1, usage });
  await send("after_llm_call", { model_id: model, usage });
  const costs = new CostsPage(page);
  await page.goto("/spend/prices?range=1h");
  await expect(page.getByText("No price list yet")).toBeVisible();

  // The first list begins with the models that nobody prices.
  await page.getByRole("button", { name: "Create a price list" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: "Version 1 of the price list" })).toBeVisible();
  await expect(dialog.getByLabel("Model or pattern, price 1")).toHaveValue(model);
  await dialog.getByRole("button", { name: "Save version" }).click();
  await expect(dialog.getByRole("alert")).toContainText("The input and output prices are required.");
  await expectAccessible(page);
  await price(page, 1, { "Model or pattern": "lab/*", Input: "2", Output: "8" });
  await dialog.getByLabel("Note").fill("as the provider lists it");
  await dialog.getByRole("button", { name: "Save version" }).click();
  const asked = page.getByRole("alertdialog");
  await expect(asked).toContainText("Estimate unpriced calls with version 1?");
  await asked.getByRole("button", { name: "Estimate", exact: true }).click();
  await expect(page.getByText("1 estimate changed")).toBeVisible();

  // A million in and half a million out: 2 + 4 dollars, beside the total and not in it.
  const total = page.getByRole("region", { name: "Total" });
  await expect(total).toContainText("~$6.00 estimated for 1 unpriced call, not in the total");
  await expect(costs.exactTotal).toHaveText("$1.00");
  expect(await summaryOf(api)).toMatchObject({
    ledger: { nano: 1_000_000_000n, unpriced: 1 },
    estimates: { calls: 1, nano: 6_000_000_000n },
  });
  const versions = page.getByRole("listitem").filter({ hasText: /^Version \d/ });
  await expect(versions).toHaveText([
    /Version 1.*used for estimates.*1 price · Ada Lovelace.*as the provider lists it/,
  ]);
  await expectAccessible(page);

  // A second version is another list; the first says what it said.
  await page.getByRole("button", { name: "New version" }).click();
  await expect(dialog.getByRole("heading", { name: "Version 2 of the price list" })).toBeVisible();
  await expect(dialog.getByLabel("Input, price 1", { exact: true })).toHaveValue("2");
  await price(page, 1, { Input: "3" });
  await dialog.getByRole("button", { name: "Save version" }).click();
  await asked.getByRole("button", { name: "Estimate", exact: true }).click();
  await expect(total).toContainText("~$7.00 estimated for 1 unpriced call");
  await expect(versions).toHaveText([/Version 2.*used for estimates/, /Version 1.*Use for estimates/]);
  await expect(page.getByRole("region", { name: "Prices in version 1" })).toContainText("$2.00");
  await versions.first().getByText("Prices in dollars per million tokens").click();
  await expect(page.getByRole("region", { name: "Prices in version 2" })).toContainText("$3.00");
  const pricesOf = async (version: number) => (await api.query("prices.list", { version })).prices;
  expect(await pricesOf(1)).toMatchObject([{ pattern: "lab/*", input: 2_000_000_000n, output: 8_000_000_000n }]);
  expect(await pricesOf(2)).toMatchObject([{ pattern: "lab/*", input: 3_000_000_000n, output: 8_000_000_000n }]);

  // New calls are estimated by the same version, without anybody asking.
  await send("after_llm_call", { model_id: model, usage: { ...usage, output_tokens: 0 } });
  await expect(total).toContainText("~$10.00 estimated for 2 unpriced calls");

  // A third version has prices for long prompts: the reason of the estimate names them.
  await page.getByRole("button", { name: "New version" }).click();
  await dialog.getByText("Prices for long prompts").click();
  await price(page, 1, { "Prompts above, tokens": "900,000", "Long input": "4" });
  await dialog.getByRole("button", { name: "Save version" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Input and output are required.");
  await price(page, 1, { "Long output": "10" });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save version" }).click();
  await asked.getByRole("button", { name: "Cancel" }).click();
  await expect(versions).toHaveText([/^Version 3/, /^Version 2/, /^Version 1/]);
  await versions.first().getByText("Prices in dollars per million tokens").click();
  const third = page.getByRole("region", { name: "Prices in version 3" });
  await expect(third).toContainText("prompts above 900,000 tokens");
  await expect(third).toContainText("Agents report cache writes as one number");
  await expectAccessible(page);
  expect(await pricesOf(3)).toMatchObject([
    { pattern: "lab/*", longPrompt: { aboveTokens: 900_000, input: 4_000_000_000n, output: 10_000_000_000n } },
  ]);

  // Both estimates stand in the call's history, and the call still has no cost.
  const calls = (await callsOf(api)).filter(({ modelId }) => modelId === model);
  expect(calls.map(({ nano, pricing }) => [nano, pricing])).toEqual([
    [null, "unpriced"],
    [null, "unpriced"],
  ]);
  const earlier = calls.at(-1);
  await page.goto(`/spend?view=calls&range=1h&open=${earlier?.occurredAt.getTime()}.${earlier?.id}`);
  await expect(costs.drawer.getByRole("region", { name: "Cost" })).toContainText("~$7.00 by the price list");
  const entries = part(costs.drawer, "Corrections").getByRole("listitem");
  await expect(entries).toHaveText([
    /estimated at \$7\.00 with version 2 of the price list/,
    /estimated at \$6\.00 with version 1 of the price list/,
  ]);
});

/** The file that the page's own button saves. */
async function exported(page: Page): Promise<Record<string, string>[]> {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "As CSV" }).click(),
  ]);
  return csvRows(await readFile(await file.path(), "utf8"));
}

const nanoOf = (usd: string): bigint => {
  const [whole = "0", fraction = ""] = usd.split(".");
  return BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, "0"));
};

test("agents are tagged, and a tag's total is the same on the page, in the file and in the API", {
  tag: "@proof",
}, async ({ page, api }) => {
  const one = await sender(api, "tagged");
  const two = await sender(api, "formula");
  const three = await sender(api, "untagged");
  await one.send("after_llm_call", { model_id: "acme/large", cost: 0.1, usage });
  await one.send("after_llm_call", { model_id: "acme/large", cost: 0.0052101000000000005, usage });
  await two.send("after_llm_call", { model_id: "acme/small", cost: 0.2, usage });
  await two.send("after_llm_call", { model_id: "acme/gift", cost: 0, usage });
  await three.send("after_llm_call", { model_id: "acme/small", cost: 0.000000001, usage });
  await three.send("after_llm_call", { model_id: "nobody/knows", usage });

  const tag = async (agent: string, tags: string) => {
    await page.goto("/agents");
    await page.getByRole("link", { name: agent }).click();
    const section = part(page.getByRole("main"), "Tags");
    await section.getByRole("button", { name: "Set tags" }).click();
    await section.getByLabel("Tags").fill(tags);
    await section.getByRole("button", { name: "Save tags" }).click();
    return section;
  };
  const refused = await tag(one.agent, "a+b");
  await expect(
    refused.getByText("A tag holds no comma, no plus and no control character.", { exact: true }),
  ).toBeVisible();
  await refused.getByLabel("Tags").fill(" prod, payments ,prod");
  await refused.getByRole("button", { name: "Save tags" }).click();
  await expect(refused.getByRole("button", { name: "Set tags" })).toBeVisible();
  await expect(refused).toContainText("paymentsprod");
  const quoted = '=cmd|" /C calc"';
  await expect(await tag(two.agent, quoted)).toContainText(quoted);

  await page.goto("/spend?range=1h&view=groups&by=tag&split=none");
  const costs = new CostsPage(page);
  const line = (name: string) =>
    page.getByRole("table", { name: "costs by tag" }).getByRole("row").filter({ hasText: name });
  await expect(line("payments + prod")).toContainText("$0.11");
  await expect(line(quoted)).toContainText("$0.20");
  await expect(line("no tag")).toContainText("≥ $0.000000001");
  await expect(costs.exactTotal).toHaveText("$0.305210101");
  await expectAccessible(page);

  const rows = await exported(page);
  // A spreadsheet runs no tag.
  expect(rows.map(({ tag }) => tag).sort()).toEqual(["", `'${quoted}`, "payments + prod"].sort());
  const lines = await pivotOf(api, "tag");
  for (const { tag, calls, unpriced, reported_usd } of rows) {
    const same = lines.find(({ name }) => name === tag?.replace(/^'/, ""));
    expect([BigInt(calls ?? ""), BigInt(unpriced ?? ""), nanoOf(reported_usd ?? "")]).toEqual([
      BigInt(same?.ledger.calls ?? -1),
      BigInt(same?.ledger.unpriced ?? -1),
      same?.ledger.nano,
    ]);
  }
  const sum = rows.reduce((all, { reported_usd }) => all + nanoOf(reported_usd ?? ""), 0n);
  expect(sum).toBe(305_210_101n);
  expect((await summaryOf(api)).ledger.nano).toBe(sum);

  // By group instead, and after the tags have changed: the parts still come to the same whole.
  const agents = await api.query("agents.list");
  const idOf = (name: string) => agents.find((agent) => agent.name === name)?.id ?? "";
  const group = fresh("team");
  const { groupId } = await api.mutate("agents.createGroup", { name: group });
  await api.mutate("agents.setGroupMembers", { groupId, agentIds: [idOf(one.agent), idOf(two.agent)] });
  await page.getByRole("combobox", { name: "Group by" }).click();
  await page.getByRole("option", { name: "Group", exact: true }).click();
  const groups = page.getByRole("table", { name: "costs by group" });
  await expect(groups.getByRole("row").filter({ hasText: group })).toContainText("$0.31");
  await expect(groups.getByRole("row").filter({ hasText: "no group" })).toContainText("≥");
  const byGroup = await exported(page);
  expect(byGroup.find((row) => row.group === group)).toMatchObject({
    calls: "4",
    free: "1",
    reported_usd: "0.3052101",
  });
  expect(byGroup.reduce((all, { reported_usd }) => all + nanoOf(reported_usd ?? ""), 0n)).toBe(sum);
});
