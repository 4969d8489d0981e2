import { afterEach, beforeEach, expect, test } from "vitest";
import { signedIn } from "../../e2e/fixtures/browser.ts";
import { emptyDatabase } from "../../e2e/fixtures/database.ts";
import { testGateway } from "../../e2e/fixtures/gateway.ts";
import { type ModelStub, modelStub } from "../../e2e/fixtures/model-stub.ts";
import { smtpStub } from "../../e2e/fixtures/smtp-stub.ts";
import { connectPlainly } from "../backup/catalogue.ts";
import { migrate, readMigrations } from "../database/service.ts";
import { uuidv7 } from "../platform/ids.ts";

const WORKSPACE = "01900000-0000-7000-8000-000000000001";
const MIGRATION = "20261122190000_outgoing_exceptions";
let db: Awaited<ReturnType<typeof emptyDatabase>>;
let stub: ModelStub;
let smtp: Awaited<ReturnType<typeof smtpStub>>;

/** An installation of the time when nothing had to be listed, brought up to date. */
beforeEach(async () => {
  stub = await modelStub();
  smtp = await smtpStub();
  db = await emptyDatabase();
  const names = (await readMigrations()).map(({ name }) => name);
  await migrate(db.url, undefined, new Set(names.filter((name) => name < MIGRATION)));
  const client = await connectPlainly(db.url, "test");
  await client.query("INSERT INTO workspace (id, name) VALUES ($1, 'first')", [WORKSPACE]);
  await client.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [WORKSPACE]);
  const connections = [
    ["local", stub.url],
    ["named", "http://LOCALHOST:8000/v1"],
    ["short", "http://127.1:8001"],
    ["six", "https://[::1]/v1"],
    ["public", "https://api.openai.com/v1"],
    ["lan", "https://10.0.0.7/v1"],
    ["alike", "https://localhost.example/v1"],
  ] as const;
  for (const [name, baseUrl] of connections)
    await client.query(
      `INSERT INTO model_connection (workspace_id, id, name, provider, base_url, updated_by)
       VALUES ($1, $2, $3, 'openai-compatible', $4, 'ada')`,
      [WORKSPACE, uuidv7(), name, baseUrl],
    );
  const mail = { host: "127.0.0.1", port: smtp.port, security: "none", user: "", from: "deck@example.org" };
  await client.query("INSERT INTO installation_setting (name, value, updated_by) VALUES ('mail', $1, 'ada')", [
    JSON.stringify(mail),
  ]);
  await client.end();
  await migrate(db.url);
});
afterEach(async () => {
  await stub.stop();
  await smtp.close();
  await db.drop();
});

interface Connection {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
}
const settings = { provider: "openai-compatible", callsPerDay: null, nanoPerDay: null, prices: [] };

async function upgraded(allowed: NonNullable<Parameters<typeof testGateway>[1]>["allowed"]) {
  const gateway = await testGateway(db.url, { allowed: { ...allowed } });
  const owner = await signedIn(gateway.url, gateway.database, WORKSPACE, "owner");
  const connections = (await owner.query("judges.connections")).value as Connection[];
  const idOf = (name: string) => connections.find((one) => one.name === name)?.id;
  const asked = async () => (await owner.mutate("judges.test", { id: idOf("local"), model: "tiny" })).value;
  const finding = async () => {
    const { findings } = (await owner.query("doctor.examine")).value as { findings: { id: string; says: string }[] };
    return findings.find(({ id }) => id === "private_addresses");
  };
  return { gateway, owner, idOf, asked, finding };
}

test("a judge on this machine from before the upgrade goes on being asked, and the doctor names it", async () => {
  const { gateway, owner, idOf, asked, finding } = await upgraded({});
  const { rows } = await gateway.database.pool.query(
    "SELECT purpose, host, port FROM outgoing_exception ORDER BY 1, 2",
  );
  expect(rows).toEqual([
    { purpose: "mail", host: "127.0.0.1", port: smtp.port },
    { purpose: "models", host: "127.0.0.1", port: Number(new URL(stub.url).port) },
    { purpose: "models", host: "127.1", port: 8001 },
    { purpose: "models", host: "::1", port: 443 },
    { purpose: "models", host: "localhost", port: 8000 },
  ]);
  expect(await asked()).toMatchObject({ ok: true });
  const found = await finding();
  expect(found).toMatchObject({ state: "warning" });
  for (const text of [new URL(stub.url).host, "127.0.0.1:8001", "localhost:8000", `127.0.0.1:${smtp.port} (mail)`])
    expect(found?.says).toContain(text);

  // It may be saved as it is; another name for the same machine, and a new connection to the same port, may not.
  const keep = { ...settings, id: idOf("local"), name: "local" };
  expect((await owner.mutate("judges.save", { ...keep, baseUrl: stub.url })).status).toBe(200);
  for (const save of [
    { ...settings, name: "new", baseUrl: stub.url },
    { ...keep, baseUrl: stub.url.replace("127.0.0.1", "localhost") },
    { ...keep, baseUrl: "http://127.0.0.1:1/v1" },
  ]) {
    const { status, text } = await owner.mutate("judges.save", save);
    expect([status, text]).toEqual([400, expect.stringContaining("QUARTERDECK_ALLOW_PRIVATE_MODELS")]);
  }
  await owner.mutate("judges.remove", { id: idOf("local") });
  expect((await finding())?.says).not.toContain(new URL(stub.url).host);
  await gateway.stop();
});

test("what the operator says ends every exception", async () => {
  const { gateway, asked, finding } = await upgraded({ privateModels: "gpu.lan", privateMail: "none" });
  expect(await asked()).toMatchObject({ ok: false, says: expect.stringContaining("QUARTERDECK_ALLOW_PRIVATE_MODELS") });
  expect(stub.asked).toEqual([]);
  expect(await finding()).toMatchObject({ state: "ok" });
  await gateway.stop();
});

test("the mail server from before the upgrade goes on being used, another private one is not", async () => {
  const { gateway, owner } = await upgraded({});
  const { mailer } = gateway.running.app;
  expect(await mailer.send({ to: "ada@example.org", subject: "hello", text: "hello" })).toBe(true);
  expect(smtp.letters).toHaveLength(1);
  const mail = { host: "127.0.0.1", port: smtp.port, security: "none", user: "", from: "other@example.org" };
  expect((await owner.mutate("installation.saveMail", mail)).status).toBe(200);
  for (const host of ["localhost", "10.0.0.1", "169.254.169.254", "::1"]) {
    const { status, text } = await owner.mutate("installation.saveMail", { ...mail, host });
    expect([host, status, text]).toEqual([host, 400, expect.stringContaining("QUARTERDECK_ALLOW_PRIVATE_MAIL")]);
  }
  // A name may lead anywhere: it is refused when it is connected to.
  expect((await owner.mutate("installation.saveMail", { ...mail, host: "2130706433" })).status).toBe(200);
  await expect(mailer.send({ to: "ada@example.org", subject: "hello", text: "hello" })).rejects.toThrow(
    "QUARTERDECK_ALLOW_PRIVATE_MAIL",
  );
  expect(smtp.letters).toHaveLength(1);
  await gateway.stop();
});
