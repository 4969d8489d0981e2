/** The CSV of all calls that a filter finds: streamed, at most 100,000 calls, safe in a spreadsheet, for readers only. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newWorkspace, signedIn } from "../../../e2e/fixtures/browser.ts";
import { csvRows } from "../../../e2e/fixtures/csv-rows.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import { EXPORT_CALLS_MAX } from "../../decisions/http.ts";

const SECRET = `ghp_${"a1B2".repeat(9)}`;
const RANGE = {
  from: new Date(Date.now() - 3_600_000).toISOString(),
  to: new Date(Date.now() + 3_600_000).toISOString(),
};

let db: TestDatabase;
let server: TestGateway;
let cookie: string;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  cookie = await cookieOf(server.admin.workspaceId);
  const key = await server.agent("tester");
  const call = async (tool_name: string, cmd: string) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = JSON.stringify({ session_id: "s1", tool_name, tool_use_id: randomUUID(), tool_input: { cmd } });
    const answer = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, { method: "POST", headers, body });
    expect(answer.status).toBe(200);
  };
  await call("shell", '=HYPERLINK("http://attacker.example")');
  await call("shell", "+1+1");
  await call("shell", "-2+3");
  await call("shell", "@SUM(A1)");
  await call("shell", 'echo "two, parts"\nsecond line');
  await call("fetch", `curl -H "Authorization: Bearer ${SECRET}" https://example.com`);
  await server.projected();
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const cookieOf = async (workspaceId: string, role: "auditor" | "owner" = "auditor") =>
  (await signedIn(server.url, server.database, workspaceId, role)).header().cookie ?? "";

function download(input: unknown, headers: Readonly<Record<string, string>> = { cookie }): Promise<Response> {
  const query = encodeURIComponent(JSON.stringify(input));
  return fetch(`${server.url}/api/download/calls.csv?input=${query}`, { headers });
}

it("has the calls of the filter alone, each text safe in a spreadsheet", async () => {
  const response = await download({ range: RANGE, filters: { tool: ["shell"] } });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="calls.csv"');
  const rows = csvRows(await response.text());
  expect(rows.map(({ call }) => call)).toEqual([
    'echo "two, parts"\nsecond line',
    "'@SUM(A1)",
    "'-2+3",
    "'+1+1",
    `'=HYPERLINK("http://attacker.example")`,
  ]);
  expect(rows[0]).toMatchObject({ agent: "tester", session: "s1", tool: "shell", outcome: "no_rule", request: "" });
});

it("holds no secret: a call has the masked text of its record", async () => {
  const text = await (await download({ range: RANGE, filters: { tool: ["fetch"] } })).text();
  expect(csvRows(text)).toMatchObject([{ tool: "fetch", call: expect.stringContaining("https://example.com") }]);
  expect(text).not.toContain(SECRET);
});

it("is for people who may read the console, and for their own workspace", async () => {
  expect((await download({ range: RANGE }, {})).status).toBe(401);
  const other = await cookieOf(await newWorkspace(server.database, "another"), "owner");
  expect(csvRows(await (await download({ range: RANGE }, { cookie: other })).text())).toEqual([]);
});

it.each([
  ["no filter of this name", { range: RANGE, filters: { color: ["red"] } }],
  ["no instant", { range: { from: "yesterday", to: "today" } }],
  ["too many values", { range: RANGE, filters: { tool: Array(100).fill("shell") } }],
])("refuses an input with %s", async (_title, input) => {
  expect((await download(input)).status).toBe(400);
});

it(`streams, and stops at ${EXPORT_CALLS_MAX} calls with a line that says so`, async () => {
  const workspaceId = await newWorkspace(server.database, "many calls");
  await db.owner.query(
    `INSERT INTO tool_decision SELECT $1, $2::timestamptz + number * interval '10 milliseconds', gen_random_uuid(), 'gate',
       gen_random_uuid(), 'tester', 's1', 'pre_tool_use', 'shell', NULL, 'none', 'no_rule', '', 'call ' || number
     FROM generate_series(1, $3::int) AS number`,
    [workspaceId, RANGE.from, EXPORT_CALLS_MAX + 200],
  );
  const response = await download({ range: RANGE }, { cookie: await cookieOf(workspaceId) });
  let [pieces, lines, last] = [0, 0, ""];
  let firstPiece = "";
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    const text = decoder.decode(bytes, { stream: true });
    if (pieces === 0) firstPiece = text;
    pieces += 1;
    lines += text.split("\r\n").length - 1;
    last = (last + text).slice(-200);
  }
  // No piece holds a hundredth of the file: the server sends parts as it reads them.
  expect(pieces).toBeGreaterThan(100);
  expect(firstPiece).toMatch(/^occurred_at,agent,person,person_certainty,session,tool,call,/);
  expect(lines).toBe(1 + EXPORT_CALLS_MAX + 1);
  expect(last.trimEnd().split("\r\n").at(-1)).toBe(
    `The file stops at ${EXPORT_CALLS_MAX} calls. Choose a shorter range or a narrower filter.`,
  );
}, 300_000);
