import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser, signedIn } from "../../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";

let at: TestDatabase;
let server: TestGateway;
let admin: Browser;

beforeAll(async () => {
  at = await testDatabase();
  server = await testGateway(at.url);
  admin = await signedIn(server.url, server.database, server.admin.workspaceId, "admin");
});
afterAll(async () => {
  await server?.stop();
  await at?.drop();
});

async function service(role: string) {
  const created = await admin.mutate("serviceAccounts.create", { name: `ci ${role}`, role });
  const { serviceId } = created.value as { serviceId: string };
  const made = await admin.mutate("serviceAccounts.createToken", { serviceId, days: 30 });
  return { serviceId, ...(made.value as { tokenId: string; token: string }) };
}
async function publish(token: string, command: string) {
  const source = `hooks:\n  session_start:\n    - ${command}\n`;
  const response = await fetch(`${server.url}/api/trpc/policies.publishByName`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ json: { name: "from ci", source, note: "" } }),
  });
  const body = (await response.json()) as { error?: { json: { data: { appCode: string } } } }; // tRPC's envelope
  return body.error?.json.data.appCode ?? response.status;
}
const BUILTIN = "{ type: builtin, command: add_date }";
const COMMAND = "{ type: command, command: 'true' }";

it("a service account's token publishes for CI what its role may publish", async () => {
  const author = await service("author");
  expect(await publish(author.token, BUILTIN)).toBe(200);
  expect(await publish(author.token, COMMAND)).toBe("forbidden");
  expect(await publish((await service("admin")).token, COMMAND)).toBe(200);
  expect(await publish((await service("viewer")).token, BUILTIN)).toBe("forbidden");
});

it("a token is stored as a hash, shows when it was used, and ends when it is revoked, expired or its account gone", async () => {
  const { serviceId, tokenId, token } = await service("approver");
  const { rows } = await at.database.pool.query("SELECT * FROM service_token");
  expect(JSON.stringify(rows)).not.toContain(token);
  const whoami = () =>
    fetch(`${server.url}/api/trpc/access.whoami`, { headers: { authorization: `Bearer ${token}` } }).then(
      ({ status }) => status,
    );
  expect(await whoami()).toBe(200);
  const usedAt = async () => {
    const found = await at.database.pool.query("SELECT last_used_at FROM service_token WHERE id = $1", [tokenId]);
    return found.rows[0].last_used_at as Date | null; // the column's type
  };
  await expect.poll(usedAt).not.toBeNull();
  await at.database.pool.query("UPDATE service_token SET expires_at = now() WHERE id = $1", [tokenId]);
  expect(await whoami()).toBe(401);
  await at.database.pool.query("UPDATE service_token SET expires_at = now() + interval '1 day' WHERE id = $1", [
    tokenId,
  ]);
  expect(await whoami()).toBe(200);
  expect((await admin.mutate("serviceAccounts.revokeToken", { serviceId, tokenId })).status).toBe(200);
  expect(await whoami()).toBe(401);
  const again = await admin.mutate("serviceAccounts.createToken", { serviceId, days: 1 });
  const second = (again.value as { token: string }).token;
  expect(await publish(second, BUILTIN)).toBe("forbidden");
  await admin.mutate("serviceAccounts.remove", { serviceId });
  expect(await publish(second, BUILTIN)).toBe("not_signed_in");
});

it("a service account is never an owner", async () => {
  expect((await admin.mutate("serviceAccounts.create", { name: "too much", role: "owner" })).status).toBe(400);
});
