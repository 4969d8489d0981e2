/** Pages while the database is stopped: each says so in a sentence, keeps the console of the browser clean, and comes back. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, type Script, installation as test } from "./fixtures/console.ts";
import { childrenOf } from "./fixtures/processes.ts";
import { admitted } from "./fixtures/script.ts";

const PAGES = ["/", "/activity", "/policies", "/agents", "/settings/health"];

test("while the database is stopped a page says so in a sentence, without an error in the console", async ({
  page,
  server,
}) => {
  test.setTimeout(240_000);
  const errors: string[] = [];
  // A request that the server answers with 503 is the browser's own line; it has no cause in our code.
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();

  const thaw = await freezeDatabase(server.dataDir);
  try {
    // The page that stands already goes on to another, which says what is missing.
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Activity" }).click();
    const failed = page.getByRole("alert").filter({ hasText: "The calls could not be loaded" });
    await expect(failed).toBeVisible({ timeout: 60_000 });
    // The fate of the agents is the gateway's to say, not the page's to assume.
    await expect(failed).toContainText("Agents have been blocked", { timeout: 30_000 });
    for (const path of PAGES) {
      await page.goto(path);
      const failure = page.getByRole("alert").filter({ hasText: "This page could not be loaded" });
      await expect(failure).toContainText(/The database is not responding\.|The database is overloaded/, {
        timeout: 30_000,
      });
    }
    await expectAccessible(page);
    // The documents need no database.
    await page.goto("/docs/halts");
    await expect(page.getByRole("heading", { level: 1, name: "Halts" })).toBeVisible({ timeout: 60_000 });
    await page.getByRole("link", { name: "Documentation" }).click();
    await expect(page.getByRole("heading", { level: 2, name: "Reference" })).toBeVisible({ timeout: 30_000 });
    await page.goto("/settings/health");
  } finally {
    thaw();
  }
  // It comes back by itself once agents are answered again, or with the button.
  await expect(page.getByRole("heading", { name: "Health", level: 1 })).toBeVisible({ timeout: 60_000 });
  expect(errors).toEqual([]);
});

/** PostgreSQL and all its backends stand still until the function that this answers is called. */
async function freezeDatabase(dataDir: string): Promise<() => void> {
  const [pid] = (await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n");
  const postmaster = Number(pid);
  // The postmaster first: no backend begins after the others were listed.
  process.kill(postmaster, "SIGSTOP");
  const stopped = [...childrenOf(postmaster), postmaster];
  for (const one of stopped) process.kill(one, "SIGSTOP");
  return () => {
    for (const one of stopped) process.kill(one, "SIGCONT");
  };
}

interface Second {
  readonly at: number;
  readonly isRefused: boolean;
  readonly headline: string;
  readonly corner: string;
  readonly foot: string;
}

/** One look a second at the overview, and one call of an agent that nothing else waits for. */
async function sample(page: Page, api: Script, key: string, seconds: number): Promise<Second[]> {
  const startedMs = performance.now();
  let refusedAt = Number.POSITIVE_INFINITY;
  const ask = async () => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const input = { session_id: "outage", hook_event_name: "pre_tool_use", tool_name: "shell", tool_input: {} };
    const asked = { method: "POST", headers, body: JSON.stringify(input) };
    const { status } = await fetch(`${api.url}/api/v1/hooks/pre_tool_use`, asked);
    if (status >= 500) refusedAt = Math.min(refusedAt, (performance.now() - startedMs) / 1_000);
  };
  const asked: Promise<void>[] = [];
  const table: Second[] = [];
  for (let second = 0; second < seconds; second += 1) {
    // The table has a row a second: the page is looked at when its second has come.
    await page.waitForTimeout(Math.max(0, second * 1_000 - (performance.now() - startedMs)));
    if (second % 3 === 0) asked.push(ask().catch(() => undefined));
    const seen = await page.evaluate(() => {
      const text = (found: Element | null | undefined) => found?.textContent?.trim() ?? "";
      const live = document.querySelector('button[aria-label*="hold the page still"]');
      return {
        headline: text(document.querySelector('section[aria-label="The gate"]')),
        corner: live?.getAttribute("aria-label") ?? "",
        foot: text(
          [...document.querySelectorAll('[role="status"]')].find((one) =>
            /Live|Reconnect|Stale|Connect/.test(text(one)),
          ),
        ),
      };
    });
    const at = (performance.now() - startedMs) / 1_000;
    table.push({ at, isRefused: at >= refusedAt, ...seen });
  }
  await Promise.all(asked);
  return table.map((row) => ({ ...row, isRefused: row.at >= refusedAt }));
}

test("while the database is stopped the overview says that agents are refused, and is not called live", async ({
  page,
  server,
  api,
}) => {
  test.setTimeout(240_000);
  const key = await api.key("outage");
  await page.goto("/");
  const first = await admitted(() =>
    fetch(`${api.url}/api/v1/hooks/session_start`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: "outage", hook_event_name: "session_start" }),
    }),
  );
  expect(first.status).toBe(200);
  const gate = page.getByRole("region", { name: "The gate" });
  await expect(gate).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole("status").filter({ hasText: /^Live$/ })).toBeVisible();
  await expect(gate).not.toContainText(/Refusing|Not known/);

  const thaw = await freezeDatabase(server.dataDir);
  let table: Second[] = [];
  try {
    table = await sample(page, api, key, 30);
  } finally {
    thaw();
  }
  const lines = table.map((row) =>
    [row.at.toFixed(1), row.isRefused ? "refused" : "", row.headline.slice(0, 90), row.corner, row.foot].join(" | "),
  );
  test.info().annotations.push({ type: "outage", description: `\n${lines.join("\n")}` });
  if (process.env.QUARTERDECK_OUTAGE_TABLE !== undefined)
    await writeFile(process.env.QUARTERDECK_OUTAGE_TABLE, `${lines.join("\n")}\n`);

  const refusedAt = table.find(({ isRefused }) => isRefused)?.at ?? Number.POSITIVE_INFINITY;
  expect(refusedAt).toBeLessThan(20);
  // Whatever it said before the outage, it says no longer than ten seconds after the first call was refused.
  const late = table.filter(({ at, headline }) => at > refusedAt + 10 && !/^(Refusing|Not known)/.test(headline));
  expect(late).toEqual([]);
  expect(table.filter(({ at, corner, foot }) => at > 5 && (corner.startsWith("Live") || foot === "Live"))).toEqual([]);
  expect(table.at(-1)?.headline).toMatch(/Agent requests refused since .*: the database is not responding\./);

  // An agent asks again, as agents do: its answer ends the time in which the gateway counts refusals.
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const again = { method: "POST", headers, body: JSON.stringify({ session_id: "outage" }) };
  const answered = async () => (await fetch(`${api.url}/api/v1/hooks/session_start`, again)).status;
  await expect.poll(answered, { timeout: 30_000 }).toBe(200);
  await expect(gate).not.toContainText(/Refusing|Not known/, { timeout: 30_000 });
  await expect(page.getByRole("status").filter({ hasText: /^Live$/ })).toBeVisible({ timeout: 30_000 });
});
