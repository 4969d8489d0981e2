/** A client that showed no credentials gets little, and nobody else less for it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type RawConnection, rawConnection } from "../../e2e/fixtures/raw-http.ts";
import { GUESS_LIMITS } from "../access/credential-throttle.ts";
import { BODY_LIMITS } from "./body.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const CONNECTIONS = 64;

let db: TestDatabase;
let server: TestGateway;
let key: string;
let person: Browser;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url, { url: "http://127.0.0.1:3000", trustedProxies: "loopback" });
  key = await server.agent("honest");
  person = await signedIn(server.url, server.database, server.admin.workspaceId, "author");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

/** Of the strangers of one test: what they fail at counts against nobody of the next one. */
let address = "";
let addresses = 0;
beforeEach(() => {
  addresses += 1;
  address = `198.51.100.${addresses}`;
});

const SIGN_IN = "/api/trpc/access.signIn";
const ACCOUNT = "/api/auth/sign-in/email";

async function announce(path: string, length: number, sent: number, headers = ""): Promise<RawConnection> {
  const connection = await rawConnection(server.port);
  const host = `127.0.0.1:${server.port}`;
  connection.write(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nX-Forwarded-For: ${address}\r\n${headers}\r\n`,
  );
  connection.write("x".repeat(sent));
  return connection;
}

const dispatch = () =>
  fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", tool_name: "shell", tool_input: { cmd: "x".repeat(3 * MIB) } }),
  });

describe("without credentials", () => {
  it.each([SIGN_IN, ACCOUNT, "/form"])("a body for %s beyond 16 KiB is refused before it comes", async (path) => {
    const connection = await announce(path, 16 * KIB + 1, 0);
    const answer = await connection.answer();
    expect([answer.status, JSON.parse(answer.body).error]).toMatchObject([
      413,
      { code: "body_too_large", message: "The body is larger than 16 KiB." },
    ]);
    connection.socket.destroy();
  });

  it.each([SIGN_IN, ACCOUNT, "/form"])("many who never finish a body for %s turn nobody else away", async (path) => {
    const connections = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => announce(path, 16 * KIB, 16 * KIB - 1)),
    );
    const { bodiesOfOneMax, bytesHeldOfOneMax } = BODY_LIMITS.stranger;
    const most = Math.min(bytesHeldOfOneMax, bodiesOfOneMax * 16 * KIB);
    await expect.poll(() => server.bodies.held("stranger")).toBeGreaterThan(most / 4);
    expect(server.bodies.held("stranger")).toBeLessThanOrEqual(most);
    // One more of this address hears so; agents and people who are signed in notice nothing.
    await expect.poll(async () => (await (await announce(path, 1_000, 1_000)).answer()).status).toBe(429);
    expect((await dispatch()).status).toBe(200);
    const source = `# ${"x".repeat(MIB / 4)}\nhooks: {}\n`;
    expect((await person.mutate("policies.check", { source })).status).toBe(200);
    for (const { socket } of connections) socket.destroy();
    await expect.poll(() => server.bodies.held("stranger")).toBe(0);
  });

  it("four megabytes that are parsed already are still counted, until they are answered", async () => {
    const before = server.bodies.held("agent");
    const answers = Array.from({ length: 4 }, dispatch);
    await expect.poll(() => server.bodies.held("agent"), { interval: 1 }).toBeGreaterThan(3 * MIB);
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    await expect.poll(() => server.bodies.held("agent")).toBe(before);
  });

  it("a pipeline that breaks off leaves nothing counted", async () => {
    const connection = await announce("/form", 4, 4, "");
    const host = `127.0.0.1:${server.port}`;
    const next = `POST ${SIGN_IN} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: application/json\r\nContent-Length: 16000\r\nX-Forwarded-For: ${address}\r\n\r\n`;
    connection.write(`${next}${" ".repeat(15_000)}`);
    connection.socket.resetAndDestroy();
    await connection.closed;
    await expect.poll(() => server.bodies.held("stranger")).toBe(0);
  });
});

describe("a guess", () => {
  const guess = (headers: Record<string, string>, calls = 1) => {
    const paths = Array.from({ length: calls }, () => "access.signIn").join(",");
    const body = Object.fromEntries(
      Array.from({ length: calls }, (_, call) => [call, { json: { token: `${call}`.padStart(43, "x") } }]),
    );
    return fetch(`${server.url}/api/trpc/${paths}?batch=1`, {
      method: "POST",
      headers: { origin: server.url, "content-type": "application/json", "x-forwarded-for": address, ...headers },
      body: JSON.stringify(body),
    });
  };

  it("is not made where its failure cannot be seen", async () => {
    const response = await guess({ "trpc-accept": "application/jsonl" });
    expect(response.status).toBe(400);
    expect((await response.json()).error.message).toContain("not streamed");
  });

  it("is counted in a batch for every call", async () => {
    const perBatch = 20;
    let batches = 0;
    for (let status = 0; status !== 429 && batches < 50; batches += 1) ({ status } = await guess({}, perBatch));
    // Each failure has counted: far fewer batches than with one count a batch.
    expect(batches).toBeLessThanOrEqual(GUESS_LIMITS.failuresMax / perBatch + 1);
    expect((await dispatch()).status).toBe(200);
    expect((await person.query("policies.list")).status).toBe(200);
  });
});
