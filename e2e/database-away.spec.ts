/** Pages while the database is stopped: each says so in a sentence, keeps the console of the browser clean, and comes back. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, expectAccessible, installation as test } from "./fixtures/console.ts";
import { childrenOf } from "./fixtures/processes.ts";

const PAGES = ["/", "/decisions", "/policies", "/agents", "/health"];

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
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();

  const [pid] = (await readFile(join(server.dataDir, "postgres/postmaster.pid"), "utf8")).split("\n");
  const postmaster = Number(pid);
  // The postmaster first: no backend begins after the others were listed.
  process.kill(postmaster, "SIGSTOP");
  const stopped = [...childrenOf(postmaster), postmaster];
  for (const one of stopped) process.kill(one, "SIGSTOP");
  try {
    // The page that stands already goes on to another, which says what is missing.
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Decisions" }).click();
    const failed = page.getByRole("alert").filter({ hasText: "The decisions could not be loaded" });
    await expect(failed).toBeVisible({ timeout: 60_000 });
    // The fate of the agents is the gateway's to say, not the page's to assume.
    await expect(failed).toContainText("Agents are being blocked", { timeout: 30_000 });
    for (const path of PAGES) {
      await page.goto(path);
      const failure = page.getByRole("alert").filter({ hasText: "This page could not be loaded" });
      await expect(failure).toContainText(/The database does not answer\.|The database has more to do/, {
        timeout: 30_000,
      });
    }
    await expectAccessible(page);
  } finally {
    for (const one of stopped) process.kill(one, "SIGCONT");
  }
  // It comes back by itself once agents are answered again, or with the button.
  await expect(page.getByRole("heading", { name: "Health", level: 1 })).toBeVisible({ timeout: 60_000 });
  expect(errors).toEqual([]);
});
