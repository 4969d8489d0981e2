import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type RawConnection, rawConnection } from "../../e2e/fixtures/raw-http.ts";

const MIB = 1024 * 1024;
const LIMIT = 4 * MIB;
const STOP = "/api/v1/hooks/stop";
const GATE = "/api/v1/hooks/pre_tool_use";
const EVENTS = "/api/v1/events";

let db: TestDatabase;
let server: TestGateway;
let key: string;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("tester");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly body?: string | Uint8Array | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send({ method = "POST", path = STOP, body = "{}", headers = {} }: Sent): Promise<Response> {
  const own = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const hasBody = method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
  return fetch(server.url + path, {
    method,
    headers: { ...own, ...headers },
    ...(hasBody ? { body: body as BodyInit } : {}), // a Uint8Array is a body; the types disagree about its buffer
  });
}

async function stored(): Promise<number> {
  const { rows } = await db.database.pool.query<{ n: number }>("SELECT count(*)::int AS n FROM dispatch");
  return rows[0]?.n ?? -1;
}

async function servesTheNextRequest(): Promise<void> {
  const next = await send({ body: '{"session_id":"next"}' });
  expect([next.status, await next.text()]).toEqual([200, "{}"]);
}

function event(index: number): object {
  const id = index.toString(16).padStart(12, "0");
  return { event_id: `00000000-0000-4000-8000-${id}`, event: "stop", input: {} };
}

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const withKeys = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 0])));

type Refused = [title: string, sent: Sent, status: number, code: string, pointer?: string];
const REFUSED: Refused[] = [
  ["text that is not JSON", { body: "{oops" }, 400, "not_json"],
  ["an empty body", { body: "" }, 400, "not_json"],
  ["blanks for a body", { body: " \n" }, 400, "not_json"],
  ["JSON with a tail", { body: "{} {}" }, 400, "not_json"],
  ["an array for an input", { body: "[]" }, 400, "invalid_input", ""],
  ["null for an input", { body: "null" }, 400, "invalid_input", ""],
  ["a number for a tool name", { path: GATE, body: '{"tool_name":5}' }, 400, "invalid_input", "/tool_name"],
  ["a list for tool arguments", { path: GATE, body: '{"tool_input":[]}' }, 400, "invalid_input", "/tool_input"],
  ["a wrong type far inside", { body: '{"usage":{"input_tokens":"9"}}' }, 400, "invalid_input", "/usage/input_tokens"],
  ["a wrong message among right ones", { body: '{"messages":[{},7]}' }, 400, "invalid_input", "/messages/1"],
  [
    "a negative cost",
    { path: "/api/v1/hooks/after_llm_call", body: '{"session_id":"s","cost":-1}' },
    400,
    "invalid_input",
    "/cost",
  ],
  ["a tool event without a tool", { path: GATE, body: '{"session_id":"s"}' }, 400, "invalid_input", "/tool_name"],
  [
    "a tool's name that nobody could read",
    { path: GATE, body: `{"session_id":"s","tool_name":"${"x".repeat(513)}"}` },
    400,
    "invalid_input",
    "/tool_name",
  ],
  ["a tool event without a session", { path: GATE, body: '{"tool_name":"t"}' }, 400, "invalid_input", "/session_id"],
  [
    "a model event without a session",
    { path: "/api/v1/hooks/before_llm_call", body: '{"session_id":""}' },
    400,
    "invalid_input",
    "/session_id",
  ],
  ["another event's name", { body: '{"hook_event_name":"turn_end"}' }, 400, "invalid_input", "/hook_event_name"],
  ["a negative number of tokens", { body: '{"input_tokens":-1}' }, 400, "invalid_input", "/input_tokens"],
  [
    "negative tokens of a call",
    {
      path: "/api/v1/hooks/after_llm_call",
      body: '{"session_id":"s","usage":{"input_tokens":5,"reasoning_tokens":-5}}',
    },
    400,
    "invalid_input",
    "/usage/reasoning_tokens",
  ],
  ...["", "maybe", "constructor"].map(
    (decision): Refused => [
      `a final decision that says "${decision}"`,
      {
        path: "/api/v1/hooks/on_tool_approval_decision",
        body: JSON.stringify({ session_id: "s", tool_name: "t", approval_decision: decision }),
      },
      400,
      "invalid_input",
      "/approval_decision",
    ],
  ),
  [
    "a negative number in a report",
    { path: EVENTS, body: JSON.stringify([{ ...event(1), event: "turn_end", input: { output_tokens: -1 } }]) },
    400,
    "invalid_input",
  ],
  ["100,001 values", { body: `{"x":[${"1,".repeat(100_000)}1]}` }, 400, "too_many_values"],
  ["100,001 values on a worker", { body: `{"x":[${"1 ,".repeat(100_000)}1]}` }, 400, "too_many_values"],
  ["a large body that is no JSON", { body: `{"x":"${"y".repeat(100_000)}` }, 400, "not_json"],
  ["65 levels", { body: `{"x":${nested(64)}}` }, 400, "too_deep"],
  ["a million levels", { body: nested(1_000_000) }, 400, "too_deep"],
  ["a million levels left open", { body: '{"a":'.repeat(500_000) }, 400, "too_deep"],
  ["10,000 keys", { body: withKeys(10_000) }, 400, "too_many_keys"],
  ["10,000 keys further in", { body: `{"tool_input":{"a":${withKeys(10_000)}}}` }, 400, "too_many_keys"],
  ["bytes that are not UTF-8", { body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) }, 400, "not_utf8"],
  ["half a surrogate in UTF-8", { body: new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]) }, 400, "not_utf8"],
  ["a raw NUL", { body: '{"a":"\0"}' }, 400, "not_json"],
  ["an unknown lane", { path: `${GATE}?lane=fast` }, 400, "invalid_input"],
  ["a lane that the event has not", { path: `${STOP}?lane=preempt_yolo` }, 400, "invalid_input"],
  ["an endless Idempotency-Key", { headers: { "idempotency-key": "x".repeat(201) } }, 400, "invalid_input"],
  ["an empty Idempotency-Key", { headers: { "idempotency-key": "" } }, 400, "invalid_input"],
  ["no key", { headers: { authorization: "" } }, 401, "unauthenticated"],
  ["another scheme", { headers: { authorization: "Basic cWQ6cWQ=" } }, 401, "unauthenticated"],
  ["a key nobody has", { headers: { authorization: `Bearer qd_${"x".repeat(43)}` } }, 401, "unauthenticated"],
  ["a key of another form", { headers: { authorization: "Bearer letmein" } }, 401, "unauthenticated"],
  ["4 MiB without a key", { body: new Uint8Array(LIMIT), headers: { authorization: "" } }, 401, "unauthenticated"],
  ["an unknown event", { path: "/api/v1/hooks/pre_tool_us" }, 404, "unknown_event", "/event"],
  ["the name of something every object has", { path: "/api/v1/hooks/constructor" }, 404, "unknown_event", "/event"],
  ["__proto__ for an event", { path: "/api/v1/hooks/__proto__" }, 404, "unknown_event", "/event"],
  ["an unknown dialect", { path: "/api/v1/hooks/claude/PreToolUse" }, 404, "not_found"],
  ["an unknown path", { path: "/api/v1/nothing" }, 404, "not_found"],
  ["no event at all", { path: "/api/v1/hooks/" }, 404, "not_found"],
  ["a broken percent sign", { path: "/api/v1/hooks/%zz" }, 404, "not_found"],
  ["a path beside the API", { path: "/api/elsewhere" }, 404, "not_found"],
  ["GET where POST is meant", { method: "GET" }, 405, "method_not_allowed"],
  ["DELETE", { method: "DELETE", path: "/api/v1/policy" }, 405, "method_not_allowed"],
  ["POST to health", { path: "/healthz" }, 405, "method_not_allowed"],
  ["one byte over 4 MiB", { body: `"${"a".repeat(LIMIT - 1)}"` }, 413, "body_too_large"],
  [
    "1,001 events in one report",
    { path: EVENTS, body: JSON.stringify(Array.from({ length: 1_001 }, (_, i) => event(i))) },
    413,
    "too_many_events",
  ],
  ["a form", { headers: { "content-type": "application/x-www-form-urlencoded" } }, 415, "wrong_content_type"],
  ["no content type", { headers: { "content-type": "" } }, 415, "wrong_content_type"],
  ["another charset", { headers: { "content-type": "application/json; charset=utf-16" } }, 415, "wrong_content_type"],
  ["a compressed body", { headers: { "content-encoding": "gzip" } }, 415, "wrong_content_type"],
  [
    "lines where one value is meant",
    { headers: { "content-type": "application/x-ndjson" } },
    415,
    "wrong_content_type",
  ],
  ["an object for a report", { path: EVENTS, body: "{}" }, 400, "invalid_input", ""],
  [
    "an empty report of lines",
    { path: EVENTS, body: "\n\n", headers: { "content-type": "application/x-ndjson" } },
    400,
    "not_json",
  ],
];

describe("a bad request gets the documented error, and the server serves the next one", () => {
  it.each(REFUSED)("%s", async (_title, sent, status, code, pointer) => {
    const before = await stored();
    const answer = await send(sent);
    const body = (await answer.json()) as { error: { code: string; message: string; pointer?: string } };
    expect({ status: answer.status, code: body.error.code, pointer: body.error.pointer }).toEqual({
      status,
      code,
      pointer,
    });
    expect(body.error.message).toMatch(/^\p{L}.*\.$|^\S+: /u);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await stored()).toBe(before);
    await servesTheNextRequest();
  });

  it("says which methods a path takes", async () => {
    expect((await send({ method: "PUT" })).headers.get("allow")).toBe("POST, OPTIONS");
    expect((await send({ method: "PUT", path: "/api/v1/policy" })).headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    const options = await send({ method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "POST, OPTIONS"]);
    const head = await send({ method: "HEAD", path: "/api/v1/policy" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it("names the event that was meant", async () => {
    const answer = await send({ path: "/api/v1/hooks/pre_tool_us" });
    expect(((await answer.json()) as { error: { message: string } }).error.message).toContain('"pre_tool_use"');
  });
});

const ACCEPTED: [title: string, sent: Sent][] = [
  ["4 MiB exactly", { body: `{"prompt":"${"a".repeat(LIMIT - 13)}"}` }],
  ["64 levels", { body: `{"x":${nested(63)}}` }],
  ["5,000 keys in one object, twice", { body: `{"a":${withKeys(5_000)},"b":${withKeys(5_000)}}` }],
  ["brackets in texts", { body: JSON.stringify({ prompt: '[[{{"'.repeat(100) }) }],
  [
    "escaped NUL and half a surrogate",
    { body: '{"session_id":"a\\u0000b","agent_name":"\\ud800","x\\u0000":"\\udfff"}' },
  ],
  ["names every object has", { body: '{"__proto__":{"admin":true},"constructor":{"prototype":1},"toString":"x"}' }],
  ["a byte order mark", { body: "\ufeff{}" }],
  ["a charset in capitals", { headers: { "content-type": 'Application/JSON; Charset="UTF-8"' } }],
  ["an unknown query parameter", { path: `${STOP}?newer=1` }],
  ["null for every known field", { body: '{"tool_name":null,"messages":null,"usage":null,"cost":null}' }],
];

describe("what is unusual and not wrong passes", () => {
  it.each(ACCEPTED)("%s", async (_title, sent) => {
    const before = await stored();
    const answer = await send(sent);
    expect([answer.status, await answer.text()]).toEqual([200, "{}"]);
    expect(await stored()).toBe(before + 1);
  });

  it("keeps the text of the input as it came, unusual names and all", async () => {
    const body = '{"__proto__":{"a":1},"session_id":"nul\\u0000","n":1.0e1,"agent_name":"\\ud800"}';
    const id = (await send({ body })).headers.get("quarterdeck-dispatch-id");
    const { rows } = await db.database.pool.query("SELECT input, session_id, agent_name FROM dispatch WHERE id = $1", [
      id,
    ]);
    expect(rows).toEqual([{ input: body, session_id: "nul\\u0000", agent_name: "tester / \\ud800" }]);
    expect(Object.hasOwn(Object.prototype, "admin")).toBe(false);
  });
});

function head(length: number, extra = ""): string {
  return `POST ${STOP} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${extra}\r\n`;
}

async function isUsable(connection: RawConnection): Promise<void> {
  connection.write(`${head(2)}{}`);
  expect((await connection.answer()).status).toBe(200);
}

describe("a body that misbehaves on the wire", () => {
  it("cut off before its announced length is told so when its sender still listens", async () => {
    const connection = await rawConnection(server.port);
    connection.write(`${head(100)}{"session_id"`);
    connection.half();
    const answer = await connection.answer();
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([400, "body_incomplete"]);
    await connection.closed;
    await servesTheNextRequest();
  });

  it("cut off by a client that is gone stores nothing", async () => {
    const before = await stored();
    const connection = await rawConnection(server.port);
    connection.write(`${head(100)}{"session_id"`);
    connection.socket.resetAndDestroy();
    await connection.closed;
    await servesTheNextRequest();
    expect(await stored()).toBe(before + 1);
  });

  it("trickling in is ended at the deadline, however steadily it comes", async () => {
    const impatient = await testGateway(db.url, { bodyLimits: { deadlineMs: 300 } });
    try {
      const connection = await rawConnection(impatient.port);
      connection.write(head(10_000).replace(key, await impatient.agent("trickling")));
      const drip = setInterval(() => connection.socket.writable && connection.write(" "), 20);
      const answer = await connection.answer().finally(() => clearInterval(drip));
      expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([408, "body_too_slow"]);
      expect(answer.headers.connection).toBe("close");
      await connection.closed;
      expect((await fetch(`${impatient.url}/healthz`)).status).toBe(200);
    } finally {
      await impatient.stop();
    }
  });

  it("announced one byte too long is refused unread, and the connection goes on", async () => {
    const connection = await rawConnection(server.port);
    connection.write(head(LIMIT + 1));
    const answer = await connection.answer();
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([413, "body_too_large"]);
    connection.write(new Uint8Array(LIMIT + 1));
    await isUsable(connection);
    connection.socket.destroy();
  });

  it("too long in chunks is refused at the limit, and the connection goes on", async () => {
    const connection = await rawConnection(server.port);
    connection.write(head(0).replace("Content-Length: 0", "Transfer-Encoding: chunked"));
    const chunk = Buffer.concat([Buffer.from(`${MIB.toString(16)}\r\n`), Buffer.alloc(MIB, 32), Buffer.from("\r\n")]);
    for (let sent = 0; sent < 5; sent += 1) connection.write(chunk);
    connection.write("0\r\n\r\n");
    const answer = await connection.answer();
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([413, "body_too_large"]);
    await isUsable(connection);
    connection.socket.destroy();
  });

  it("of somebody without a key is not waited for", async () => {
    const connection = await rawConnection(server.port);
    connection.write(head(LIMIT).replace(key, "qd_nobody"));
    const answer = await connection.answer();
    expect(answer.status).toBe(401);
    connection.socket.destroy();
    await servesTheNextRequest();
  });

  it("is no HTTP at all: the next client does not notice", async () => {
    const connection = await rawConnection(server.port);
    connection.write("\x16\x03\x01\x02\x00 TLS says hello\r\n\r\n");
    expect((await connection.answer()).status).toBe(400);
    await servesTheNextRequest();
  });
});
