import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { admitted } from "../../e2e/fixtures/script.ts";
import * as agents from "../agents/index.ts";

/** Without a lane, each gate of a call is asked; whole-call.test.ts has that. */
const GATE = "/api/v1/hooks/pre_tool_use";
const DEFAULT_LANE = `${GATE}?lane=default`;
const POLICY = `
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - type: command
          command: |
            if grep -q 'rm -rf'; then echo "no rm -rf here" >&2; exit 2; fi
    - matcher: ask_first
      hooks:
        - type: command
          command: |
            echo '{"hook_specific_output":{"permission_decision":"ask","permission_decision_reason":"a person decides"}}'
    - matcher: rewrite
      hooks:
        - type: command
          command: |
            echo '{"hook_specific_output":{"updated_input":{"cmd":"ls -la"}}}'
    - matcher: crash
      hooks: [{ type: command, command: "exit 1" }]
    - matcher: slow
      hooks: [{ type: command, command: "sleep 30", timeout: 60 }]
    - matcher: preempt
      preempt_yolo: true
      hooks: [{ type: command, command: "echo never >&2; exit 2" }]
  turn_start:
    - type: command
      command: echo remember the tests
`;

let db: TestDatabase;
let server: TestGateway;
let key: string;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("tester");
  await server.publish(POLICY);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

interface Stored {
  readonly id: string;
  readonly event: string;
  readonly lane: string;
  readonly verdict: string;
  readonly answer: string;
  readonly revision: string;
  readonly hooks: string;
}

function post(path: string, input: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) {
  return fetch(server.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(input),
    ...(signal ? { signal } : {}),
  });
}

async function storedAs(response: Response): Promise<Stored | undefined> {
  const id = response.headers.get("quarterdeck-dispatch-id");
  const { rows } = await db.database.pool.query<Stored>("SELECT * FROM dispatch WHERE id = $1", [id]);
  return rows[0];
}

async function count(): Promise<number> {
  const { rows } = await db.database.pool.query<{ n: number }>("SELECT count(*)::int AS n FROM dispatch");
  return rows[0]?.n ?? -1;
}

const block = (reason: string) => ({ decision: "block", reason });

const ANSWERS: [title: string, path: string, input: object, verdict: string, answer: object][] = [
  ["nobody concerned", GATE, { session_id: "s", tool_name: "read_file" }, "none", {}],
  ["a harmless call", GATE, { session_id: "s", tool_name: "shell", tool_input: { cmd: "ls" } }, "none", {}],
  [
    "a refusal",
    GATE,
    { session_id: "s", tool_name: "shell", tool_input: { cmd: "rm -rf /" } },
    "deny",
    block("no rm -rf here"),
  ],
  [
    "a question",
    GATE,
    { session_id: "s", tool_name: "ask_first" },
    "ask",
    {
      hook_specific_output: {
        hook_event_name: "pre_tool_use",
        permission_decision: "ask",
        permission_decision_reason: "a person decides",
      },
    },
  ],
  [
    "other arguments",
    GATE,
    { session_id: "s", tool_name: "rewrite" },
    "none",
    { hook_specific_output: { hook_event_name: "pre_tool_use", updated_input: { cmd: "ls -la" } } },
  ],
  ["the preempt lane", `${GATE}?lane=preempt_yolo`, { session_id: "s", tool_name: "preempt" }, "deny", block("never")],
  ["the default lane of that tool", DEFAULT_LANE, { session_id: "s", tool_name: "preempt" }, "none", {}],
  [
    "context",
    "/api/v1/hooks/turn_start",
    {},
    "none",
    { hook_specific_output: { hook_event_name: "turn_start", additional_context: "remember the tests" } },
  ],
  [
    "an event of the newer profile only",
    "/api/v1/hooks/tool_guard",
    { session_id: "s", tool_name: "shell" },
    "none",
    {},
  ],
];

describe("POST /api/v1/hooks/{event}", () => {
  it.each(ANSWERS)(
    "answers %s with hook output, stored before it was said",
    async (_title, path, input, verdict, output) => {
      const response = await post(path, input);
      const text = await response.text();
      expect([response.status, JSON.parse(text)]).toEqual([200, output]);
      const stored = await storedAs(response);
      expect(stored).toMatchObject({ verdict, answer: text, revision: response.headers.get("quarterdeck-revision") });
      expect(stored?.lane).toBe(path.includes("preempt") ? "preempt_yolo" : "default");
    },
  );

  it("shows on the record every hook that ran and how it ended", async () => {
    const response = await post(GATE, { session_id: "s", tool_name: "shell", tool_input: { cmd: "rm -rf /" } });
    const stored = await storedAs(response);
    expect(JSON.parse(stored?.hooks ?? "[]")).toMatchObject([
      { policy: "policy", revision: 1, type: "command", outcome: "refused", said: "block", exitCode: 2 },
    ]);
  });

  it("ends a hook when the client goes away, and still records what happened", async () => {
    const leave = new AbortController();
    const before = await count();
    const gone = post(DEFAULT_LANE, { session_id: "s", tool_name: "slow" }, {}, leave.signal);
    await expect.poll(() => server.running.spawner.load.running, { interval: 20, timeout: 10_000 }).toBe(1);
    leave.abort();
    await expect(gone).rejects.toThrow();
    await expect.poll(() => server.running.spawner.load.running, { interval: 20, timeout: 10_000 }).toBe(0);
    await expect.poll(count, { interval: 20, timeout: 10_000 }).toBe(before + 1);
  });
});

describe("an Idempotency-Key", () => {
  it("gets the recorded answer again, runs nothing and stores nothing", async () => {
    const name = { "idempotency-key": "call-1" };
    const input = { session_id: "s", tool_name: "shell", tool_input: { cmd: "rm -rf /tmp/x" } };
    const first = await post(GATE, input, name);
    const answer = await first.text();
    const before = await count();
    const again = await post(GATE, input, name);
    expect([again.status, await again.text()]).toEqual([200, answer]);
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    for (const header of ["quarterdeck-dispatch-id", "quarterdeck-revision"])
      expect(again.headers.get(header)).toBe(first.headers.get(header));
    expect(await count()).toBe(before);
  });

  it("keeps its answer when the policy has changed since", async () => {
    const name = { "idempotency-key": "call-before" };
    const first = await post(GATE, { session_id: "s", tool_name: "ask_first" }, name);
    await server.publish("hooks:\n  pre_tool_use:\n    - hooks: [{ type: command, command: exit 2 }]\n", "later");
    try {
      const again = await post(GATE, { session_id: "s", tool_name: "ask_first" }, name);
      expect(await again.text()).toBe(await first.text());
    } finally {
      await server.publish("hooks: {}", "later");
    }
  });

  it("used twenty times at once runs the hooks once", async () => {
    const before = await count();
    const all = await Promise.all(
      Array.from({ length: 20 }, () =>
        post(DEFAULT_LANE, { session_id: "s", tool_name: "ask_first" }, { "idempotency-key": "at once" }),
      ),
    );
    expect(new Set(all.map((response) => response.headers.get("quarterdeck-dispatch-id"))).size).toBe(1);
    expect(new Set(await Promise.all(all.map((response) => response.text()))).size).toBe(1);
    expect(all.filter((response) => response.headers.get("idempotency-replayed") === null)).toHaveLength(1);
    expect(await count()).toBe(before + 1);
  });

  it("used at two gateways at once has one answer, and one record of each gate", async () => {
    const other = await testGateway(db.url);
    try {
      const before = await count();
      const body = JSON.stringify({ session_id: "s", tool_name: "ask_first" });
      const headers = {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": "at both",
      };
      const all = await Promise.all(
        [server, other, server, other].map(({ url }) => fetch(`${url}${GATE}`, { method: "POST", headers, body })),
      );
      expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(all.map((response) => response.headers.get("quarterdeck-dispatch-id"))).size).toBe(1);
      expect(new Set(await Promise.all(all.map((response) => response.text()))).size).toBe(1);
      expect(await count()).toBe(before + 2);
    } finally {
      await other.stop();
    }
  });

  it("used for something else is refused, and the first answer stands", async () => {
    const name = { "idempotency-key": "one thing" };
    const first = await post(GATE, { session_id: "s", tool_name: "a" }, name);
    const others: [string, object][] = [
      [GATE, { session_id: "s", tool_name: "b" }],
      [`${GATE}?lane=preempt_yolo`, { session_id: "s", tool_name: "a" }],
      ["/api/v1/hooks/stop", { session_id: "s", tool_name: "a" }],
    ];
    for (const [path, input] of others) {
      const other = await post(path, input, name);
      expect([other.status, (await other.json()).error.code]).toEqual([409, "idempotency_mismatch"]);
    }
    const again = await post(GATE, { session_id: "s", tool_name: "a" }, name);
    expect(again.headers.get("quarterdeck-dispatch-id")).toBe(first.headers.get("quarterdeck-dispatch-id"));
  });

  it.each([
    ["a hook decides about", "shell", "rm -rf /tmp/x", { decision: "block", reason: "no rm -rf here" }],
    ["no hook is about", "read_file", "a", {}],
  ])("of a report answers no question about a call that %s", async (_name, tool_name, cmd, own) => {
    const name = randomUUID();
    const input = { session_id: "s", tool_name, tool_input: { cmd } };
    const reported = await post("/api/v1/events", [{ event_id: name, event: "pre_tool_use", input }]);
    expect(await reported.json()).toMatchObject({ stored: 1 });
    for (const path of [GATE, DEFAULT_LANE]) {
      const asked = await post(path, input, { "idempotency-key": name });
      expect([asked.status, (await asked.json()).error.code], path).toEqual([409, "idempotency_mismatch"]);
    }
    expect(await (await post(GATE, input, { "idempotency-key": randomUUID() })).json()).toEqual(own);
  });

  it("of a question is a repeat for a report: an executor reports what it asked and heard no answer to", async () => {
    const name = randomUUID();
    const input = { session_id: "s", tool_name: "shell", tool_input: { cmd: "rm -rf /tmp/y" } };
    const asked = await post(DEFAULT_LANE, input, { "idempotency-key": name });
    const before = await count();
    const reported = await post("/api/v1/events", [{ event_id: name, event: "pre_tool_use", input }]);
    expect(await reported.json()).toMatchObject({ stored: 0, repeated: 1, refused: 0 });
    expect(await count()).toBe(before);
    const again = await post(DEFAULT_LANE, input, { "idempotency-key": name });
    expect(await again.json()).toEqual(await asked.json());
  });

  it("belongs to its agent: another agent's is another delivery", async () => {
    const name = { "idempotency-key": "shared" };
    const first = await post(GATE, { session_id: "s", tool_name: "a" }, name);
    const other = await post(
      GATE,
      { session_id: "s", tool_name: "b" },
      { ...name, authorization: `Bearer ${await server.agent("other")}` },
    );
    expect([first.status, other.status]).toEqual([200, 200]);
  });
});

describe("a key", () => {
  it("that is revoked is refused at once", async () => {
    const { bus } = server.running.app;
    const created = await agents.create(server.database, bus, server.admin, { name: "short-lived" });
    const header = { authorization: `Bearer ${created.key}` };
    const call = { session_id: "s", tool_name: "shell" };
    expect((await post(GATE, call, header)).status).toBe(200);
    await agents.revokeKey(server.database, bus, server.admin, created);
    const refused = await post(GATE, call, header);
    expect([refused.status, (await refused.json()).error.code]).toEqual([401, "key_revoked"]);
    expect(refused.headers.get("www-authenticate")).toBe("Bearer");
  });
});

describe("POST /api/v1/events", () => {
  let next = 0;
  const eventId = () => `11111111-1111-4111-8111-${(next++).toString(16).padStart(12, "0")}`;
  const event = (more: object = {}) => ({ event_id: eventId(), event: "stop", input: { session_id: "r" }, ...more });
  const report = (events: unknown) => admitted(() => post("/api/v1/events", events));
  const lines = (texts: readonly string[], type = "application/x-ndjson") =>
    admitted(() =>
      fetch(`${server.url}/api/v1/events`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": type },
        body: texts.join("\n"),
      }),
    );

  it("stores every event once, whatever is reported again", async () => {
    const events = [event(), event({ event: "turn_end" })];
    const before = await count();
    const first = await report(events);
    expect([first.status, await first.json()]).toEqual([
      200,
      {
        stored: 2,
        repeated: 0,
        refused: 0,
        results: events.map(({ event_id }, index) => ({ index, event_id, status: "stored" })),
      },
    ]);
    const again = await report(events);
    expect([again.status, await again.json()]).toMatchObject([200, { stored: 0, repeated: 2, refused: 0 }]);
    expect(await count()).toBe(before + 2);
  });

  it("takes 1,000 events in a handful of transactions", async () => {
    const before = await server.metrics.text();
    const batches = (text: string) => Number(/quarterdeck_batch_records_count (\d+)/.exec(text)?.[1]);
    const response = await report(Array.from({ length: 1_000 }, () => event()));
    expect(await response.json()).toMatchObject({ stored: 1_000 });
    expect(batches(await server.metrics.text()) - batches(before)).toBeLessThan(10);
  });

  it("takes lines as well, with blank ones and carriage returns between", async () => {
    const response = await lines([JSON.stringify(event()), "", `${JSON.stringify(event())}\r`, ""]);
    expect([response.status, await response.json()]).toMatchObject([200, { stored: 2, refused: 0 }]);
  });

  it("refuses a bad line alone, and says which and why", async () => {
    const taken = event();
    const known = await report([taken]);
    expect(known.status).toBe(200);
    const deep = `{"event_id":"${eventId()}","event":"stop","input":{"x":${"[".repeat(64)}${"]".repeat(64)}}}`;
    const response = await lines([
      JSON.stringify(event()),
      "{oops",
      JSON.stringify(event({ event: "stopp" })),
      JSON.stringify(event({ event_id: "not a uuid" })),
      JSON.stringify(event({ input: { tool_name: 5 } })),
      JSON.stringify(event({ input: undefined })),
      JSON.stringify(event({ occurred_at: "yesterday" })),
      JSON.stringify(event({ occurred_at: "2001-01-01T00:00:00Z" })),
      JSON.stringify(event({ occurred_at: new Date(Date.now() + 3_600_000).toISOString() })),
      JSON.stringify(event({ event: "after_llm_call", input: { session_id: "s", cost: -1 } })),
      JSON.stringify({ ...taken, input: { session_id: "another" } }),
      deep,
      "[]",
      JSON.stringify(event()),
    ]);
    const view = await response.json();
    expect([response.status, view.stored, view.repeated, view.refused]).toEqual([207, 2, 0, 12]);
    const errors = view.results.map((result: { error?: { code: string; pointer?: string } }) =>
      result.error ? [result.error.code, result.error.pointer] : null,
    );
    expect(errors).toEqual([
      null,
      ["not_json", undefined],
      ["unknown_event", "/event"],
      ["invalid_input", "/event_id"],
      ["invalid_input", "/input/tool_name"],
      ["invalid_input", "/input"],
      ["invalid_input", "/occurred_at"],
      ["invalid_input", "/occurred_at"],
      ["invalid_input", "/occurred_at"],
      ["invalid_input", "/input/cost"],
      ["idempotency_mismatch", undefined],
      ["too_deep", undefined],
      ["invalid_input", ""],
      null,
    ]);
  });

  it("of nothing but bad lines is a 400 that names each", async () => {
    const response = await report([{}, 7]);
    const body = await response.json();
    expect([response.status, body.error.code, body.refused, body.results.length]).toEqual([400, "invalid_input", 2, 2]);
  });

  it.each(["application/x-ndjson", "application/json"])(
    "of %s with one event that is no UTF-8 refuses that event only",
    async (type) => {
      const events = [event({ input: { session_id: "für" } }), event({ input: { session_id: "BAD" } }), event()];
      const isLines = type !== "application/json";
      const text = isLines ? events.map((one) => JSON.stringify(one)).join("\n") : JSON.stringify(events);
      const bytes = Buffer.from(text);
      bytes.set([0xff, 0xfe, 0xa0], bytes.indexOf("BAD"));
      const before = await count();
      const response = await fetch(`${server.url}/api/v1/events`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": type },
        body: bytes,
      });
      const body = await response.json();
      expect([response.status, body.stored, body.refused]).toEqual([207, 2, 1]);
      expect(body.results[1]).toEqual({
        index: 1,
        event_id: null,
        status: "refused",
        error: { code: "not_utf8", message: "This event is not valid UTF-8." },
      });
      expect(await count()).toBe(before + 2);
      const { rows } = await server.database.pool.query("SELECT 1 FROM dispatch WHERE session_id = 'für'");
      expect(rows.length).toBeGreaterThan(0);
    },
  );

  it("of nothing is nothing", async () => {
    const response = await report([]);
    expect([response.status, await response.json()]).toEqual([
      200,
      { stored: 0, repeated: 0, refused: 0, results: [] },
    ]);
  });

  it("keeps the digits of a cost and the text of an input, which no float survives", async () => {
    const id = eventId();
    const input = '{"model_id":"m", "cost": 0.12345678901234567890, "n": 1e400, "session_id":"digits"}';
    const body = `[ {"event_id":"${id}","event":"after_llm_call","input": ${input} } ]`;
    const response = await lines([body], "application/json");
    expect(response.status).toBe(200);
    const { rows } = await server.database.pool.query(
      "SELECT input, cost_usd::text, cost_nano::text FROM dispatch JOIN llm_call ON id = dispatch_id WHERE dispatch.session_id = 'digits'",
    );
    expect(rows).toEqual([{ input, cost_usd: "0.12345678901234567890", cost_nano: "123456789" }]);
  });

  it("reads a cost whose key is spelled with an escape: it is priced all the same", async () => {
    const id = eventId();
    const input = '{"model_id":"m", "co\\u0073t": 0.25, "session_id":"escaped"}';
    const body = `[ {"event_id":"${id}","event":"after_llm_call","input": ${input} } ]`;
    const response = await lines([body], "application/json");
    expect(response.status).toBe(200);
    const { rows } = await server.database.pool.query(
      "SELECT input, cost_usd::text, cost_nano::text FROM dispatch JOIN llm_call ON id = dispatch_id WHERE dispatch.session_id = 'escaped'",
    );
    expect(rows).toEqual([{ input, cost_usd: "0.25", cost_nano: "250000000" }]);
  });

  it("dates an event when it happened, or when it came", async () => {
    const occurred = "2026-11-01T12:00:00.123Z";
    await report([event({ occurred_at: "2026-11-01T14:00:00.123+02:00", input: { session_id: "dated" } })]);
    await report([event({ input: { session_id: "undated" } })]);
    const { rows } = await db.database.pool.query<{ occurred_at: Date; received_at: Date; session_id: string }>(
      "SELECT session_id, occurred_at, received_at FROM dispatch WHERE session_id IN ('dated', 'undated') ORDER BY session_id",
    );
    expect(rows[0]?.occurred_at.toISOString()).toBe(occurred);
    expect(Math.abs(Number(rows[1]?.occurred_at) - Number(rows[1]?.received_at))).toBeLessThan(1_000);
  });
});
