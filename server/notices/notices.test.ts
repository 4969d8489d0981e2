/** Notices of people over a real database: who gets which, once, and by which way. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import type { Administrator } from "../access/actor.ts";
import type { Role } from "../access/role-schema.ts";
import { appendAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { createBus } from "../events/index.ts";
import * as members from "../people/index.ts";
import { stoppedClock } from "../platform/clock.ts";
import { transaction } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
import { inWorkspace } from "../platform/scope.ts";
import { gatherNotices } from "../webhooks/gather-notices.ts";
import { bodyInShape } from "../webhooks/shapes.ts";
import { alertRoutes } from "./routes-schema.ts";
import { DEFAULT_CHOICES, type NoticeBox, type NoticeChoices, type NoticeKind, type NoticeWay } from "./schema.ts";
import * as service from "./service.ts";

interface Sent {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly messageId?: string;
}

let db: TestDatabase;
let bus: ReturnType<typeof createBus>;
let workspaceId: string;
let sent: Sent[];
let mailFails: boolean;
/** Noon, and well behind what is written now. */
const NOON = new Date(Date.now() + 86_400_000).setUTCHours(12, 0, 0, 0);
let clock: ReturnType<typeof stoppedClock>;
const log = createLog("silent");

beforeAll(async () => {
  db = await testDatabase();
  bus = createBus(db.url, log);
});
afterAll(async () => {
  await bus.close();
  await db.drop();
});
beforeEach(async () => {
  workspaceId = uuidv7();
  await db.owner.query("INSERT INTO workspace (id, name) VALUES ($1, 'test')", [workspaceId]);
  await db.owner.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
  [sent, mailFails, clock] = [[], false, stoppedClock(NOON)];
});

const mailer = {
  async send(letter: Sent): Promise<boolean> {
    if (mailFails) throw new AppError("mail_failed");
    sent.push(letter);
    return true;
  },
};
const notices = (more: Partial<service.NoticesWorld> = {}) =>
  service.createNotices({ pool: db.database.pool, bus, log, mailer, url: "https://deck.example", clock, ...more });
const node = (more: Partial<service.NoticesWorld> = {}) => {
  const { make, send } = notices(more);
  return { turn: () => make().then(send) };
};

async function newPerson(role: Role, { isProven = true } = {}): Promise<Administrator> {
  const id = randomUUID();
  await db.owner.query("INSERT INTO person (id, name, email, email_verified) VALUES ($1, 'Ada', $2, $3)", [
    ...[id, `${id}@example.org`, isProven],
  ]);
  await db.owner.query("INSERT INTO membership (workspace_id, person_id, role) VALUES ($1, $2, $3)", [
    workspaceId,
    id,
    role,
  ]);
  return { kind: "person", workspaceId, id, name: "Ada", role };
}

const withWays = (kind: NoticeKind, ways: readonly NoticeWay[], more: Partial<NoticeChoices> = {}): NoticeChoices => ({
  ...DEFAULT_CHOICES,
  ...more,
  ways: { ...DEFAULT_CHOICES.ways, [kind]: ways },
});
const choose = (who: Administrator, choices: NoticeChoices) => service.saveChoices(db.database, who, choices);
const titles = async (who: Administrator) =>
  (await service.list(db.database, who)).notices.map(({ title }) => title).sort();

/** A request of an agent; `say` its name. */
async function ask({
  agent = randomUUID() as string,
  name = "bot",
  route = null as object | null,
  sha = randomUUID() as string,
} = {}) {
  const id = uuidv7();
  await transaction(db.database.pool, async (client) => {
    await appendAudit(client, workspaceId, {
      ...{ kind: "approval_requested", version: 1, approval: id, agent, tool: "shell", inputSha256: "00" },
      ...{ isWaiting: true, peopleNeeded: 1 },
    });
    await client.query(
      `INSERT INTO approval_request (workspace_id, id, number, state, is_waiting, agent_id, agent_name, session_id, tool_name, call_id,
         input_sha256, input, is_whole, reason, asked_by, expires_at, route)
       SELECT $1, $2, seq, 'pending', true, $3, $4, 's', 'shell', gen_random_uuid()::text, sha256($5), '{"cmd":"secret input"}', true, 'why', '[]',
         now() + interval '1 hour', $6 FROM audit_head WHERE workspace_id = $1`,
      [workspaceId, id, agent, name, Buffer.from(sha), route === null ? null : JSON.stringify(route)],
    );
  });
  return id;
}
const halt = (reason: string) =>
  transaction(db.database.pool, (client) =>
    appendAudit(client, workspaceId, {
      ...{
        kind: "halted",
        version: 1,
        by: "Ada",
        halt: uuidv7(),
        scope: "agent",
        about: "bot",
        isQuarantine: false,
        reason,
      },
    }),
  );

describe("a call that waits", () => {
  it("is a notice for those who may answer, once, however many nodes look", async () => {
    const [approver, viewer] = [await newPerson("approver"), await newPerson("viewer")];
    await ask();
    await Promise.all([node().turn(), node().turn(), node().turn()]);
    await node().turn();
    expect(await titles(approver)).toEqual([expect.stringMatching(/^QD-\d+: an agent waits for an answer$/)]);
    expect(await titles(viewer)).toEqual([]);
    expect((await service.list(db.database, approver)).unread).toBe(1);
  });

  it("leaves the inbox with the answer", async () => {
    const approver = await newPerson("approver");
    const id = await ask();
    await node().turn();
    expect(await titles(approver)).toHaveLength(1);
    await db.owner.query("UPDATE approval_request SET state = 'denied', closed_at = now() WHERE id = $1", [id]);
    expect(await titles(approver)).toEqual([]);
    expect((await service.list(db.database, approver)).unread).toBe(0);
  });

  it("is one notice after a crash between the notices and the cursor", async () => {
    const approver = await newPerson("approver");
    await ask();
    await db.owner.query(
      `CREATE OR REPLACE FUNCTION fail_cursor() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''died''; END'`,
    );
    await db.owner.query(
      "CREATE TRIGGER fail_cursor BEFORE UPDATE ON notice_cursor FOR EACH ROW EXECUTE FUNCTION fail_cursor()",
    );
    await node().turn();
    expect(await titles(approver)).toEqual([]);
    await db.owner.query("DROP TRIGGER fail_cursor ON notice_cursor");
    await node().turn();
    await node().turn();
    expect(await titles(approver)).toHaveLength(1);
  });

  it("concerns the list that is asked, and nobody who made the agent's key", async () => {
    const [maker, asked, other] = [
      await newPerson("approver"),
      await newPerson("approver"),
      await newPerson("approver"),
    ];
    const agent = randomUUID();
    await db.owner.query("INSERT INTO agent (workspace_id, id, name) VALUES ($1, $2, 'keyed')", [workspaceId, agent]);
    await db.owner.query(
      `INSERT INTO agent_key (workspace_id, id, agent_id, key_sha256, hint, scopes, created_by_id)
       VALUES ($1, gen_random_uuid(), $2, sha256($3), 'x', '{dispatch}', $4)`,
      [workspaceId, agent, Buffer.from(agent), maker.id],
    );
    await ask({ agent });
    await ask({ route: [{ name: "first", people: [asked.id], fromSeconds: 0 }] });
    await node().turn();
    expect([await titles(maker), await titles(asked), await titles(other)].map(({ length }) => length)).toEqual([
      0, 2, 1,
    ]);
  });

  it("concerns no account that counts as the maker of the agent's key, while another person can answer", async () => {
    const maker = await newPerson("approver");
    const [second, other] = [await newPerson("approver"), await newPerson("approver")];
    const agent = randomUUID();
    await db.owner.query("INSERT INTO agent (workspace_id, id, name) VALUES ($1, $2, 'keyed')", [workspaceId, agent]);
    await db.owner.query(
      `INSERT INTO agent_key (workspace_id, id, agent_id, key_sha256, hint, scopes, created_by_id)
       VALUES ($1, gen_random_uuid(), $2, sha256($3), 'x', '{dispatch}', $4)`,
      [workspaceId, agent, Buffer.from(agent), maker.id],
    );
    await db.owner.query("UPDATE membership SET invited_by_id = $2 WHERE person_id = $1", [second.id, maker.id]);
    await db.owner.query("UPDATE person SET email_verified = false WHERE id = $1", [second.id]);
    await ask({ agent });
    await node().turn();
    expect([await titles(maker), await titles(second), await titles(other)].map(({ length }) => length)).toEqual([
      0, 0, 1,
    ]);
  });

  it("concerns all approvers where each of them made a key of the agent, as any of them may answer then", async () => {
    const agent = randomUUID();
    await db.owner.query("INSERT INTO agent (workspace_id, id, name) VALUES ($1, $2, 'keyed')", [workspaceId, agent]);
    const makers = [await newPerson("approver"), await newPerson("approver")];
    for (const { id } of makers)
      await db.owner.query(
        `INSERT INTO agent_key (workspace_id, id, agent_id, key_sha256, hint, scopes, created_by_id)
         VALUES ($1, gen_random_uuid(), $2, sha256($3), 'x', '{dispatch}', $4)`,
        [workspaceId, agent, Buffer.from(`${agent} ${id}`), id],
      );
    await ask({ agent });
    await node().turn();
    for (const maker of makers) expect(await titles(maker)).toHaveLength(1);
  });

  it("is no news once it is answered, and equal calls are one notice", async () => {
    const approver = await newPerson("approver");
    const ids = await Promise.all(["a", "a", "a"].map((sha) => ask({ sha, agent: workspaceId })));
    await node().turn();
    expect(await titles(approver)).toEqual([expect.stringContaining("(3 alike)")]);
    // Whichever is answered last.
    for (const [at, id] of ids.entries()) {
      expect((await service.list(db.database, approver)).unread).toBe(1);
      const { notices } = await service.list(db.database, approver);
      expect([at, notices.map(({ isDone }) => isDone)]).toEqual([at, [false]]);
      await db.owner.query("UPDATE approval_request SET state = 'denied', closed_at = now() WHERE id = $1", [id]);
    }
    expect((await service.list(db.database, approver)).unread).toBe(0);
  });

  it("of a flood is counted in one notice", async () => {
    const approver = await newPerson("approver");
    for (let count = 0; count < 30; count += 1) await ask({ name: `bot ${count}` });
    await node().turn();
    const all = await titles(approver);
    expect(all).toHaveLength(20);
    expect(all).toContain("11 more notifications of approvals");
  });
});

describe("many members", () => {
  it("get each notice, and the webhook that some of them chose gets it once", async () => {
    const webhookId = uuidv7();
    await db.owner.query(
      `INSERT INTO webhook (workspace_id, id, url, kinds, is_enabled, shape, secret, secret_set_at, updated_by)
       VALUES ($1, $2, 'https://hooks.example/x', '{notice}', true, 'slack', '', now(), 'x')`,
      [workspaceId, webhookId],
    );
    // More than are read at once, and more notices of a page of them than are written at once.
    await db.owner.query(
      `WITH new AS (INSERT INTO person (id, name, email)
         SELECT gen_random_uuid(), 'Ada', gen_random_uuid() || '@example.org' FROM generate_series(1, 401) RETURNING id),
       joined AS (INSERT INTO membership (workspace_id, person_id, role) SELECT $1, id, 'viewer' FROM new RETURNING person_id)
       INSERT INTO notice_choices (workspace_id, person_id, choices) SELECT $1, person_id, $2 FROM joined`,
      [workspaceId, JSON.stringify(withWays("halts", ["page", "webhook"], { webhookId }))],
    );
    for (const reason of ["One.", "Two.", "Three."]) await halt(reason);
    await node().turn();
    const made = await db.owner.query(
      "SELECT count(*)::int AS count, count(DISTINCT person_id)::int AS people FROM notice WHERE workspace_id = $1",
      [workspaceId],
    );
    expect(made.rows).toEqual([{ count: 1_203, people: 401 }]);
    const held = await db.owner.query("SELECT count(*)::int AS count FROM webhook_delivery WHERE workspace_id = $1", [
      workspaceId,
    ]);
    expect(held.rows).toEqual([{ count: 3 }]);
  });
});

describe("a letter", () => {
  it("holds no secret, no input and no markup, and a link to the page", async () => {
    const approver = await newPerson("approver");
    await choose(approver, withWays("approvals", ["mail"]));
    await ask({ name: "evil.example AKIAIOSFODNN7EXAMPLE" });
    await node().turn();
    expect(sent).toHaveLength(1);
    const [{ to = "", subject = "", text = "" } = {}] = sent;
    expect(to).toBe(`${approver.id}@example.org`);
    expect(subject).toMatch(/^Quarterdeck: QD-\d+: an agent waits for an answer$/);
    expect(text).toMatch(/https:\/\/deck\.example\/approvals#QD-\d+/);
    expect(text).not.toMatch(/AKIAIOSFODNN7EXAMPLE|secret input|evil\.example/);
    expect(await titles(approver)).toEqual([]);
  });

  it("comes once a minute at most, with all that is due, and never twice", async () => {
    const approver = await newPerson("approver");
    await choose(approver, withWays("approvals", ["page", "mail"]));
    await ask();
    await Promise.all([node().turn(), node().turn()]);
    for (const name of ["one", "two"]) await ask({ name });
    await node().turn();
    expect(sent).toHaveLength(1);
    clock.advance(61_000);
    await Promise.all([node().turn(), node().turn()]);
    clock.advance(600_000);
    await node().turn();
    expect(sent.map(({ subject }) => subject)).toEqual([expect.any(String), expect.stringMatching(/, and 1 more$/)]);
  });

  it("waits for the end of quiet hours, and one about a halt does not", async () => {
    const approver = await newPerson("approver");
    const quiet = { from: "11:00", to: "13:00", timeZone: "UTC" };
    const ways = {
      ...DEFAULT_CHOICES.ways,
      approvals: ["page", "browser", "mail"],
      halts: ["page", "browser", "mail"],
    };
    await choose(approver, { ...DEFAULT_CHOICES, quiet, ways } as NoticeChoices); // of the ways above
    await ask();
    await node().turn();
    expect(sent).toEqual([]);
    expect(await titles(approver)).toHaveLength(1);
    expect(await service.forBrowser(db.database, approver)).toEqual([]);
    await halt("It deletes things.");
    await node().turn();
    expect(sent.map(({ subject }) => subject)).toEqual(["Quarterdeck: An agent is halted"]);
    expect((await service.forBrowser(db.database, approver)).map(({ title }) => title)).toEqual(["An agent is halted"]);
    clock.advance(3_600_000);
    await node().turn();
    expect(sent.at(-1)?.subject).toMatch(/an agent waits/);
    expect(sent).toHaveLength(2);
  });

  it("goes to nobody who left, lost the permission, chose otherwise or proved no address", async () => {
    const people = [await newPerson("approver"), await newPerson("approver"), await newPerson("approver")];
    const unproven = await newPerson("approver", { isProven: false });
    const [left, demoted, silent] = people;
    if (!left || !demoted || !silent) throw new Error("nobody");
    for (const who of [...people, unproven]) await choose(who, withWays("approvals", ["page", "mail"]));
    mailFails = true;
    await ask();
    await node().turn();
    mailFails = false;
    await inWorkspace(workspaceId, () =>
      members.removeMember(db.database, { kind: "script", workspaceId, id: "s", name: "s" }, { personId: left.id }),
    );
    await db.owner.query("UPDATE membership SET role = 'viewer' WHERE person_id = $1", [demoted.id]);
    await choose(silent, DEFAULT_CHOICES);
    clock.advance(600_000);
    await node().turn();
    expect(sent).toEqual([]);
    const { rows } = await db.owner.query("SELECT mail FROM notice WHERE workspace_id = $1", [workspaceId]);
    expect(rows.map(({ mail }) => mail)).toEqual(["dropped", "dropped", "dropped"]);
  });

  it("that fails is tried again under the same id, and given up with its reason", async () => {
    const approver = await newPerson("approver");
    await choose(approver, withWays("halts", ["mail"]));
    mailFails = true;
    await halt("Stop.");
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await node().turn();
      clock.advance(3 * 3_600_000);
    }
    mailFails = false;
    await node().turn();
    expect(sent).toEqual([]);
    expect((await service.choices(db.database, approver)).mail.failure).toMatch(/mail/i);
  });

  it("that was held by a process which died is due again", async () => {
    const approver = await newPerson("approver");
    await choose(approver, withWays("halts", ["mail"]));
    await halt("Stop.");
    const dying = { send: () => new Promise<boolean>(() => undefined) };
    void node({ mailer: dying, letterMs: 86_400_000 }).turn();
    await expect
      .poll(
        async () =>
          (await db.owner.query("SELECT mail_attempts FROM notice WHERE workspace_id = $1", [workspaceId])).rows,
      )
      .toEqual([{ mail_attempts: 1 }]);
    await node().turn();
    expect(sent).toEqual([]);
    clock.advance(180_000);
    await node().turn();
    await node().turn();
    expect(sent).toHaveLength(1);
  });
});

describe("a mail server that is slow", () => {
  it("holds up no notice", async () => {
    const approver = await newPerson("approver");
    await choose(approver, withWays("halts", ["page", "mail"]));
    let answer: (isSent: boolean) => void = () => undefined;
    const answered = new Promise<boolean>((resolve) => {
      answer = resolve;
    });
    let letters = 0;
    const slow = {
      send({ to }: Sent) {
        if (to === `${approver.id}@example.org`) letters += 1;
        return answered;
      },
    };
    const running = notices({ mailer: slow });
    running.start();
    try {
      await halt("The first.");
      await expect.poll(() => letters, { timeout: 10_000 }).toBe(1);
      await halt("The second.");
      await expect.poll(() => titles(approver), { timeout: 10_000 }).toHaveLength(2);
      expect(letters).toBe(1);
    } finally {
      answer(true);
      await running.stop();
    }
  }, 30_000);

  it("has failed after a while, and is asked again later", async () => {
    const approver = await newPerson("approver");
    await choose(approver, withWays("halts", ["mail"]));
    await halt("Stop.");
    await node({ mailer: { send: () => new Promise<boolean>(() => undefined) }, letterMs: 20 }).turn();
    const { rows } = await db.owner.query("SELECT mail, mail_at > $2 AS is_later FROM notice WHERE workspace_id = $1", [
      ...[workspaceId, new Date(NOON)],
    ]);
    expect(rows).toEqual([{ mail: "waiting", is_later: true }]);
    clock.advance(61_000);
    await node().turn();
    expect(sent.filter(({ to }) => to === `${approver.id}@example.org`)).toHaveLength(1);
  });
});

describe("alerts and webhooks", () => {
  async function fire(severity: string, groupId: string | null = null) {
    const rule = uuidv7();
    await db.owner.query(
      `INSERT INTO alert_rule (workspace_id, id, name, measure, group_id, window_minutes, comparison, threshold, for_minutes, severity,
         emails, is_enabled, updated_by) VALUES ($1, $2, $3, 'spend', $4, 60, 'above', 1, 0, $5, '{}', true, 'x')`,
      [workspaceId, rule, `rule ${rule}`, groupId, severity],
    );
    await db.owner.query(
      `INSERT INTO alert_event (workspace_id, rule_id, at, id, state, says, is_snoozed, mail_to, awaits_notice)
       VALUES ($1, $2, now(), $3, 'firing', 'Spend is high.', false, '{}', true)`,
      [workspaceId, rule, uuidv7()],
    );
  }
  const newWebhook = async () => {
    const id = uuidv7();
    await db.owner.query(
      `INSERT INTO webhook (workspace_id, id, url, kinds, is_enabled, shape, secret, secret_set_at, updated_by)
       VALUES ($1, $2, 'https://hooks.example/x', '{notice}', true, 'slack', '', now(), 'x')`,
      [workspaceId, id],
    );
    return id;
  };
  const messages = async () => {
    await gatherNotices({ pool: db.database.pool, now: new Date(), url: "https://deck.example" });
    const { rows } = await db.owner.query<{ body: string }>(
      "SELECT body FROM webhook_delivery WHERE workspace_id = $1",
      [workspaceId],
    );
    return rows.map(({ body }) => body);
  };

  it("go to the team of a route, and to everybody where no route matches", async () => {
    const [payments, other] = [await newPerson("viewer"), await newPerson("viewer")];
    const admin = { ...(await newPerson("admin")), name: "Grace" };
    const group = uuidv7();
    await db.owner.query("INSERT INTO agent_group (workspace_id, id, name, position) VALUES ($1, $2, 'payments', 0)", [
      workspaceId,
      group,
    ]);
    const webhookId = await newWebhook();
    const routes = [{ team: "Payments", groupId: group, from: "warning", people: [payments.id], webhookId }];
    await service.setRoutes({ db: db.database, bus }, admin, alertRoutes.parse({ routes }));
    await fire("critical", group);
    await fire("info", group);
    await node().turn();
    expect(await titles(payments)).toEqual(["An alert is firing: critical", "An alert is firing: info"]);
    expect(await titles(other)).toEqual(["An alert is firing: info"]);
    const [body = ""] = await messages();
    expect(bodyInShape("slack", body)).toContain("https://deck.example/settings/alerts");
    const { rows } = await db.owner.query("SELECT kind FROM audit_entry WHERE workspace_id = $1", [workspaceId]);
    expect(rows).toEqual([{ kind: "alert_routes_set" }]);
  });

  it("refuse a route to somebody who is no member", async () => {
    const admin = await newPerson("admin");
    const routes = [{ team: "Nobody", groupId: null, from: "info", people: [randomUUID()], webhookId: null }];
    const setting = service.setRoutes({ db: db.database, bus }, admin, alertRoutes.parse({ routes }));
    await expect(setting).rejects.toMatchObject({ code: "invalid_input" });
    expect(alertRoutes.safeParse({ routes: [{ ...routes[0], people: [] }] }).success).toBe(false);
  });

  it("a chosen webhook gets one message of what several people chose it for", async () => {
    const webhookId = await newWebhook();
    for (const who of [await newPerson("viewer"), await newPerson("viewer")])
      await choose(who, withWays("halts", ["webhook"], { webhookId }));
    await halt("Stop, AKIAIOSFODNN7EXAMPLE.");
    await node().turn();
    const bodies = await messages();
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).not.toContain("AKIAIOSFODNN7EXAMPLE");
    expect(JSON.parse(bodies[0] ?? "")).toMatchObject({
      type: "notice",
      data: { url: "https://deck.example/audit/halts", count: 1 },
    });
  });
});

it("a test goes by every chosen way at once, quiet hours or not, once a minute", async () => {
  const who = await newPerson("viewer");
  const quiet = { from: "00:00", to: "23:59", timeZone: "UTC" };
  await choose(who, withWays("drills", ["page", "mail"], { quiet }));
  const { ways } = await service.sendTest({ db: db.database, bus }, who);
  expect(ways).toEqual(["page", "browser", "mail"]);
  await expect(service.sendTest({ db: db.database, bus }, who)).rejects.toMatchObject({ code: "invalid_input" });
  await node().turn();
  expect(sent.map(({ subject }) => subject)).toEqual(["Quarterdeck: Test notification"]);
  await service.markRead({ db: db.database, bus }, who, { upTo: new Date() });
  expect(await service.countUnread(db.database, who)).toBe(0);
});

it("a notice is archived, put back and snoozed by its reader alone, and the bell counts what nothing else counts", async () => {
  const [who, other] = [await newPerson("approver"), await newPerson("approver")];
  await ask({ agent: workspaceId });
  for (const one of [who, other]) await service.sendTest({ db: db.database, bus }, one);
  await node().turn();
  const context = { db: db.database, bus };
  const keysIn = async (box: NoticeBox, reader = who) =>
    (await service.list(db.database, reader, box)).notices.map(({ key }) => key).sort();
  const keys = await keysIn("inbox");
  const test = keys.find((key) => key.startsWith("test/")) ?? "";
  expect(keys).toHaveLength(2);
  // The call that waits is counted by Approvals.
  expect(await service.countUnread(db.database, who)).toBe(1);
  expect((await service.list(db.database, who)).unread).toBe(2);

  await service.archive(context, who, { keys: [test], isArchived: true });
  expect([await keysIn("archived"), await service.countUnread(db.database, who)]).toEqual([[test], 0]);
  expect(await keysIn("inbox", other)).toEqual(keys);
  await service.archive(context, who, { keys: [test], isArchived: false });
  expect(await keysIn("inbox")).toEqual(keys);

  await service.snooze(context, who, { keys, until: new Date(Date.now() + 3_600_000) });
  expect([await keysIn("inbox"), await keysIn("snoozed")]).toEqual([[], keys]);
  expect((await service.list(db.database, who)).unread).toBe(0);
  await db.owner.query("UPDATE notice SET snoozed_until = now() - interval '1 s' WHERE person_id = $1", [who.id]);
  expect(await keysIn("inbox")).toEqual(keys);
  expect((await service.list(db.database, who)).unread).toBe(2);
  expect(await keysIn("snoozed", other)).toEqual([]);
});
