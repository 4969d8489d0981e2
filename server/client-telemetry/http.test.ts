/** Telemetry of clients over real HTTP: bytes of the official exporters, and bytes of people who mean no good. */
import { gzipSync } from "node:zlib";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import {
  CLAUDE,
  CODEX,
  claudeRequest,
  emptyRecords,
  exportedBytes,
  exportLogs,
  GEMINI,
  type LoggedEvent,
  type SentBytes,
} from "../../e2e/fixtures/otlp-exports.ts";
import { postTelemetry } from "../../e2e/fixtures/post-telemetry.ts";
import * as agents from "../agents/index.ts";
import * as costs from "../costs/index.ts";
import { callKeyIn } from "../recording/index.ts";
import { decodeMessage } from "./otlp-messages.ts";

let db: TestDatabase;
let server: TestGateway;
let key: string;
let url: string;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("tester");
  url = `${server.url}/api/otlp`;
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

let sessions = 0;
const newSession = (): string => {
  sessions += 1;
  return `session-${sessions}`;
};

const post = (path: string, body: Buffer | string, headers: Record<string, string>) =>
  postTelemetry({ url, key }, path, body, headers);

function resend({ body, headers }: SentBytes): Promise<Response> {
  const { "content-type": type = "", "content-encoding": encoding } = headers;
  return post("logs", body, { "content-type": type, ...(encoding !== undefined && { "content-encoding": encoding }) });
}

const answerOf = async (response: Response, name: Parameters<typeof decodeMessage>[0]) =>
  decodeMessage(name, new Uint8Array(await response.arrayBuffer()));

async function callsOf(session: string) {
  const { rows } = await server.database.pool.query(
    `SELECT model_id, cost_usd::text, input_tokens::int, output_tokens::int, cached_input_tokens::int, cached_write_tokens::int,
       reasoning_tokens::int FROM llm_call WHERE session_id = $1 ORDER BY occurred_at, dispatch_id`,
    [session],
  );
  return rows;
}

async function storedOf(session: string) {
  const { rows } = await server.database.pool.query<{
    id: string;
    at: Date;
    input: string;
    facts: string;
    origin: string;
  }>(
    "SELECT id, occurred_at AS at, input, facts, origin FROM dispatch WHERE session_id = $1 ORDER BY received_at, id",
    [session],
  );
  return rows;
}

describe("a request that a client exports", () => {
  it("comes into the ledger as it was sent, from each client and in each encoding", async () => {
    const [claude, codex, gemini] = [newSession(), newSession(), newSession()];
    expect(await exportLogs({ url, key, isCompressed: true }, CLAUDE, [claudeRequest(claude)])).toBe(true);
    // The end of a response is said twice, and only once with its tokens.
    const codexEnd = {
      ...{ "event.name": "codex.sse_event", "event.kind": "response.completed", "conversation.id": codex },
      model: "gpt-5-codex",
    };
    const codexTokens = {
      ...{ input_token_count: "1200", cached_token_count: "1000", output_token_count: "80" },
      reasoning_token_count: "64",
    };
    const codexDelta = { ...codexEnd, ...codexTokens, "event.kind": "response.output_text.delta" };
    const codexEvents = [codexDelta, { ...codexEnd, duration_ms: "12" }, { ...codexEnd, ...codexTokens }];
    const sent = codexEvents.map((attributes) => ({ attributes }));
    expect(await exportLogs({ url, key }, CODEX, sent)).toBe(true);
    const geminiDone = {
      ...{ "event.name": "gemini_cli.api_response", "session.id": gemini, model: "gemini-2.5-pro" },
      ...{ input_token_count: 900, cached_content_token_count: 400, output_token_count: 20, thoughts_token_count: 30 },
      tool_token_count: 5,
    };
    expect(await exportLogs({ url, key, format: "json" }, GEMINI, [{ attributes: geminiDone }])).toBe(true);
    expect(await callsOf(claude)).toEqual([
      {
        ...{ model_id: "anthropic/claude-sonnet-4-5", cost_usd: "0.30000000000000004", input_tokens: 12 },
        ...{ output_tokens: 34, cached_input_tokens: 560, cached_write_tokens: 7, reasoning_tokens: null },
      },
    ]);
    expect(await callsOf(codex)).toEqual([
      {
        ...{ model_id: "openai/gpt-5-codex", cost_usd: null, input_tokens: 200, output_tokens: 80 },
        ...{ cached_input_tokens: 1000, cached_write_tokens: null, reasoning_tokens: 64 },
      },
    ]);
    expect(await callsOf(gemini)).toEqual([
      {
        ...{ model_id: "google/gemini-2.5-pro", cost_usd: null, input_tokens: 505, output_tokens: 50 },
        ...{ cached_input_tokens: 400, cached_write_tokens: null, reasoning_tokens: 30 },
      },
    ]);
    // Only the first of them states its version.
    const version = async () => (await db.owner.query("SELECT client_version FROM agent WHERE name = 'tester'")).rows;
    await expect.poll(version, { timeout: 10_000 }).toEqual([{ client_version: CLAUDE.version }]);
  });

  it.each([
    ["more cached than input", { input_token_count: "70", cached_token_count: "71" }, { output_tokens: 9 }],
    ["a cached count that is none", { input_token_count: "70", cached_token_count: "-1" }, { output_tokens: 9 }],
    [
      "a fraction of a token",
      { input_token_count: "70.5", cached_token_count: "20" },
      { output_tokens: 9, cached_input_tokens: 20 },
    ],
    [
      "more reasoning than output",
      { input_token_count: "70", cached_token_count: "20", reasoning_token_count: "10" },
      { input_tokens: 50, cached_input_tokens: 20 },
    ],
  ])("has no count that cannot be believed, nor one made of it: %s", async (_, counts, known) => {
    const session = newSession();
    const named = { "event.name": "codex.sse_event", "event.kind": "response.completed", "conversation.id": session };
    const attributes = { ...named, model: "gpt-5", output_token_count: "9", ...counts };
    expect(await exportLogs({ url, key }, CODEX, [{ attributes }])).toBe(true);
    const unknown = {
      ...{ input_tokens: null, output_tokens: null, reasoning_tokens: null },
      ...{ cached_input_tokens: null, cached_write_tokens: null },
    };
    expect(await callsOf(session)).toEqual([{ model_id: "openai/gpt-5", cost_usd: null, ...unknown, ...known }]);
  });

  it("has no sum with a count that cannot be believed", async () => {
    const session = newSession();
    const named = { "event.name": "gemini_cli.api_response", "session.id": session, model: "gemini-2.5-pro" };
    const counts = { input_token_count: 9, cached_content_token_count: 10, output_token_count: 3 };
    expect(
      await exportLogs({ url, key }, GEMINI, [{ attributes: { ...named, ...counts, thoughts_token_count: -1 } }]),
    ).toBe(true);
    expect(await callsOf(session)).toMatchObject([
      { input_tokens: null, output_tokens: null, cached_input_tokens: null, reasoning_tokens: null },
    ]);
  });

  it("is a row of the log like any report: masked, in the chain, with the mark in its facts and nothing else of the record", async () => {
    const session = newSession();
    const secret = `ghp_${"a1B2".repeat(9)}`;
    await exportLogs({ url, key }, CLAUDE, [claudeRequest(session, { request_id: secret })]);
    const [stored, ...more] = await storedOf(session);
    expect(more).toEqual([]);
    expect(stored?.origin).toBe("report");
    expect(stored?.input).not.toContain(secret);
    expect(stored?.input).not.toContain("a@b.example");
    expect(JSON.parse(stored?.facts ?? "").call).toMatchObject({ cost: "0.30000000000000004", isEstimate: true });
    const entry = { occurredAt: stored?.at ?? new Date(0), id: stored?.id ?? "" };
    const detail = await costs.call(server.database, server.admin.workspaceId, entry);
    expect(detail).toMatchObject({ isClientEstimate: true, usd: "0.30000000000000004", ownPrice: null });
    const { rows } = await server.database.pool.query(
      "SELECT count(*)::int AS n FROM dispatch JOIN chain_batch ON chain_batch.batch = dispatch.batch WHERE dispatch.id = $1",
      [stored?.id],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  it("counts once when it is exported again, in whatever encoding, and also by the id of the request alone", async () => {
    const session = newSession();
    const at = new Date();
    const named = { ...claudeRequest(session, { request_id: "req_1" }), at };
    const sent = await exportedBytes(CLAUDE, [named], { isCompressed: true });
    expect((await resend(sent)).status).toBe(200);
    expect((await resend(sent)).status).toBe(200);
    expect(await exportLogs({ url, key, format: "json" }, CLAUDE, [named])).toBe(true);
    expect(await exportLogs({ url, key }, CLAUDE, [claudeRequest(session, { request_id: "req_1", cost_usd: 9 })])).toBe(
      true,
    );
    const unnamed = { ...claudeRequest(session), at };
    expect(await exportLogs({ url, key }, CLAUDE, [unnamed])).toBe(true);
    expect(await exportLogs({ url, key, format: "json" }, CLAUDE, [unnamed])).toBe(true);
    expect((await callsOf(session)).map(({ cost_usd }) => cost_usd)).toEqual([
      "0.30000000000000004",
      "0.30000000000000004",
    ]);
    expect(await storedOf(session)).toHaveLength(2);
  });

  it("counts once beside a hook that reports it, whichever comes first", async () => {
    const hook = (session: string) =>
      fetch(`${server.url}/api/v1/hooks/after_llm_call`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ session_id: session, request_id: "req_2", model_id: "m", usage: { input_tokens: 1 } }),
      });
    const [first, second] = [newSession(), newSession()];
    expect((await hook(first)).status).toBe(200);
    expect(await exportLogs({ url, key }, CLAUDE, [claudeRequest(first, { request_id: "req_2" })])).toBe(true);
    expect(await exportLogs({ url, key }, CLAUDE, [claudeRequest(second, { request_id: "req_2" })])).toBe(true);
    expect((await hook(second)).status).toBe(200);
    expect((await hook(second)).status).toBe(200);
    expect((await callsOf(first)).map(({ model_id }) => model_id)).toEqual(["m"]);
    expect((await callsOf(second)).map(({ model_id }) => model_id)).toEqual(["anthropic/claude-sonnet-4-5"]);
    // The hook's own events are on record all the same.
    expect(await storedOf(first)).toHaveLength(1);
    expect(await storedOf(second)).toHaveLength(3);
  });

  it("counts where its hook is delivered under the very name of the request", async () => {
    const session = newSession();
    const answer = await fetch(`${server.url}/api/v1/hooks/after_llm_call`, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${key}`, "content-type": "application/json" },
        "idempotency-key": callKeyIn("after_llm_call", { session_id: session, request_id: "req_9" }) ?? "",
      },
      body: JSON.stringify({ session_id: session, request_id: "req_9", model_id: "m", usage: { input_tokens: 1 } }),
    });
    expect(answer.status).toBe(200);
    await expect.poll(() => callsOf(session), { timeout: 20_000 }).toHaveLength(1);
  });

  it("is the only call beside the chunks that Gemini CLI's hook fires for", async () => {
    const session = newSession();
    for (const text of ["I will", " look."]) {
      const payload = {
        session_id: session,
        hook_event_name: "AfterModel",
        llm_request: { model: "g" },
        llm_response: { text },
      };
      const answered = await fetch(`${server.url}/api/v1/hooks/gemini/AfterModel`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(payload),
      });
      expect(answered.status).toBe(200);
    }
    const attributes = {
      "event.name": "gemini_cli.api_response",
      "session.id": session,
      model: "g",
      input_token_count: 3,
    };
    expect(await exportLogs({ url, key }, GEMINI, [{ attributes }])).toBe(true);
    expect(await callsOf(session)).toMatchObject([{ model_id: "google/g", input_tokens: 3, output_tokens: null }]);
    expect(await storedOf(session)).toHaveLength(3);
  });

  it("says unknown for what is missing or no number, never zero", async () => {
    const session = newSession();
    const odd = { cost_usd: "Infinity", input_tokens: -1, output_tokens: "many", cache_read_tokens: 1.5 };
    await exportLogs({ url, key }, CLAUDE, [claudeRequest(session, odd)]);
    expect(await callsOf(session)).toMatchObject([
      { cost_usd: null, input_tokens: null, output_tokens: null, cached_input_tokens: null, cached_write_tokens: 7 },
    ]);
  });
});

describe("an export", () => {
  it("is taken without what nobody asks for, and says how many of its calls cannot be taken", async () => {
    const session = newSession();
    const other: LoggedEvent = {
      body: "claude_code.tool_result",
      attributes: { "event.name": "tool_result", list: ["a", "b"] },
    };
    const old = { ...claudeRequest(session), at: new Date("2001-01-01T00:00:00Z") };
    const many = Object.fromEntries(Array.from({ length: 129 }, (_, at) => [`a${at}`, "x"]));
    const { "session.id": _, ...sessionless } = claudeRequest(session).attributes;
    const events = [other, claudeRequest(session), { body: "claude_code.api_request", attributes: sessionless }, old];
    const sent = await exportedBytes(CLAUDE, [...events, claudeRequest(session, many)]);
    const answer = await resend(sent);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/x-protobuf");
    expect(await answerOf(answer, "logsResponse")).toEqual({
      partialSuccess: {
        rejectedLogRecords: "3",
        errorMessage: "claude_code.api_request: the record names no session.",
      },
    });
    expect(await callsOf(session)).toHaveLength(1);
    const empty = await post("logs", "{}", { "content-type": "application/json" });
    expect([empty.status, await empty.json()]).toEqual([200, {}]);
  });

  it("of metrics is accepted and not stored", async () => {
    const headers = { Authorization: `Bearer ${key}` };
    const exporter = new OTLPMetricExporter({ url: `${url}/v1/metrics`, headers });
    const metrics = { resource: resourceFromAttributes({ "service.name": "claude-code" }), scopeMetrics: [] };
    const code = await new Promise((resolve) => exporter.export(metrics, (result) => resolve(result.code)));
    await exporter.shutdown();
    expect(code).toBe(0);
    const protobuf = await post("metrics", Buffer.from([0xff]), { "content-type": "application/x-protobuf" });
    expect([protobuf.status, protobuf.headers.get("content-type")]).toEqual([200, "application/x-protobuf"]);
    expect((await protobuf.arrayBuffer()).byteLength).toBe(0);
    const json = await post("metrics", gzipSync("{}"), {
      ...{ "content-type": "application/json", "content-encoding": "gzip" },
    });
    expect([json.status, await json.json()]).toEqual([200, {}]);
    const other = await post("metrics", "{}", { "content-type": "text/plain" });
    expect(other.status).toBe(415);
  });

  it("that inflates to more than a body may have is refused before it is held", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(128 * 1024);
    const answer = await post("logs", bomb, { "content-type": "application/x-protobuf", "content-encoding": "gzip" });
    expect(answer.status).toBe(413);
    expect(await answerOf(answer, "status")).toMatchObject({ code: 3 });
  });

  it.each([
    ["no gzip, though it says so", Buffer.from("plain"), "application/x-protobuf", "gzip", 400],
    ["another encoding", Buffer.from(""), "application/x-protobuf", "br", 415],
    ["another type", Buffer.from("{}"), "text/plain", "identity", 415],
    ["bytes that are no message", Buffer.from([0xff, 0xff, 0xff]), "application/x-protobuf", "identity", 400],
    ["groups within groups", Buffer.alloc(1_000_000, 0x7b), "application/x-protobuf", "identity", 400],
    ["JSON that is none", Buffer.from("{"), "application/json", "identity", 400],
    [
      "a crowd of attributes that every record shares",
      Buffer.from(
        JSON.stringify({ resourceLogs: [{ resource: { attributes: Array.from({ length: 129 }, () => ({})) } }] }),
      ),
      "application/json",
      "identity",
      400,
    ],
    ["JSON of another shape", Buffer.from('{"resourceLogs":7}'), "application/json", "identity", 400],
    ["JSON that nests too deep", Buffer.from("[".repeat(100_000)), "application/json", "identity", 400],
    ["more records than an SDK's queue holds", emptyRecords(2_049), "application/x-protobuf", "identity", 413],
    ["a crowd of empty records", emptyRecords(200_000), "application/x-protobuf", "identity", 413],
    ["more bytes than a body may have", Buffer.alloc(4 * 1024 * 1024 + 1), "application/x-protobuf", "identity", 413],
  ])(
    "of %s is refused for good",
    async (_, body, type, encoding, status) => {
      const answer = await post("logs", body, { "content-type": type, "content-encoding": encoding });
      expect(answer.status).toBe(status);
      expect(answer.headers.get("retry-after")).toBeNull();
    },
    30_000,
  );

  it("needs the key of an agent that may report, and goes to nobody else", async () => {
    const session = newSession();
    const { body, headers } = await exportedBytes(CLAUDE, [claudeRequest(session)]);
    const type = { "content-type": headers["content-type"] ?? "" };
    const { app } = server.running;
    const { agentId } = await agents.create(server.database, app.bus, server.admin, { name: "reader" });
    const { key: reader } = await agents.createKey(server.database, app.bus, server.admin, {
      agentId,
      scopes: ["policy"],
    });
    expect((await post("logs", body, { ...type, authorization: `Bearer ${reader}` })).status).toBe(403);
    expect((await post("logs", body, { ...type, authorization: `Bearer qd_${"x".repeat(43)}` })).status).toBe(401);
    expect((await post("logs", body, { ...type, authorization: `Bearer ${server.secrets.adminToken}` })).status).toBe(
      401,
    );
    expect((await fetch(`${url}/v1/logs`, { method: "POST", body: new Uint8Array(body) })).status).toBe(401);
    expect((await fetch(`${url}/v1/logs`)).status).toBe(405);
    expect((await post("traces", body, type)).status).toBe(404);
    expect(await storedOf(session)).toEqual([]);
    // Another agent's request of the same session and id is its own.
    const other = await server.agent("other");
    const named = claudeRequest(session, { request_id: "req_3" });
    expect(await exportLogs({ url, key: other }, CLAUDE, [named])).toBe(true);
    expect(await exportLogs({ url, key }, CLAUDE, [named])).toBe(true);
    const { rows } = await server.database.pool.query(
      "SELECT DISTINCT agent_name FROM llm_call WHERE session_id = $1",
      [session],
    );
    expect(rows.map(({ agent_name }) => agent_name).sort()).toEqual(["other", "tester"]);
  });
});
