import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixtureProgram } from "../../e2e/fixtures/built-program.ts";
import { repetitions } from "../../e2e/fixtures/long-run.ts";
import { deliveryOf, type Owner, type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { entryHashOf, FIRST_HASH } from "../audit/chain.ts";
import { STORED_ENTRY_COLUMNS, type StoredRow, toChainedEntry } from "../audit/stored-entries.ts";
import { createLog } from "../platform/log.ts";
import type { DispatchRecord } from "./dispatch-record.ts";
import { ROLLUP_COUNTS } from "./rollup-counts.ts";
import { createRecorder } from "./service.ts";

let rig: RecordingRig;
beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(() => rig.close());

const call = (owner: Owner, text: string, more: Partial<DispatchRecord> = {}) =>
  recordOf(owner, "after_llm_call", text, more);
/** Asked over connections that no test ends. */
const rows = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await rig.db.owner.query<Row>(sql, values)).rows;
const countOf = async ({ workspaceId }: Owner, table = "dispatch") =>
  Number(
    (await rows<{ count: string }>(`SELECT count(*) FROM ${table} WHERE workspace_id = $1`, [workspaceId]))[0]?.count,
  );

/** Expects every rollup of the workspace to equal what its dispatches and calls come to. */
async function expectSumsToEqualRows({ workspaceId }: Owner): Promise<void> {
  await rig.projected();
  const fromRows = await rows(
    `SELECT count(*) AS dispatches, coalesce(sum(cost_nano), 0) AS cost_nano, count(cost_usd) FILTER (WHERE cost_usd <> 0) AS priced,
       count(*) FILTER (WHERE cost_usd = 0) AS free, count(*) FILTER (WHERE event = 'after_llm_call' AND cost_usd IS NULL) AS unpriced,
       coalesce(sum(input_tokens), 0) AS input_tokens
     FROM dispatch LEFT JOIN llm_call ON llm_call.workspace_id = dispatch.workspace_id
       AND llm_call.occurred_at = dispatch.occurred_at AND llm_call.dispatch_id = dispatch.id
     WHERE dispatch.workspace_id = $1`,
    [workspaceId],
  );
  for (const rollup of ["rollup_minute", "rollup_hour", "rollup_day"]) {
    const fromRollup = await rows(
      `SELECT coalesce(sum(dispatches), 0) AS dispatches, coalesce(sum(cost_nano), 0) AS cost_nano, coalesce(sum(calls_priced), 0) AS priced,
         coalesce(sum(calls_free), 0) AS free, coalesce(sum(calls_unpriced), 0) AS unpriced, coalesce(sum(input_tokens), 0) AS input_tokens
       FROM ${rollup} WHERE workspace_id = $1`,
      [workspaceId],
    );
    expect(fromRollup).toEqual(fromRows);
  }
}

describe("a record", () => {
  test("is there when its promise settles, in every table it belongs to", async () => {
    const owner = await rig.addOwner();
    const record = call(owner, '{"session_id":"s","model_id":"m","cost":0.1,"usage":{"input_tokens":5}}');
    expect(await rig.recorder.record(record, false)).toEqual({ kind: "stored" });
    const tables = ["dispatch", "llm_call", "session", "rollup_minute", "rollup_hour", "rollup_day", "chain_batch"];
    for (const table of tables) expect([table, await countOf(owner, table)]).toEqual([table, 1]);
    const [stored] = await rows<{ input: string; id: string }>(
      "SELECT id, input FROM dispatch WHERE workspace_id = $1",
      [owner.workspaceId],
    );
    expect(stored).toEqual({ id: record.id, input: record.inputText });
  });

  test("that is large shares no batch with other large ones: each batch is one turn of the loop that serves gates", async () => {
    const owner = await rig.addOwner();
    const batches: number[] = [];
    const committed = (records: number) => void batches.push(records);
    const recorder = createRecorder(rig.db.database.pool, rig.bus, createLog("silent"), { committed });
    const records = (count: number, bytes: number) =>
      Array.from({ length: count }, (_, n) => recordOf(owner, "pre_tool_use", `{"a":"${n}${"x".repeat(bytes)}"}`));
    // The first goes alone: it is under way before the others arrive.
    const all = [...records(6, 400 * 1024), ...records(2, 2 * 1024 * 1024), ...records(50, 100)];
    await Promise.all(all.map((record) => recorder.record(record, false)));
    expect(batches).toEqual([1, 2, 2, 1, 1, 1, 50]);
    expect(await countOf(owner)).toBe(all.length);
  });

  test("of a month that nobody recorded in before makes its partition, also beside a bad one", async () => {
    const owner = await rig.addOwner();
    const months = [
      "2025-12-31T23:59:59.999Z",
      "2026-01-01T00:00:00.000Z",
      "2026-02-28T12:00:00Z",
      "2031-07-01T00:00:00Z",
    ];
    await Promise.all(
      months.map((text) => rig.recorder.record(call(owner, "{}", { occurredAt: new Date(text) }), false)),
    );
    const found = await rows<{ name: string }>(
      "SELECT tableoid::regclass::text AS name FROM dispatch WHERE workspace_id = $1 ORDER BY occurred_at",
      [owner.workspaceId],
    );
    expect(found.map(({ name }) => name)).toEqual([
      "dispatch_2025_12",
      "dispatch_2026_01",
      "dispatch_2026_02",
      "dispatch_2031_07",
    ]);
    const far = call(owner, "{}", { occurredAt: new Date("+020000-01-01T00:00:00Z") });
    const near = call(owner, "{}", { occurredAt: new Date("2032-07-01T00:00:00Z") });
    const settled = await Promise.allSettled([far, near].map((record) => rig.recorder.record(record, false)));
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  test("that PostgreSQL refuses does not deny its neighbours, and says so itself", async () => {
    const owner = await rig.addOwner();
    const stranger = { workspaceId: owner.workspaceId, agentId: "not a uuid" };
    const records = Array.from({ length: 40 }, (_, n) =>
      call(n === 17 ? stranger : owner, `{"session_id":"s","cost":${n}}`),
    );
    const settled = await Promise.allSettled(records.map((record) => rig.recorder.record(record, false)));
    expect(settled.flatMap((one, n) => (one.status === "rejected" ? [[n, one.reason.code]] : []))).toEqual([
      [17, "unrecorded"],
    ]);
    expect(await countOf(owner)).toBe(39);
    await expectSumsToEqualRows(owner);
  });

  test("with the longest names, the largest numbers and the strangest texts is stored", async () => {
    const owner = await rig.addOwner();
    const noise = Array.from({ length: 400 }, (_, n) => createHash("sha256").update(String(n)).digest("base64")).join(
      "\u0000\ud800",
    );
    const input = {
      session_id: noise,
      parent_session_id: noise,
      model_id: noise,
      agent_name: noise,
      tool_name: noise,
      tool_use_id: noise,
      reason: noise,
      approval_decision: noise,
    };
    for (const event of [
      "after_llm_call",
      "on_tool_approval_decision",
      "subagent_stop",
      "session_end",
      "after_compaction",
    ])
      await rig.recorder.record(
        recordOf(owner, event, JSON.stringify(input), { agentName: noise, durationUs: 5e12 }),
        true,
      );
    const most = '{"cost":999999.999999999,"usage":{"input_tokens":1000000000000,"output_tokens":1000000000000}}';
    for (let n = 0; n < 200; n += 1) void rig.recorder.record(call(owner, most), false);
    await rig.recorder.flush();
    expect(await countOf(owner)).toBe(205);
    await expectSumsToEqualRows(owner);
  });
});

describe("a delivery", () => {
  const text = '{"session_id":"d","cost":1}';
  test("that comes again, at once or later, is stored once and answered as the first", async () => {
    const owner = await rig.addOwner();
    const make = () =>
      call(owner, text, { delivery: deliveryOf("again", text), answer: { decision: "block" }, revision: "r1" });
    const first = make();
    const together = await Promise.all([first, make(), make()].map((record) => rig.recorder.record(record, false)));
    const later = await rig.recorder.record({ ...make(), answer: { decision: "other" } }, false);
    const answer = { answer: '{"decision":"block"}', sealedAnswer: null };
    const repeated = { kind: "repeated", dispatchId: first.id, ...answer, revision: "r1" };
    expect([...together, later]).toEqual([{ kind: "stored" }, repeated, repeated, repeated]);
    expect(await countOf(owner)).toBe(1);
    await expectSumsToEqualRows(owner);
  });

  test("under a used name with another body is told apart, and changes nothing", async () => {
    const owner = await rig.addOwner();
    const named = (body: string) => call(owner, body, { delivery: deliveryOf("name", body) });
    expect(await rig.recorder.record(named(text), false)).toEqual({ kind: "stored" });
    expect(await rig.recorder.record(named('{"cost":2}'), false)).toEqual({ kind: "mismatched" });
    expect(await countOf(owner)).toBe(1);
  });

  test("of another agent may carry the same name", async () => {
    const owner = await rig.addOwner();
    const other = await rig.addOwner(owner.workspaceId);
    for (const who of [owner, other])
      expect(await rig.recorder.record(call(who, text, { delivery: deliveryOf("name", text) }), false)).toEqual({
        kind: "stored",
      });
    expect(await countOf(owner)).toBe(2);
  });
});

describe("sums", () => {
  test("equal the sums of rows, however records arrive", async () => {
    const one = fc.record({
      event: fc.constantFrom("after_llm_call", "stop", "after_compaction"),
      cost: fc.option(fc.constantFrom("0", "1e-9", "0.125", "4e-10"), { nil: null }),
      name: fc.option(fc.integer({ min: 0, max: 5 }), { nil: null }),
      minute: fc.integer({ min: 0, max: 130 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 40 }), fc.boolean(), async (given, isTogether) => {
        const owner = await rig.addOwner();
        const send = ({ event, cost, name, minute }: (typeof given)[number]) => {
          const text = `{"session_id":"s","model_id":"m","usage":{"input_tokens":7}${cost === null ? "" : `,"cost":${cost}`}}`;
          const occurredAt = new Date(Date.parse("2026-06-30T22:45:00Z") + minute * 60_000);
          const delivery = name === null ? null : deliveryOf(String(name), text);
          return rig.recorder.record(recordOf(owner, event, text, { occurredAt, delivery }), false);
        };
        if (isTogether) await Promise.all(given.map(send));
        else for (const each of given) await send(each);
        await expectSumsToEqualRows(owner);
      }),
      { numRuns: repetitions(8, 125) },
    );
  });

  test("have a column for everything that is counted", async () => {
    const found = await rows<{ name: string }>(
      "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'rollup_hour' AND data_type = 'bigint'",
    );
    expect(found.map(({ name }) => name).sort()).toEqual([...ROLLUP_COUNTS].sort());
  });
});

describe("the audit chain", () => {
  test("grows by one entry a batch and workspace, each hash made of the one before", async () => {
    const owner = await rig.addOwner();
    const other = await rig.addOwner();
    for (let round = 0; round < 5; round += 1)
      await Promise.all([owner, other, owner].map((who) => rig.recorder.record(call(who, "{}"), false)));
    const stored = await rows<StoredRow>(
      `SELECT ${STORED_ENTRY_COLUMNS} FROM chain_entry WHERE workspace_id = $1 ORDER BY chain_entry.seq`,
      [owner.workspaceId],
    );
    const entries = stored.map(toChainedEntry);
    let previous = FIRST_HASH;
    for (const [index, entry] of entries.entries()) {
      expect(entry.seq).toBe(index + 1);
      expect(entryHashOf(entry, previous)).toBe(entry.hash);
      previous = entry.hash;
    }
    const counted = entries.reduce((sum, { body }) => sum + (JSON.parse(body) as { count: number }).count, 0); // our own entries
    expect(counted).toBe(10);
    const [head] = await rows<{ hash: Buffer }>("SELECT hash FROM audit_head WHERE workspace_id = $1", [
      owner.workspaceId,
    ]);
    expect(head?.hash.toString("hex")).toBe(previous);
  });

  test("is continuous when two recorders write at once", async () => {
    const owner = await rig.addOwner();
    const second = createRecorder(rig.db.database.pool, rig.bus, createLog("silent"));
    const both = Array.from({ length: 200 }, (_, n) =>
      (n % 2 === 0 ? rig.recorder : second).record(call(owner, '{"session_id":"s","cost":1}'), false),
    );
    await Promise.all(both);
    const seqs = await rows<{ seq: string }>("SELECT seq FROM chain_entry WHERE workspace_id = $1 ORDER BY seq", [
      owner.workspaceId,
    ]);
    expect(seqs.map(({ seq }) => Number(seq))).toEqual(seqs.map((_, index) => index + 1));
    expect(await countOf(owner)).toBe(200);
    await expectSumsToEqualRows(owner);
  });
});

describe("what was acknowledged is there", () => {
  test("after kill -9 of the process that recorded it, once, with sums that fit", async () => {
    const owner = await rig.addOwner();
    const script = await fixtureProgram("record-until-killed");
    const child = spawn(process.execPath, [script, rig.db.url, owner.workspaceId, owner.agentId], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    const acknowledged: string[] = [];
    for await (const id of createInterface({ input: child.stdout })) {
      acknowledged.push(id);
      if (acknowledged.length === 500) child.kill("SIGKILL");
    }
    await ended;
    const whole = acknowledged.filter((id) => id.length === 36);
    const found = await rows<{ id: string }>(
      "SELECT id FROM dispatch WHERE workspace_id = $1 AND id = ANY($2::uuid[])",
      [owner.workspaceId, whole],
    );
    expect(found.length).toBe(new Set(whole).size);
    expect(whole.length).toBeGreaterThanOrEqual(500);
    await expectSumsToEqualRows(owner);
  });

  test("when connections die in the middle: each record is stored or refused, never half of it", async () => {
    const owner = await rig.addOwner();
    const send = (n: number) => rig.recorder.record(call(owner, `{"session_id":"${n % 7}","cost":0.5}`), false);
    const settled: PromiseSettledResult<unknown>[] = [];
    for (let round = 0; round < 10; round += 1) {
      const under = Promise.allSettled(Array.from({ length: 60 }, (_, n) => send(n)));
      await rows(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'quarterdeck'",
      );
      settled.push(...(await under));
    }
    const stored = settled.filter(({ status }) => status === "fulfilled").length;
    expect(await countOf(owner)).toBeGreaterThanOrEqual(stored);
    const reasons = new Set(
      settled.flatMap((one) => (one.status === "rejected" ? [`${one.reason.code}: ${one.reason.detail}`] : [])),
    );
    expect([...reasons].filter((reason) => !reason.startsWith("database_away"))).toEqual([]);
    await expectSumsToEqualRows(owner);
    expect(await send(0)).toEqual({ kind: "stored" });
  });

  test("and too much at once is refused in words, then taken again", async () => {
    const owner = await rig.addOwner();
    const settled = await Promise.allSettled(
      Array.from({ length: 9_000 }, () => rig.recorder.record(call(owner, "{}"), false)),
    );
    const refused = settled.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    expect(new Set(refused)).toEqual(new Set(["busy"]));
    expect(await countOf(owner)).toBe(9_000 - refused.length);
    expect(rig.recorder.waiting).toBe(0);
    expect(await rig.recorder.record(call(owner, "{}"), false)).toEqual({ kind: "stored" });
  });

  test("and what looks back waits behind what decides", async () => {
    const owner = await rig.addOwner();
    const order: string[] = [];
    const recorder = createRecorder(rig.db.database.pool, rig.bus, createLog("silent"));
    const put = async (of: "report" | "gate") => {
      await recorder.record(call(owner, "{}"), false, of);
      order.push(of);
    };
    // The first leaves at once, alone; the others collect behind it, more than one batch holds.
    const reports = Array.from({ length: 600 }, () => put("report"));
    await Promise.all([...reports, put("gate")]);
    expect(order.indexOf("gate")).toBe(1);
  });
});
