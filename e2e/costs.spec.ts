import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test as plain } from "@playwright/test";
import { quarterdeck } from "./fixtures/command-line.ts";
import { expect, expectAccessible, fresh, test } from "./fixtures/console.ts";
import { longRun } from "./fixtures/long-run.ts";
import { ownServer } from "./fixtures/own-server.ts";
import { sender } from "./fixtures/sender.ts";
import { CompactionsPage } from "./pages/compactions.ts";
import { CostsPage } from "./pages/costs.ts";

const usage = {
  input_tokens: 12,
  output_tokens: 3,
  cached_input_tokens: 40,
  cached_write_tokens: 5,
  reasoning_tokens: 2,
};

/** `$18.25196171` as nano-dollars. */
function nanoOf(text: string): bigint {
  const [whole = "0", fraction = ""] = text.replace(/[$,]/g, "").split(".");
  return BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, "0"));
}

function exactly(nano: bigint): string {
  const digits = nano.toString().padStart(10, "0");
  const fraction = digits.slice(-9).replace(/0+$/, "").padEnd(2, "0");
  return `$${digits.slice(0, -9).replace(/\B(?=(\d{3})+$)/g, ",")}.${fraction}`;
}

test("costs and compactions move while a session is replayed, to the last digit and without reload", async ({
  page,
  api,
  context,
}) => {
  const { agent, key, session, send } = await sender(api, "replayed");
  const model = fresh("acme/model").replaceAll(" ", "-");
  await send("after_llm_call", { model_id: model, cost: 0.000000001, usage });
  const costs = new CostsPage(page);
  await costs.open("?range=all");
  const before = nanoOf((await costs.exactTotal.textContent()) ?? "");
  const compactions = new CompactionsPage(await context.newPage());
  await compactions.openSession(session);
  await expect(compactions.page.getByText("No compaction matches")).toBeVisible();

  const folder = await mkdtemp(join(tmpdir(), "quarterdeck-replay-"));
  const call = (at_ms: number, cost: number) => ({
    event: "after_llm_call",
    at_ms,
    input: { session_id: session, agent_name: agent, model_id: model, cost, usage },
  });
  const compact = (event: string, at_ms: number, more: object) => ({
    event,
    at_ms,
    input: { session_id: session, agent_name: agent, ...more },
  });
  const size = { input_tokens: 90_000, output_tokens: 1_000, context_limit: 100_000, compaction_reason: "threshold" };
  const lines = [
    call(0, 0.1),
    compact("pre_compact", 200, { source: "auto" }),
    compact("before_compaction", 400, size),
    call(600, 0.0052101000000000005),
    call(1_500, 0.2),
    compact("after_compaction", 1_700, { ...size, summary: "# Where we are\n\n- halfway" }),
  ];
  const replay = async (name: string, part: typeof lines) => {
    const file = join(folder, name);
    await writeFile(file, part.map((line) => `${JSON.stringify({ agent, ...line })}\n`).join(""));
    const ended = await quarterdeck(["replay", file, "--key", key, "--speed", "1"], folder, {
      QUARTERDECK_URL: api.url,
    });
    expect(ended).toMatchObject({ code: 0 });
  };

  // The session stands in the middle of its compaction until the pages have shown it, however long that takes.
  await replay("begun.jsonl", lines.slice(0, 4));
  await expect(costs.exactTotal).toHaveText(exactly(before + 105_210_100n));
  await expect(compactions.rows("Under way")).toHaveCount(1);
  await replay("ended.jsonl", lines.slice(4));
  await rm(folder, { recursive: true });
  await expect(costs.exactTotal).toHaveText(exactly(before + 305_210_100n));
  await expect(costs.line("model", model)).toContainText("$0.31");
  const row = compactions.rows("Applied");
  await expect(row).toContainText("threshold");
  await expect(row).toContainText("91 %");
  await expectAccessible(page);
});

test("priced, free and unpriced calls stand apart, and each is shown digit by digit", async ({ page, api }) => {
  const { agent, session, send } = await sender(api, "spender");
  const nobody = fresh("nobody/knows").replaceAll(" ", "-");
  await send("after_llm_call", {
    model_id: "acme/large",
    cost: 0.014663900000000002,
    usage,
    stop_response: "It is done.",
  });
  await send("after_llm_call", { model_id: "acme/gift", cost: 0, usage });
  await send("after_llm_call", { model_id: nobody, usage });
  const costs = new CostsPage(page);
  await costs.open("?range=1h");
  await expect(page.getByRole("region", { name: "Unpriced calls" })).toContainText(nobody);
  await expect(costs.line("model", nobody)).toContainText("unpriced");
  await expect(costs.line("model", "acme/gift")).toContainText("free");

  // A group leads to its calls, as a chip in the address.
  const agents = page.getByRole("table", { name: "costs by agent" });
  const all = page.getByRole("button", { name: /^Show all \d+ agents$/ });
  if (await all.isVisible()) await all.click();
  await agents.getByRole("link", { name: agent }).click();
  await expect(costs.rows(agent)).toHaveCount(3);
  await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe(`agent:"${agent}"`);
  await costs.filter.fill("pricing:unpriced");
  await costs.filter.press("Enter");
  await expect(costs.rows(agent)).toHaveCount(1);
  await page.getByRole("button", { name: "Remove pricing: unpriced" }).click();

  await costs.rows("acme/large").click();
  await expect(costs.drawer).toContainText("in the ledger $0.0146639, as reported $0.014663900000000002");
  await expect(costs.drawer).toContainText("It is done.");
  await expectAccessible(page);
  await page.keyboard.press("ArrowUp");
  await expect(costs.drawer.getByRole("heading", { name: "acme/gift" })).toBeVisible();
  await page.reload();
  await expect(costs.drawer.getByRole("heading", { name: "acme/gift" })).toBeVisible();
  await costs.drawer.getByRole("link", { name: session }).click();
  await expect(costs.drawer).toBeHidden();
  await expect(costs.rows(agent)).toHaveCount(3);
});

test("a session's amount holds its sub-sessions', each once", { tag: "@proof" }, async ({ page, api }) => {
  const { session, send } = await sender(api, "parent");
  const child = `${session}-child`;
  await send("after_llm_call", { model_id: "acme/large", cost: 1.5 });
  await send("after_llm_call", { session_id: child, agent_name: "helper", model_id: "acme/small", cost: 0.25 });
  await send("subagent_stop", { session_id: child, agent_name: "helper", parent_session_id: session });
  const costs = new CostsPage(page);
  await costs.open("?view=sessions&range=1h&sort=-active");
  const rows = costs.sessions.getByRole("row").filter({ hasText: session });
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("$1.75");
  await expect(rows.first()).toContainText("$1.50");
  await expect(rows.last().getByLabel("sub-session")).toBeVisible();
  await expect(rows.last()).toContainText("$0.25");
  await expectAccessible(page);
  await costs.sessions.getByRole("button", { name: "Tokens" }).click();
  await expect(page).toHaveURL(/sort=-tokens/);
});

test("an empty range and a failing one say what is so", { tag: "@proof" }, async ({ page }) => {
  const costs = new CostsPage(page);
  await costs.open("?range=2025-01-01T00:00:00.000Z..2025-01-02T00:00:00.000Z");
  await expect(page.getByText(/^No model calls reported/)).toBeVisible();
  await expect(costs.exactTotal).toHaveCount(0);
  // Requests travel together: one that asks for costs may begin with another question.
  const costsAreAsked = /\/api\/trpc\/[^?]*costs\./;
  await page.route(costsAreAsked, (route) => route.abort());
  await page.getByRole("button", { name: /^Time range/ }).click();
  await page.getByRole("button", { name: "Last 7 days" }).click();
  const failure = page.getByRole("alert").filter({ hasText: "The costs could not be loaded" });
  await expect(failure).toBeVisible();
  await page.unroute(costsAreAsked);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(failure).toBeHidden();
});

const DATA = fileURLToPath(new URL("../../shared/data/", import.meta.url));
const isThere = existsSync(`${DATA}expected.json`);

if (longRun && isThere)
  plain("every recorded session replayed, the page's exact total is the published one", async ({ page }) => {
    plain.setTimeout(300_000);
    const server = await ownServer();
    try {
      await server.start();
      const key = (await server.quarterdeck(["key", "create", "--agent", "replayed"])).trim();
      const files = readdirSync(`${DATA}sessions`).map((name) => `${DATA}sessions/${name}`);
      await server.quarterdeck(["replay", ...files, "--key", key, "--speed", "max"]);
      const link = /\S+\/sign-in\?token=\w+/.exec(await server.quarterdeck(["sign-in"]))?.[0] ?? "";
      await page.goto(
        `${server.url}${new URL(link).pathname}${new URL(link).search}&next=${encodeURIComponent("/spend?range=all")}`,
      );
      await page.getByRole("button", { name: "Not now" }).click();
      await page.waitForURL((url) => url.pathname === "/spend");
      const { overall } = JSON.parse(readFileSync(`${DATA}expected.json`, "utf8")) as {
        overall: { ledger: { usd: string; calls: number; unpriced: number; free: number } };
      }; // the file's own format
      const { usd, calls, unpriced, free } = overall.ledger;
      const total = page.getByRole("region", { name: "Total" });
      await expect(page.getByTestId("exact-total")).toHaveText(`$${usd}`);
      await expect(total).toContainText(`of ${calls} calls priced · ${unpriced} unpriced · ${free} free`);
    } finally {
      await server.close();
    }
  });
