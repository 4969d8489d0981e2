/** Statements: what a month came to, closed once, and what comes late in the next one. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { canonicalJson } from "../server/audit/chain.ts";
import { expect, expectAccessible, fresh, type Script, test } from "./fixtures/console.ts";

interface Content {
  readonly total: { readonly nano: string };
  readonly lines: readonly { readonly model: string; readonly sums: { readonly nano: string } }[];
  readonly adjustments: readonly { readonly month: string; readonly sums: { readonly nano: string } }[];
}
const statementOf = async (api: Script, month: string) => await api.query("statements.statement", { month });

/** The first of a month so many before this one, in UTC. */
function monthBefore(months: number): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
}

const keyOf = (at: Date): string => at.toISOString().slice(0, 7);

/** Reports model calls of a month. A cost is digits, as an agent writes them; null leaves it out. */
async function report(url: string, key: string, month: string, calls: readonly (readonly [string, string | null])[]) {
  const lines = calls.map(([model, cost], index) => {
    const usage = { input_tokens: 10, output_tokens: 5 };
    const input = JSON.stringify({ session_id: "billed", model_id: model, usage });
    const priced = cost === null ? input : `${input.slice(0, -1)},"cost":${cost}}`;
    const head = {
      event_id: crypto.randomUUID(),
      event: "after_llm_call",
      occurred_at: `${month}-02T00:00:0${index}Z`,
    };
    return `${JSON.stringify(head).slice(0, -1)},"input":${priced}}`;
  });
  const response = await fetch(`${url}/api/v1/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" },
    body: lines.join("\n"),
  });
  expect(await response.json()).toMatchObject({ stored: calls.length, refused: 0 });
}

/** The total of the Costs page between two instants, in nano-dollars. */
async function spent(api: Script, from: Date, to: Date): Promise<bigint> {
  const { ledger } = await api.query("costs.summary", { from, to });
  return ledger.nano;
}

const nanoIn = ({ lines, adjustments }: Content): bigint =>
  [...lines, ...adjustments].reduce((sum, { sums }) => sum + BigInt(sums.nano), 0n);

test("a month is closed with the sums the ledger has, never moves again, and what comes late stands in the next", async ({
  page,
  api,
}) => {
  const [first, second] = [monthBefore(2), monthBefore(1)];
  const [older, newer] = [keyOf(first), keyOf(second)];
  const agent = fresh("billed");
  const key = await api.key(agent);
  await report(api.url, key, older, [
    ["a/m", "1.25"],
    ["a/m", "0.000000001"],
    ["b/unpriced", null],
    ["c/free", "0"],
  ]);
  await report(api.url, key, newer, [["a/m", "10"]]);

  // Months are closed in order, and once they are over.
  await page.goto(`/spend?view=statements&month=${keyOf(monthBefore(0))}`);
  await expect(page.getByText("is not over yet")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Close 20/ })).toBeDisabled();
  await page.goto(`/spend?view=statements&month=${newer}`);
  await expect(page.getByText(`Months are closed in order. The next month is ${older}.`)).toBeVisible();
  await expect(page.getByRole("button", { name: `Close ${newer}` })).toBeDisabled();

  // The one to close next is what the page opens with.
  await page.goto("/spend?view=statements");
  await expect(page.getByText(`${older} is over. Its figures can change until it is closed.`)).toBeVisible();
  expect(await spent(api, first, second)).toBe(1_250_000_001n);
  const total = page.getByText("$1.250000001", { exact: true });
  await expect(total).toBeVisible();
  await expect(page.getByText("75 % of 4 calls priced · 1 unpriced · 1 free")).toBeVisible();
  const lines = page.getByRole("region", { name: "By agent and model" }).getByRole("row");
  await expect(lines).toHaveCount(4);
  await expect(lines.filter({ hasText: "a/m" })).toContainText("$1.25");
  await expect(lines.filter({ hasText: "c/free" })).toContainText("free");

  const downloaded = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  const [head = "", ...rows] = (await readFile(await (await downloaded).path(), "utf8")).trim().split(/\r?\n/);
  const column = head.split(",").indexOf("nano_usd");
  const calls = rows.filter((row) => row.includes(agent)).map((row) => row.split(",")[column] ?? "");
  expect(calls).toHaveLength(3);
  expect(calls.reduce((sum, digits) => sum + BigInt(digits), 0n)).toBe(1_250_000_001n);

  await page.getByRole("button", { name: `Close ${older}` }).click();
  const confirm = page.getByRole("alertdialog");
  await confirm.getByRole("textbox").fill(newer);
  await expect(confirm.getByRole("button", { name: "Close the month" })).toBeDisabled();
  await confirm.getByRole("textbox").fill(older);
  await expectAccessible(page);
  await confirm.getByRole("button", { name: "Close the month" }).click();
  await expect(page.getByText("by Ada Lovelace,")).toBeVisible();
  const closed = await statementOf(api, older);
  expect(closed).toMatchObject({ state: "closed", isIntact: true });
  expect(closed.sha256).toBe(createHash("sha256").update(canonicalJson(closed.content)).digest("hex"));
  await expect(page.getByText(closed.sha256 ?? "", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Close 20/ })).toHaveCount(0);
  await expectAccessible(page);

  // A late call moves no figure of it.
  await report(api.url, key, older, [["d/late", "0.5"]]);
  expect(await statementOf(api, older)).toEqual(closed);
  await page.reload();
  await expect(total).toBeVisible();
  await page.goto(`/spend?view=statements&month=${newer}`);
  const late = page.getByRole("region", { name: /^Adjustments/ }).getByRole("row");
  await expect(late.filter({ hasText: "d/late" })).toContainText(older);
  await expect(late.filter({ hasText: "d/late" })).toContainText("$0.50");
  await page.getByRole("button", { name: `Close ${newer}` }).click();
  await confirm.getByRole("textbox").fill(newer);
  await confirm.getByRole("button", { name: "Close the month" }).click();
  await expect(page.getByText("by Ada Lovelace,")).toBeVisible();

  // All statements together are the ledger.
  const both = nanoIn(closed.content) + nanoIn((await statementOf(api, newer)).content);
  expect(both).toBe(await spent(api, first, monthBefore(0)));
  expect(both).toBe(11_750_000_001n);
  await page.goto("/audit?q=kind:statement_closed");
  await expect(page.getByRole("row").filter({ hasText: older })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: newer })).toBeVisible();
});
