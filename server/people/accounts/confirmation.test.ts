import { afterAll, beforeAll, expect, it, type MockInstance, vi } from "vitest";
import { type Browser, browser, signedIn } from "../../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import { totpCode } from "../../../e2e/fixtures/totp.ts";
import { keptToken, tokenIn } from "../session.ts";

let at: TestDatabase;
let server: TestGateway;
let now: MockInstance<typeof Date.now>;
beforeAll(async () => {
  at = await testDatabase();
  // Before the server is made, which keeps the function that it asks for the time.
  now = vi.spyOn(Date, "now");
  server = await testGateway(at.url);
});
afterAll(async () => {
  await server?.stop();
  await at?.drop();
  now.mockRestore();
});

const PASSWORD = "correct horse battery";
let counter = 0;

/** An owner whose browser was left open: their last proof is too old. */
async function leftOpen() {
  const page = await signedIn(server.url, at.database, server.admin.workspaceId, "owner");
  const email = `left-open-${counter++}@example.org`;
  expect((await page.mutate("access.setPassword", { email, password: PASSWORD })).status).toBe(200);
  await forget(page);
  return { page, email };
}
const tokenOf = (page: Browser) => keptToken(tokenIn(page.cookies.get("quarterdeck_session") ?? ""));
const forget = (page: Browser) =>
  at.database.pool.query("UPDATE browser_session SET confirmed_at = NULL WHERE token_sha256 = $1", [tokenOf(page)]);

/** The answer to an act that asks for a proof. */
const grave = async (page: Browser) =>
  (await page.mutate("halts.resume", { id: crypto.randomUUID(), reason: "over" })).value;
const confirm = (page: Browser, password = PASSWORD) => page.account("/verify-password", { password });

/** The confirmations on record of this browser's person, in the order they happened. */
async function record(page: Browser): Promise<string[]> {
  const { rows } = await at.database.pool.query(
    `SELECT body::jsonb ->> 'act' || ' by ' || (body::jsonb ->> 'how') AS line FROM audit_entry
     WHERE kind = 'account_used' AND body::jsonb ->> 'act' LIKE 'confirm%' AND workspace_id = $2
       AND body::jsonb ->> 'person' = (SELECT person_id::text FROM browser_session WHERE token_sha256 = $1) ORDER BY seq`,
    [tokenOf(page), server.admin.workspaceId],
  );
  return rows.map(({ line }) => line);
}

it("a password opens what is gravest, in that browser, and the record says so", async () => {
  const { page } = await leftOpen();
  expect(await grave(page)).toBe("step_up_required");
  expect((await confirm(page)).status).toBe(200);
  expect(await grave(page)).toBe("halt_not_found");
  expect(await record(page)).toEqual(["confirmed by password"]);
});

it("the proof of another browser of the same person does not help", async () => {
  const { page, email } = await leftOpen();
  const other = browser(server.url);
  expect((await other.account("/sign-in/email", { email, password: PASSWORD })).status).toBe(200);
  expect((await confirm(other)).status).toBe(200);
  expect(await grave(other)).toBe("halt_not_found");
  expect(await grave(page)).toBe("step_up_required");
});

it("wrong passwords open nothing, are counted as at sign-in, and stand in the record", async () => {
  const { page } = await leftOpen();
  const statuses: number[] = [];
  // The server's clock stands still: no machine is so slow that a delay ends before the next try.
  now.mockReturnValue(Date.now());
  for (let guess = 0; guess < 7; guess++) statuses.push((await confirm(page, `guess number ${guess}`)).status);
  // The right one is not looked at either, until the delay is over.
  statuses.push((await confirm(page)).status);
  now.mockReset();
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429, 429]);
  expect(await grave(page)).toBe("step_up_required");
  expect(await record(page)).toEqual(Array(5).fill("confirmation_failed by password"));
});

it("nobody confirms who is not signed in", async () => {
  expect((await confirm(browser(server.url))).status).toBe(401);
});

it("a code of the second factor opens it as well, once", async () => {
  const { page } = await leftOpen();
  const enabled = await page.account("/two-factor/enable", { password: PASSWORD });
  const { totpURI } = enabled.value as { totpURI: string };
  expect((await page.account("/two-factor/verify-totp", { code: totpCode(totpURI) })).status).toBe(200);
  await forget(page);
  expect((await page.account("/two-factor/verify-totp", { code: "000000" })).status).toBe(401);
  expect(await grave(page)).toBe("step_up_required");
  const code = totpCode(totpURI, Date.now() + 30_000);
  expect((await page.account("/two-factor/verify-totp", { code })).status).toBe(200);
  expect(await grave(page)).toBe("halt_not_found");
  await forget(page);
  expect((await page.account("/two-factor/verify-totp", { code })).status).toBe(401);
  expect(await grave(page)).toBe("step_up_required");
  expect(await record(page)).toEqual([
    "confirmation_failed by second factor",
    "confirmed by second factor",
    "confirmation_failed by second factor",
  ]);
});
