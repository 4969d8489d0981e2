import pg from "pg";
import { databaseAddresses, prepareSocketDirectory } from "../server/database/index.ts";
import { expect, expectAccessible, installation as test } from "./fixtures/console.ts";

/** Sends the signals of a gateway of another node until the returned function is called. */
async function startPressure(dataDir: string, level: number): Promise<() => Promise<void>> {
  const { ownerUrl } = databaseAddresses({ databaseUrl: undefined }, await prepareSocketDirectory(dataDir));
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  let sequence = 0;
  let sent: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    sequence += 1;
    const value = { source: "a gateway elsewhere", sequence, level };
    const payload = JSON.stringify({ node: "elsewhere", topic: "pressure", value });
    sent = client.query("SELECT pg_notify('quarterdeck signals', $1)", [payload]);
  }, 200);
  return async () => {
    clearInterval(timer);
    await sent;
    await client.end();
  };
}

test("while agents wait, the page says that updates are slowed, and Health says what gives way", async ({
  page,
  server,
}) => {
  await page.goto("/health");
  const state = page.getByRole("status").filter({ hasText: /^(Live|Updates slowed)$/ });
  await expect(state).toHaveText("Live", { timeout: 30_000 });
  const stop = await startPressure(server.dataDir, 2);
  await expect(state).toHaveText("Updates slowed");
  await page.getByRole("button", { name: "Re-run checks" }).click();
  const finding = page.getByText("Gates wait, so other work gives way");
  await expect(finding).toContainText("live updates are slowed, figures lag, exports pause, scans pause");
  await expectAccessible(page);
  await stop();
  await expect(state).toHaveText("Live", { timeout: 30_000 });
});
