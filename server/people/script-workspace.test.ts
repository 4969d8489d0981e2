import { afterAll, beforeAll, expect, it } from "vitest";
import { browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { MeView } from "./schema.ts";

let at: TestDatabase;
let server: TestGateway;
beforeAll(async () => {
  at = await testDatabase();
  server = await testGateway(at.url);
});
afterAll(async () => {
  await server?.stop();
  await at?.drop();
});

interface Reply {
  readonly status: number;
  readonly data: Record<string, unknown> | undefined;
  readonly code: string | undefined;
}

async function call(headers: Readonly<Record<string, string>>, path: string, input?: unknown): Promise<Reply> {
  const response = await fetch(`${server.url}/api/trpc/${path}`, {
    method: input === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", origin: server.url, ...headers },
    ...(input !== undefined && { body: JSON.stringify({ json: input }) }),
  });
  const { status } = response;
  const body = (await response.json()) as {
    result?: { data: { json?: Record<string, unknown> } };
    error?: { json?: { data: { appCode: string } }; code?: string };
  }; // tRPC's envelope, or ours
  return { status, data: body.result?.data.json, code: body.error?.json?.data.appCode ?? body.error?.code };
}

const admin = () => ({ authorization: `Bearer ${server.secrets.adminToken}` });
const inside = (workspaceId: string) => ({ "x-quarterdeck-workspace": workspaceId });

async function createWorkspace(name: string): Promise<string> {
  const { data } = await call(admin(), "access.createWorkspace", { name });
  return String(data?.workspaceId);
}

it("the admin token acts in the workspace it names, and in the first without a name", async () => {
  const second = await createWorkspace("Second");
  await call({ ...admin(), ...inside(second) }, "agents.create", { name: "of the second" });
  const agentsOf = async (headers: Record<string, string>) =>
    JSON.stringify((await call(headers, "agents.list")).data ?? null);
  expect(await agentsOf({ ...admin(), ...inside(second) })).toContain("of the second");
  expect(await agentsOf(admin())).not.toContain("of the second");
  expect((await call({ ...admin(), ...inside(second) }, "access.whoami")).data).toMatchObject({
    kind: "script",
    workspace: "Second",
  });
});

it("a workspace that does not exist, or is no id, is refused", async () => {
  for (const name of ["0199f3b2-7a1c-7000-8000-000000000000", "Second", "*", "", "' OR true --"])
    expect(await call({ ...admin(), ...inside(name) }, "access.whoami"), name).toMatchObject({
      status: 404,
      code: "workspace_not_found",
    });
});

it("nobody else moves by naming a workspace: not a person, a service account, an agent or a stranger", async () => {
  const second = await createWorkspace("Vault");
  const { workspaceId } = server.admin;
  const person = await signedIn(server.url, server.database, workspaceId, "owner");
  const { serviceId } = (await person.mutate("serviceAccounts.create", { name: "mover", role: "admin" })).value as {
    serviceId: string; // serviceById
  };
  const made = await person.mutate("serviceAccounts.createToken", { serviceId, days: 30 });
  const { token } = made.value as { token: string }; // createdTokenView
  const key = ((await person.mutate("agents.create", { name: "mover" })).value as { key: string }).key; // createdAgentView
  for (const headers of [{ cookie: person.header().cookie ?? "" }, { authorization: `Bearer ${token}` }])
    expect((await call({ ...headers, ...inside(second) }, "access.whoami")).data).toMatchObject({
      workspace: "Quarterdeck",
    });
  expect((await call({ authorization: `Bearer ${key}`, ...inside(second) }, "access.whoami")).status).toBe(403);
  for (const headers of [{ authorization: "Bearer qda_guessed" }, browser(server.url).header()])
    expect((await call({ ...headers, ...inside(second) }, "access.whoami")).status).toBe(401);
});

it("installation settings stay with the first workspace, whichever the script names", async () => {
  const second = await createWorkspace("Other settings");
  const mail = { host: "127.0.0.1", port: 25, security: "none", user: "", from: "quarterdeck@example.org" };
  expect(await call({ ...admin(), ...inside(second) }, "installation.saveMail", mail)).toMatchObject({ status: 403 });
  const permissionIn = async (headers: Record<string, string>) => {
    const { data } = await call({ ...admin(), ...headers }, "access.me");
    const { permissions } = data as unknown as MeView; // meView
    return permissions.find(({ name }) => name === "installation:manage");
  };
  const reason = "Sign-on and mail apply to the whole installation. Set them in its first workspace.";
  expect(await permissionIn({})).toMatchObject({ isGranted: true, reason: null });
  expect(await permissionIn(inside(second))).toMatchObject({ isGranted: false, reason });
});
