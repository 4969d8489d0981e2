/** Each duty of a node by itself: gateway, console and jobs as servers of their own over one PostgreSQL. */
import { mkdtemp, rm } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { type EmbeddedPostgres, startEmbedded } from "../server/database/embedded.ts";
import { createLog } from "../server/platform/log.ts";
import { sharedSecrets } from "./fixtures/nodes.ts";
import { type OwnServer, ownServer } from "./fixtures/own-server.ts";

const DENIES = "hooks:\n  pre_tool_use:\n    - hooks: [{type: command, command: 'echo closed >&2; exit 2'}]\n";

const secrets = sharedSecrets();
let folder: string;
let postgres: EmbeddedPostgres;
let jobs: OwnServer;
let gateway: OwnServer;
let console: OwnServer;

test.beforeAll(async () => {
  folder = await mkdtemp("/tmp/quarterdeck-roles-");
  postgres = await startEmbedded({ dataDir: folder, socketDir: folder, log: createLog("silent") });
  const environment = { ...secrets, DATABASE_URL: postgres.url("postgres") };
  const server = () => ownServer({ environment });
  [jobs, gateway, console] = await Promise.all([server(), server(), server()]);
});
test.afterAll(async () => {
  await Promise.all([jobs, gateway, console].map((server) => server?.close()));
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function change(path: string, json: object): Promise<Record<string, string>> {
  const response = await fetch(`${console.url}/api/trpc/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${secrets.QUARTERDECK_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ json }),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { result: { data: { json: Record<string, string> } } }).result.data.json; // tRPC's own shape
}

async function gate(server: OwnServer, key: string) {
  const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "apart", tool_name: "shell", tool_use_id: "1", tool_input: {} }),
  });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

test("what the console publishes binds agents of a gateway elsewhere, and each says what it is not", async ({
  page,
}) => {
  test.setTimeout(180_000);
  await jobs.start("--role", "jobs");
  await Promise.all([gateway.start("--role", "gateway"), console.start("--role=console")]);

  const { key = "" } = await change("agents.create", { name: "apart" });
  await change("policies.publishByName", { name: "closed", source: DENIES, note: "" });
  await expect.poll(async () => (await gate(gateway, key)).answer).toMatchObject({ decision: "block" });

  const misled = await gate(console, key);
  expect([misled.status, misled.answer]).toMatchObject([
    404,
    { error: { message: expect.stringContaining("call a gateway") } },
  ]);
  const page404 = await fetch(`${gateway.url}/activity`);
  expect(page404.status).toBe(404);
  expect(await page404.text()).toContain("The console runs elsewhere.");
  for (const { url } of [gateway, console]) expect((await fetch(`${url}/readyz`)).status).toBe(200);

  const { token } = await change("access.createSignInLink", {});
  await page.goto(`${console.url}/sign-in?token=${token}&next=/activity`);
  await page.getByRole("button", { name: "Not now" }).click();
  await expect(page.getByRole("row").filter({ hasText: "shell" }).first()).toContainText("Denied");

  // Without the others a gateway goes on.
  await Promise.all([jobs.stop(), console.stop()]);
  expect((await gate(gateway, key)).answer).toMatchObject({ decision: "block" });
});

test("a role that is none, or has no PostgreSQL to share, is refused in words", async () => {
  const alone = await ownServer();
  try {
    await expect(alone.start("--role", "gateway")).rejects.toThrow("set DATABASE_URL");
    await expect(alone.start("--role", "captain")).rejects.toThrow("--role must be one of gateway, console, jobs.");
    await expect(alone.start("--rule", "gateway")).rejects.toThrow("npm start takes --dev, --demo and --role");
  } finally {
    await alone.close();
  }
});
