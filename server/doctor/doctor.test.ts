import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newWorkspace } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { smtpStub } from "../../e2e/fixtures/smtp-stub.ts";
import * as agents from "../agents/index.ts";
import { saveMail } from "../people/installation/mail.ts";
import { openDatabase } from "../platform/db.ts";
import { inWorkspace } from "../platform/scope.ts";
import { DEFAULT_LIMITS } from "../policies/canary-watch/limits-schema.ts";
import * as policies from "../policies/index.ts";
import type { Rollout } from "../policies/schema.ts";
import { ensurePartitionsAhead } from "../recording/index.ts";
import { canaries } from "./canaries.ts";
import { examine, type Patient } from "./examine.ts";
import { disk, exposure, modes, nodeVersion, secrets } from "./machine.ts";

let db: TestDatabase;
let gateway: TestGateway;
let dir: string;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
  dir = await mkdtemp(join(tmpdir(), "quarterdeck-doctor-"));
});
afterAll(async () => {
  await gateway.stop();
  await db.drop();
  await rm(dir, { recursive: true });
});

const CONFINED = { sandbox: "bubblewrap", reasons: [], features: ["seccomp"], network: "own" } as const;
const patient = (given: Partial<Patient> = {}): Patient => ({
  db: db.database,
  workspaceId: gateway.admin.workspaceId,
  dataDir: dir,
  host: "127.0.0.1",
  url: "http://127.0.0.1:3000",
  confinement: CONFINED,
  given: {},
  findPrograms: gateway.running.app.findPrograms,
  openCircuits: 0,
  record: gateway.running.app.record,
  mailer: gateway.running.app.mailer,
  ...given,
});

async function found(id: string, given: Partial<Patient> = {}, now = new Date()) {
  const { findings } = await examine(patient(given), now);
  const finding = findings.find((one) => one.id === id);
  if (!finding) throw new Error(`nothing was found for ${id}`);
  return finding;
}
/** An agent with a key, in a workspace of its own. */
async function newAgent(name: string) {
  const admin = { ...gateway.admin, workspaceId: await newWorkspace(db.database, "test") };
  const { key } = await agents.create(gateway.database, gateway.running.app.bus, admin, { name });
  return { admin, workspaceId: admin.workspaceId, key };
}
const later = (days: number) => new Date(Date.now() + days * 86_400_000);

describe("canaries with limits", () => {
  test("are a failure while one is not checked for two minutes or its check fails, and ok again after a check", async () => {
    const { admin, workspaceId } = await newAgent("insider");
    const { bus } = gateway.running.app;
    const publish = (word: string, rollout?: Rollout) => {
      const source = `hooks:\n  stop:\n    - {type: command, command: "echo ${word}"}\n`;
      const input = { name: "careful", source, note: "", ...(rollout && { rollout }) };
      return policies.publishByName(gateway.database, bus, admin, input, policies.NO_CASES);
    };
    await publish("one");
    const { policyId } = await publish("two", { kind: "canary", share: 100, groupId: null, limits: DEFAULT_LIMITS });
    const said = (now: Date) => inWorkspace(workspaceId, () => canaries({ db: gateway.database, workspaceId }, now));
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);
    const set = (change: string, ...values: readonly unknown[]) =>
      db.owner.query(`UPDATE policy SET ${change} WHERE id = $1`, [policyId, ...values]);

    expect(await said(inSeconds(100))).toMatchObject({ state: "ok" });
    expect(await said(inSeconds(150))).toMatchObject({
      state: "failure",
      says: "Limits of canaries are not checked: careful. They would not be withdrawn.",
      todo: expect.stringContaining("jobs process"),
    });
    await set("canary_checked_at = $2", inSeconds(140));
    expect(await said(inSeconds(150))).toMatchObject({ state: "ok" });
    await set("canary_fault = 'The calls could not be compared.'");
    expect(await said(inSeconds(150))).toMatchObject({ state: "failure" });
    await set("canary_fault = NULL");
    expect(await said(inSeconds(150))).toMatchObject({ state: "ok" });
  });
});

describe("this machine", () => {
  test("listening beyond it without https is a failure, with https it is not", () => {
    expect(exposure("0.0.0.0", "http://deck.lan")).toMatchObject({ state: "failure" });
    expect(exposure("0.0.0.0", "https://deck.lan")).toMatchObject({ state: "ok" });
    expect(exposure("::1", "http://deck.lan")).toMatchObject({ state: "ok" });
  });

  test("a secret that can be guessed is named and not repeated", () => {
    const finding = secrets({ QUARTERDECK_TOKEN: "a".repeat(40), QUARTERDECK_SESSION_SECRET: undefined });
    expect(finding).toMatchObject({ state: "failure", says: "QUARTERDECK_TOKEN can be guessed." });
    expect(JSON.stringify(finding)).not.toContain("aaaa");
    expect(secrets({ QUARTERDECK_TOKEN: "kX3v9Qw7Lz1pR5tY8uB2nM4cV6xS0dFg" }).state).toBe("ok");
  });

  test("a secret that others can read is a failure", async () => {
    await writeFile(join(dir, "admin-token"), "x", { mode: 0o600 });
    expect((await modes(dir)).state).toBe("ok");
    await chmod(join(dir, "admin-token"), 0o644);
    expect(await modes(dir)).toMatchObject({ state: "failure", says: expect.stringContaining("admin-token") });
    await rm(join(dir, "admin-token"));
  });

  test("the disk is measured and an old Node is refused", async () => {
    expect((await disk(dir)).says).toMatch(/^\d+\.\d GiB are free/);
    expect(nodeVersion("v18.20.0").state).toBe("failure");
    expect(nodeVersion("v20.19.0").state).toBe("ok");
  });
});

describe("the installation", () => {
  test("a healthy one has no failure but the database of these tests, which may lose what it acknowledged", async () => {
    const { findings } = await examine(patient());
    const bad = findings.filter(({ state }) => state === "failure" || state === "unknown");
    expect(bad).toMatchObject([{ id: "durability", says: expect.stringContaining("with fsync, synchronous_commit") }]);
    expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length);
  });

  test("PostgreSQL keeps workspaces apart, unless its role passes, and a table without the wall is a failure", async () => {
    expect(await found("row_security")).toMatchObject({ state: "ok" });
    const owner = openDatabase(db.ownerUrl, { connectionsMax: 1 });
    try {
      expect(await found("row_security", { db: owner })).toMatchObject({
        state: "warning",
        says: expect.stringContaining("role quarterdeck bypasses"),
      });
    } finally {
      await owner.close();
    }
    await db.owner.query("ALTER TABLE retention NO FORCE ROW LEVEL SECURITY");
    expect(await found("row_security")).toMatchObject({ state: "failure", says: expect.stringContaining("retention") });
    await db.owner.query("SELECT quarterdeck_wall('retention')");
    expect(await found("row_security")).toMatchObject({ state: "ok" });
  });

  test("a month of dispatches without its partition is told, until it is made ahead of time", async () => {
    const now = new Date("2031-12-15T12:00:00Z");
    expect(await found("partitions", {}, now)).toMatchObject({
      state: "warning",
      says: expect.stringContaining("dispatch_2031_12 and dispatch_2032_01"),
    });
    await ensurePartitionsAhead(db.database.pool, now.getTime());
    expect((await found("partitions", {}, now)).state).toBe("ok");
    const { rows } = await db.database.pool.query("SELECT to_regclass('dispatch_2032_02') IS NOT NULL AS there");
    expect(rows).toEqual([{ there: true }]);
  });

  test("a masking that cannot be used is a failure, and a request to mask less that cannot be read a warning", async () => {
    const { workspaceId } = await newAgent("masked");
    expect(await found("masking", { workspaceId })).toMatchObject({ state: "ok", says: "Only secrets are masked." });
    await db.owner.query(
      `INSERT INTO masking_setting (workspace_id, setting, version, set_by) VALUES ($1, '{"detectors":["email"]}', 1, 'x')`,
      [workspaceId],
    );
    expect((await found("masking", { workspaceId })).state).toBe("ok");
    await db.owner.query(
      `UPDATE masking_setting SET asked = '{"detectors":["of a newer release"]}', asked_by = 'x', asked_at = now()
       WHERE workspace_id = $1`,
      [workspaceId],
    );
    expect((await found("masking", { workspaceId })).state).toBe("warning");
    await db.owner.query(`UPDATE masking_setting SET setting = asked WHERE workspace_id = $1`, [workspaceId]);
    expect(await found("masking", { workspaceId })).toMatchObject({
      state: "failure",
      says: expect.stringContaining("every text is hidden"),
      todo: expect.stringContaining("Data lifecycle"),
    });
  });

  test("an agent with a key and no policy is an open gate", async () => {
    const { admin, workspaceId } = await newAgent("free");
    expect(await found("ungoverned_agents", { workspaceId })).toMatchObject({
      state: "failure",
      says: "1 of 1 agents with a key has no policy, so no gate checks their calls: free.",
    });
    const source = "hooks:\n  stop:\n    - type: command\n      command: exit 0\n";
    const policy = { name: "policy", source, note: "" };
    await policies.publishByName(gateway.database, gateway.running.app.bus, admin, policy, policies.NO_CASES);
    expect((await found("ungoverned_agents", { workspaceId })).state).toBe("ok");
  });

  test("an agent whose relay cannot check answers is named, and a plain program is no warning", async () => {
    const { workspaceId } = await newAgent("plain");
    expect(await found("unchecked_answers", { workspaceId })).toMatchObject({ state: "ok" });
    await db.owner.query("UPDATE agent SET unsigned_asked_at = now() WHERE workspace_id = $1", [workspaceId]);
    expect(await found("unchecked_answers", { workspaceId })).toMatchObject({
      state: "ok",
      says: "1 agent asks over plain HTTP without a nonce and cannot verify answers: plain.",
    });
    await db.owner.query("UPDATE agent SET client = 'claude-code' WHERE workspace_id = $1", [workspaceId]);
    expect(await found("unchecked_answers", { workspaceId })).toMatchObject({
      state: "warning",
      says: "1 agent asks without a nonce: the relay of plain cannot verify that answers come from this console.",
      todo: expect.stringContaining("quarterdeck enrol"),
    });
    expect(await found("unchecked_answers", { workspaceId }, later(2))).toMatchObject({ state: "ok" });
  });

  test("an agent that fell silent is named", async () => {
    const { workspaceId } = await newAgent("free");
    expect(await found("stale_agents", { workspaceId })).toMatchObject({
      state: "ok",
      says: expect.stringMatching(/new agents without events: free\.$/),
    });
    expect(await found("stale_agents", { workspaceId }, later(8))).toMatchObject({
      state: "warning",
      says: "1 agent with a key sent no events for 7 days: free.",
    });
  });

  test("an agent's clock that runs ahead is named", async () => {
    const { workspaceId, key } = await newAgent("fast");
    const event = {
      event_id: "01900000-0000-7000-8000-00000000000a",
      event: "turn_start",
      occurred_at: new Date(Date.now() + 240_000).toISOString(),
      input: { session_id: "s" },
    };
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = JSON.stringify([event]);
    const response = await fetch(`${gateway.url}/api/v1/events`, { method: "POST", headers, body });
    expect(await response.json()).toMatchObject({ results: [{ status: "stored" }] });
    expect(await found("agent_clocks", { workspaceId }, later(0))).toMatchObject({ state: "warning" });
  });

  test("entries that no checkpoint vouches for are a failure, and vouched for beside the database a warning", async () => {
    const { workspaceId } = await newAgent("recorded");
    expect(await found("checkpoints", { workspaceId }, later(2))).toMatchObject({
      state: "failure",
      says: expect.stringMatching(/^\d+ record entries are without a checkpoint/),
    });
    const { record, machine } = gateway.running.app;
    await record.checkpointer.tick(true);
    expect(await found("checkpoints", { workspaceId })).toMatchObject({ state: "ok" });
    expect(await found("checkpoints", { workspaceId, dataDir: machine.dataDir })).toMatchObject({ state: "warning" });
  });

  test("a mail server that went away is a failure, by its code alone", async () => {
    expect(await found("mail")).toMatchObject({ state: "ok", says: expect.stringContaining("No mail server is set") });
    const smtp = await smtpStub();
    const { app } = gateway.running;
    const server = {
      host: "127.0.0.1",
      port: smtp.port,
      security: "none",
      user: "",
      from: "deck@example.org",
    } as const;
    await inWorkspace(gateway.admin.workspaceId, () => saveMail(app.db, app, gateway.admin, server));
    expect(await found("mail")).toMatchObject({ state: "ok", says: "The mail server accepts messages." });
    await smtp.close();
    expect(await found("mail")).toMatchObject({ state: "failure", says: expect.stringMatching(/: E[A-Z]+\.$/) });
    expect(smtp.letters).toEqual([]);
    await db.owner.query("DELETE FROM installation_setting WHERE name = 'mail'");
  });

  test("a look that fails is a finding, not the end of the others", async () => {
    expect((await found("disk", { dataDir: join(dir, "gone") })).state).toBe("unknown");
  });

  test("without a sandbox, or with hooks switched off, it says so", async () => {
    expect((await found("sandbox", { confinement: { ...CONFINED, sandbox: "none" } })).state).toBe("failure");
    const missing = await found("sandbox", {
      confinement: { ...CONFINED, sandbox: "missing", reasons: ["bubblewrap is not installed"] },
    });
    expect(missing).toMatchObject({ state: "failure", says: expect.stringContaining("bubblewrap is not installed") });
    expect(missing.todo).toContain("apt install bubblewrap");
    expect((await found("circuits", { openCircuits: 2 })).state).toBe("warning");
  });

  test.each([
    [{ features: ["seccomp"] }, "sandbox", "ok", "Their system calls are filtered."],
    [{ features: [] }, "sandbox", "warning", "without a filter of system calls"],
    [{ network: "own" }, "hook_network", "ok", "their own network"],
    [{ network: "host" }, "hook_network", "warning", "QUARTERDECK_HOOK_NETWORK=host"],
    [{ network: "refused", networkReason: "slirp4netns is not installed" }, "hook_network", "ok", "are refused"],
  ] as const)("with %j, %s is %s", async (confinement, id, state, says) => {
    expect(await found(id, { confinement: { ...CONFINED, ...confinement } })).toMatchObject({
      state,
      says: expect.stringContaining(says),
    });
  });
});
