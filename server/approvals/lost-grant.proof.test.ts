/** A person's yes opens exactly one call, whatever fails between the grant and the record of the call. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { fixtureProgram } from "../../e2e/fixtures/built-program.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { Administrator } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import { answerRequest } from "./schema.ts";
import * as approvals from "./service.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: "^shell$"
      hooks:
        - { type: builtin, command: ask_a_person, args: ["Is this meant for production?"] }
`;
/** Longer than an unrecorded claim holds its grant. */
const AFTER_HOLD = { timeout: 40_000, interval: 500 };

let db: TestDatabase;
let first: TestGateway;
let second: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  first = await testGateway(db.url);
  second = await testGateway(db.url);
  await first.publish(POLICY);
  // A sequence keeps its count across rollbacks: the next `failures_left` records with a verdict fail.
  await db.owner.query(`CREATE TABLE fault (is_on boolean NOT NULL, code text NOT NULL);
    INSERT INTO fault VALUES (false, '22012');
    CREATE FUNCTION fail_record() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      IF (SELECT is_on FROM public.fault) AND NEW.verdict = 'allow' THEN
        RAISE EXCEPTION USING ERRCODE = (SELECT code FROM public.fault), MESSAGE = 'an injected fault';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER fail_record BEFORE INSERT ON dispatch FOR EACH ROW EXECUTE FUNCTION fail_record();`);
  await vi.waitUntil(() => first.running.app.bus.isCurrent() && second.running.app.bus.isCurrent(), {
    timeout: 10_000,
  });
});
afterEach(() => breakRecords(null));
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()]);
  await db?.drop();
});

/** Has every record of an allowed call fail with this SQLSTATE; null: none. */
const breakRecords = (code: string | null) =>
  db.owner.query("UPDATE fault SET is_on = $1, code = $2", [code !== null, code ?? "22012"]);

const answer = (input: Parameters<typeof answerRequest.parse>[0]) => {
  const ada: Administrator = { ...first.admin, kind: "script", id: "Ada", name: "Ada" };
  return approvals.answer({ db: db.database, bus: second.running.app.bus }, ada, answerRequest.parse(input));
};

interface Call {
  readonly id?: string;
  readonly key?: string;
  readonly at?: TestGateway;
  readonly wait?: number;
}

async function newAgent() {
  const { agentId, key } = await agents.create(db.database, first.running.app.bus, first.admin, {
    name: `agent ${randomUUID()}`,
  });
  /** "allow", "deny", or the status of a refusal. */
  async function call({ id = randomUUID(), key: named, at = first, wait }: Call = {}): Promise<string | number> {
    const response = await fetch(`${at.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...(named === undefined ? {} : { "idempotency-key": named }),
        ...(wait === undefined ? {} : { "quarterdeck-wait-seconds": String(wait) }),
      },
      body: JSON.stringify({ session_id: "s", tool_name: "shell", tool_use_id: id, tool_input: { cmd: "make" } }),
    });
    const { decision, hook_specific_output: specific = {} } = await response.json();
    if (response.status !== 200) return response.status;
    return decision === "block" ? "deny" : specific.permission_decision;
  }
  const firstOpen = () =>
    vi.waitUntil(
      async () => {
        const { open } = await approvals.list(db.database, first.admin);
        return open.find((one) => one.agentId === agentId) ?? false;
      },
      { timeout: 20_000, interval: 20 },
    );
  /** A ticket that a person allowed. */
  async function allowed(): Promise<string> {
    expect(await call()).toBe("deny");
    const { id } = await firstOpen();
    await answer({ id, verdict: "allow" });
    return id;
  }
  return { agentId, call, allowed, firstOpen };
}

/** The allowed calls on record of an agent. */
async function countAllowed(agentId: string): Promise<number> {
  const { rows } = await db.owner.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM dispatch WHERE agent_id = $1 AND verdict = 'allow'",
    [agentId],
  );
  return rows[0]?.count ?? 0;
}

const FAULTS = [
  ["a row that PostgreSQL refuses", "22012"],
  ["a statement that took too long", "57014"],
  ["a full disk", "53100"],
  ["a lost connection", "08006"],
] as const;

describe.each(FAULTS)("a record that fails after the claim: %s", (_, code) => {
  it("leaves the grant to the same call", async () => {
    const { agentId, call, allowed } = await newAgent();
    await allowed();
    const id = randomUUID();
    await breakRecords(code);
    expect(await call({ id })).not.toBe("allow");
    expect(await call({ id, at: second })).not.toBe("allow");
    await breakRecords(null);
    expect(await call({ id })).toBe("allow");
    expect(await call({ id })).toBe("deny");
    expect(await call()).toBe("deny");
    expect(await countAllowed(agentId)).toBe(1);
  });

  it("leaves the grant to the call that is made anew", async () => {
    const { agentId, call, allowed } = await newAgent();
    await allowed();
    await breakRecords(code);
    expect(await call()).not.toBe("allow");
    await breakRecords(null);
    expect(await call({ at: second })).toBe("allow");
    expect(await call()).toBe("deny");
    expect(await countAllowed(agentId)).toBe(1);
  });

  it("leaves it to the delivery that comes again under its name", async () => {
    const { agentId, call, allowed } = await newAgent();
    await allowed();
    const named = { id: randomUUID(), key: randomUUID() };
    await breakRecords(code);
    expect(await call(named)).not.toBe("allow");
    await breakRecords(null);
    expect(await call(named)).toBe("allow");
    expect(await call({ ...named, at: second })).toBe("allow");
    expect(await call()).toBe("deny");
    expect(await countAllowed(agentId)).toBe(1);
  });

  it("leaves it to the call that waited for its answer", async () => {
    const { agentId, call, firstOpen } = await newAgent();
    const id = randomUUID();
    const underWay = call({ id, wait: 60 });
    const request = await firstOpen();
    await breakRecords(code);
    await answer({ id: request.id, verdict: "allow" });
    expect(await underWay).not.toBe("allow");
    await breakRecords(null);
    expect(await call({ id })).toBe("allow");
    expect(await call({ id })).toBe("deny");
    expect(await countAllowed(agentId)).toBe(1);
  });
});

describe("a gateway that is killed between the claim and the record", () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill("SIGKILL");
  });

  async function claimAndDie(agentId: string, callId: string): Promise<void> {
    const program = await fixtureProgram("claim-until-killed");
    const child = spawn(process.execPath, [program, db.url, first.admin.workspaceId, agentId, callId], {
      stdio: ["ignore", "pipe", "inherit"],
      timeout: 60_000,
    });
    children.push(child);
    const [said] = await once(child.stdout, "data");
    expect(String(said).trim()).toBe("allow");
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  it("leaves the grant to the same call at once", async () => {
    const { agentId, call, allowed } = await newAgent();
    await allowed();
    const id = randomUUID();
    await claimAndDie(agentId, id);
    expect(await call()).toBe("deny");
    expect(await call({ id })).toBe("allow");
    expect(await call()).toBe("deny");
    expect(await countAllowed(agentId)).toBe(1);
  });

  it("leaves it to another call once its hold is over", async () => {
    const { agentId, call, allowed } = await newAgent();
    await allowed();
    await claimAndDie(agentId, randomUUID());
    expect(await vi.waitUntil(async () => (await call()) === "allow", AFTER_HOLD)).toBe(true);
    expect(await call()).toBe("deny");
    expect(await countAllowed(agentId)).toBe(1);
  });
});

describe("a grant that ends between the claim and the record", () => {
  /** Holds the row of the request, so that the call's record waits for it; `change` commits before the record. */
  async function changeBeforeRecord(call: () => Promise<string | number>, change: string, id: string) {
    const client = await db.owner.connect();
    try {
      await client.query("SELECT pg_advisory_lock(4711)");
      await client.query(`CREATE OR REPLACE FUNCTION hold_spend() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NULL; END $$;
        CREATE OR REPLACE TRIGGER hold_spend BEFORE UPDATE OF used_at ON approval_request FOR EACH STATEMENT EXECUTE FUNCTION hold_spend()`);
      const underWay = call();
      await vi.waitUntil(
        async () =>
          (await db.owner.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted"))
            .rowCount === 1,
        { timeout: 4_000, interval: 20 },
      );
      await client.query(change, [id]);
      await client.query("SELECT pg_advisory_unlock(4711)");
      return await underWay;
    } finally {
      await client.query("DROP TRIGGER hold_spend ON approval_request");
      client.release();
    }
  }

  it.each([
    ["taken back", "UPDATE approval_request SET state = 'withdrawn' WHERE id = $1"],
    ["over", "UPDATE approval_request SET granted_until = clock_timestamp() WHERE id = $1"],
    ["taken by another call", "UPDATE approval_request SET call_id = 'another' WHERE id = $1"],
    [
      "used by another delivery of the call",
      "UPDATE approval_request SET used_gates = '{pre_tool_use default}' WHERE id = $1",
    ],
  ])("is denied when it is %s, and its denial is on record", async (_, change) => {
    const { agentId, call, allowed } = await newAgent();
    const id = await allowed();
    expect(await changeBeforeRecord(() => call(), change, id)).toBe("deny");
    expect(await countAllowed(agentId)).toBe(0);
  });
});

describe("calls under one name", () => {
  it("are one call at two gateways at once", async () => {
    const { agentId, call, allowed } = await newAgent();
    for (let round = 0; round < 5; round += 1) {
      await allowed();
      const id = randomUUID();
      const said = await Promise.all(
        Array.from({ length: 20 }, (_, index) => call({ id, at: index % 2 === 0 ? first : second })),
      );
      expect(said.filter((verdict) => verdict === "allow")).toHaveLength(1);
      expect(await countAllowed(agentId)).toBe(round + 1);
      const { open } = await approvals.list(db.database, first.admin);
      for (const one of open) await answer({ id: one.id, verdict: "deny", words: "next round" });
    }
  });
});
