/** Each answer at the hooks' addresses is signed for the nonce, the address and the body of its question, whatever answered it. */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { AppError } from "../errors/app-error.ts";

let db: TestDatabase;
let server: TestGateway;
let key: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("signed");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const INPUT = JSON.stringify({ session_id: "s", tool_name: "shell", tool_input: { cmd: "ls" } });
const bearerOf = (whole: string) => whole.slice(0, 46);
const answerKeyOf = (whole: string) => whole.slice(47);

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Those of the headers, as they are signed. */
  readonly lines?: string;
}

/** The status and whether the signature is that of the protocol, computed from its description alone. */
async function ask({
  path = "/api/v1/hooks/pre_tool_use",
  method = "POST",
  headers = {},
  body = INPUT,
  lines = "",
}: Asked = {}) {
  const nonce = `v2${randomBytes(16).toString("hex")}`;
  const sent = {
    authorization: `Bearer ${bearerOf(key)}`,
    "content-type": "application/json",
    "quarterdeck-nonce": nonce,
    ...headers,
  };
  const response = await fetch(`${server.url}${path}`, { method, headers: sent, ...(method === "POST" && { body }) });
  const bytes = Buffer.from(await response.arrayBuffer());
  const sum = createHash("sha256")
    .update(method === "POST" ? body : "")
    .digest("hex");
  const bearer = /qd_[0-9A-Za-z]{43}/.exec(sent.authorization)?.[0] ?? "";
  const answerKey = bearer === bearerOf(key) ? answerKeyOf(key) : server.running.app.answerKeys.of(bearer);
  const expected = createHmac("sha256", answerKey)
    .update(
      `quarterdeck answer v1\n${headers["quarterdeck-nonce"] ?? nonce}\n${path}\n${sum}\n${lines}${response.status}\n`,
    )
    .update(bytes)
    .digest("hex");
  return {
    status: response.status,
    isSigned: response.headers.get("quarterdeck-answer-mac") === expected,
    mac: response.headers.get("quarterdeck-answer-mac"),
    isEchoed: response.headers.get("quarterdeck-nonce") === sent["quarterdeck-nonce"],
    type: response.headers.get("content-type"),
    coding: response.headers.get("content-encoding"),
    body: bytes.toString("utf8"),
  };
}

const SIGNED = { isSigned: true, isEchoed: true, coding: null };
const delivery = (name: string): Asked => ({
  headers: { "idempotency-key": name },
  lines: `idempotency-key: ${name}\n`,
});
const EXECUTOR = "id=0123456789abcdef";
const ENVELOPE = "application/vnd.quarterdeck.dispatch.v1+json";

it.each<[name: string, status: number, asked: () => Asked]>([
  ["a verdict", 200, () => ({})],
  ["a verdict on a lane", 200, () => ({ path: "/api/v1/hooks/pre_tool_use?lane=preempt_yolo" })],
  ["a verdict in a client's words", 200, () => ({ path: "/api/v1/hooks/claude-code/PreToolUse?interactive=true" })],
  ["a delivery", 200, () => delivery("once")],
  ["an event that there is not", 404, () => ({ path: "/api/v1/hooks/no_such_event" })],
  ["a path that there is not", 404, () => ({ path: "/api/v1/hooks/a/b/c/d" })],
  ["no JSON", 400, () => ({ body: "{" })],
  ["no JSON at a client's gate", 200, () => ({ path: "/api/v1/hooks/claude-code/PreToolUse", body: "{" })],
  [
    "another content type",
    415,
    () => ({ headers: { "content-type": "Text/Plain; charset=x" }, lines: "content-type: text/plain\n" }),
  ],
  ["a body that is too large", 413, () => ({ body: JSON.stringify({ a: "x".repeat(5 * 1024 * 1024) }) })],
  ["an unknown key", 401, () => ({ headers: { authorization: `Bearer qd_${"u".repeat(43)}` } })],
  ["the whole key", 200, () => ({ headers: { authorization: `Bearer ${key}` } })],
  [
    "another second half, with the key that the console derives",
    200,
    () => ({ headers: { authorization: `Bearer ${bearerOf(key)}_${"0".repeat(64)}` } }),
  ],
  [
    "an executor that waits, with an envelope",
    200,
    () => ({
      headers: {
        ...{ "content-type": ENVELOPE, "idempotency-key": "k", "quarterdeck-executor": EXECUTOR },
        ...{ "quarterdeck-wait-seconds": "1" },
      },
      body: `{"input":${INPUT},"local":{"revision":"","verdict":"none","reason":"","durationMs":1,"hooks":[]}}`,
      lines: `content-type: ${ENVELOPE}\nidempotency-key: k\nquarterdeck-executor: ${EXECUTOR}\nquarterdeck-wait-seconds: 1\n`,
    }),
  ],
  [
    "a relay that was enrolled before, which waits without a signature over it",
    200,
    () => ({ headers: { "quarterdeck-nonce": randomBytes(16).toString("hex"), "quarterdeck-wait-seconds": "1" } }),
  ],
  [
    "a malformed executor",
    400,
    () => ({ headers: { "quarterdeck-executor": "x" }, lines: "quarterdeck-executor: x\n" }),
  ],
  ["a method that it has not", 405, () => ({ method: "GET" })],
])("signs the answer to %s", async (_name, status, asked) => {
  const answer = await ask(asked());
  expect(answer).toMatchObject({ ...SIGNED, status });
});

it("signs the answer to the repeat of a delivery, and to another body under its name", async () => {
  const first = await ask(delivery("twice"));
  expect(await ask(delivery("twice"))).toMatchObject({ ...SIGNED, status: 200, body: first.body });
  const other = await ask({ ...delivery("twice"), body: INPUT.replace("ls", "ls -a") });
  expect(other).toMatchObject({ ...SIGNED, status: 409 });
});

it("signs the denial and the error of a console that has too much to do", async () => {
  const { check } = server.running.app.shedding;
  Object.assign(server.running.app.shedding, {
    check() {
      throw new AppError("overloaded");
    },
  });
  try {
    // The question's body is not read, and is in the signature all the same.
    const large = JSON.stringify({ hook_event_name: "PreToolUse", tool_input: { text: "x".repeat(3_000_000) } });
    const denied = await ask({ path: "/api/v1/hooks/claude-code/PreToolUse", body: large });
    expect(denied).toMatchObject({ ...SIGNED, status: 200 });
    expect(denied.body).toContain("deny");
    expect(await ask({ body: large })).toMatchObject({ ...SIGNED, status: 503 });
  } finally {
    Object.assign(server.running.app.shedding, { check });
  }
});

describe("a nonce that comes again", () => {
  const again = () => ({ "quarterdeck-nonce": randomBytes(16).toString("hex") });
  const isSigned = async (asked: Asked) => (await ask(asked)).isSigned;

  it("is signed for one verdict, whether its questions come one after the other or at once", async () => {
    const headers = again();
    expect(await isSigned({ headers })).toBe(true);
    for (const body of [INPUT, INPUT.replace("ls", "ls -a")])
      expect(await ask({ headers, body })).toMatchObject({ mac: null });
    const atOnce = again();
    const all = await Promise.all(Array.from({ length: 8 }, () => isSigned({ headers: atOnce })));
    expect(all.filter(Boolean)).toHaveLength(1);
  });

  it("is signed after errors, and for another agent", async () => {
    const headers = again();
    for (const path of ["/api/v1/hooks/no_such_event", "/api/v1/hooks/pre_tool_use", "/api/v1/hooks/no_such_event"])
      expect(await isSigned({ headers, path }), path).toBe(true);
    const authorization = `Bearer ${bearerOf(await server.agent("another"))}`;
    expect(await isSigned({ headers: { ...headers, authorization } })).toBe(true);
  });
});

describe("without a signature", () => {
  it.each<[string, Record<string, string>]>([
    ["a nonce that is too short", { "quarterdeck-nonce": "short" }],
    ["a nonce that is too long", { "quarterdeck-nonce": "n".repeat(65) }],
    ["a nonce of other characters", { "quarterdeck-nonce": "0123456789abcdef\t;" }],
    ["a bearer of another form", { authorization: "Bearer qd_short" }],
  ])("answers %s", async (_name, headers) => {
    expect(await ask({ headers })).toMatchObject({ mac: null });
  });

  it("answers at once when the rest of a body never comes", async () => {
    const socket = connect(server.port, "127.0.0.1");
    const head = [
      "POST /api/v1/hooks/no_such_event HTTP/1.1",
      "Host: 127.0.0.1",
      `Authorization: Bearer qd_${"u".repeat(43)}`,
      `Quarterdeck-Nonce: ${"n".repeat(32)}`,
      "Content-Type: application/json",
      "Content-Length: 100",
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n{`);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer); // a socket without an encoding gives buffers
    expect(Buffer.concat(chunks).toString("utf8")).not.toMatch(/quarterdeck-answer-mac/i);
  });
});

it("opens with the bearer half, whatever well-formed half follows it, and with no other text", async () => {
  const status = async (text: string) =>
    (await fetch(`${server.url}/api/v1/policy`, { headers: { authorization: `Bearer ${text}` } })).status;
  expect(key).toMatch(/^qd_[0-9A-Za-z]{43}_[0-9a-f]{64}$/);
  expect(await status(key)).toBe(200);
  expect(await status(bearerOf(key))).toBe(200);
  expect(await status(`${bearerOf(key)}_${"0".repeat(64)}`)).toBe(200);
  for (const other of [answerKeyOf(key).toUpperCase(), answerKeyOf(key).slice(1), ""])
    expect([other, await status(`${bearerOf(key)}_${other}`)]).toEqual([other, 401]);
});
