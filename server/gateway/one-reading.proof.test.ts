/** A call that can be read in two ways passes no gate: a rule about `shell` would not see it, and the agent would run it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: shell|Bash
      hooks: [{ type: command, name: no shell, command: 'if grep -q "rm -rf"; then echo no >&2; exit 2; fi' }]
`;
let db: TestDatabase;
let server: TestGateway;
let key: string;
let number = 0;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("two-faced");
  await server.publish(POLICY, "house");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const RM = '{"cmd":"rm -rf /","command":"rm -rf /"}';
/** A call's JSON, with the texts of its tool's name and input as they are. */
const callOf = (name: string, input = RM, more = "") =>
  `{"session_id":"s","tool_use_id":"t${++number}","hook_event_name":"EVENT","tool_name":${name},"tool_input":${input}${more}}`;

interface Answer {
  readonly isDenied: boolean;
  readonly text: string;
}
async function post(path: string, body: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return fetch(`${server.url}${path}`, { method: "POST", headers, body });
}
/** The gates, each with its own word for a denial. */
const GATES: Readonly<Record<string, (call: string) => Promise<Answer>>> = {
  native: async (call) => {
    const response = await post("/api/v1/hooks/pre_tool_use", call.replace("EVENT", "pre_tool_use"));
    const text = await response.text();
    // What is no 200 is a denial on an event that can block.
    return { isDenied: response.status === 400 || /"decision":"block"|"deny"/.test(text), text };
  },
  "claude-code": async (call) => {
    const response = await post("/api/v1/hooks/claude-code/PreToolUse", call.replace("EVENT", "PreToolUse"));
    const text = await response.text();
    return { isDenied: response.status === 200 && text.includes('"permissionDecision":"deny"'), text };
  },
  procedure: async (call) => {
    const input = call.replace("EVENT", "pre_tool_use");
    const body = `{"json":{"event":"pre_tool_use","lane":"default","input":${input}}}`;
    const response = await post("/api/trpc/agent.dispatch", body);
    const text = await response.text();
    return { isDenied: response.status === 400 || /block|deny/.test(text), text };
  },
};

const CASES: readonly (readonly [string, string])[] = [
  ["a blank behind the name", callOf('"Bash "')],
  ["a blank before the name", callOf('" Bash"')],
  ["a tab behind the name", callOf('"Bash\\t"')],
  ["a line feed behind the name", callOf('"Bash\\n"')],
  ["a no-break space behind the name", callOf('"Bash\\u00a0"')],
  ["a NUL behind the name", callOf('"Bash\\u0000"')],
  ["an escape in the name", callOf('"Ba\\u001bsh"')],
  ["a zero-width space", callOf('"Ba\\u200bsh"')],
  ["a zero-width joiner", callOf('"Ba\\u200dsh"')],
  ["a word joiner", callOf('"Bash\\u2060"')],
  ["a soft hyphen", callOf('"Ba\\u00adsh"')],
  ["a byte order mark", callOf('"\\ufeffBash"')],
  ["a change of direction", callOf('"\\u202eBash"')],
  ["a variation selector", callOf('"Bash\\ufe0f"')],
  ["a filler of Hangul", callOf('"Bash\\u3164"')],
  ["a blank of Braille", callOf('"Bash\\u2800"')],
  ["a line separator", callOf('"Bash\\u2028"')],
  ["half of a character", callOf('"Bash\\ud800"')],
  ["two names", callOf('"Bash"', RM, ',"tool_name":"Read"')],
  ["two names, one escaped", callOf('"Bash"', RM, ',"tool_n\\u0061me":"Read"')],
  ["two inputs", callOf('"Bash"', RM, ',"tool_input":{"cmd":"ls"}')],
  ["two commands", callOf('"Bash"', '{"cmd":"rm -rf /","cmd":"ls"}')],
  ["two commands, one escaped", callOf('"Bash"', '{"command":"rm -rf /","comm\\u0061nd":"ls"}')],
  ["two equal keys deeper", callOf('"Bash"', '{"a":[{"cmd":"rm -rf /","cmd":"ls"}]}')],
];

describe.each(Object.entries(GATES))("at the gate %s", (_, ask) => {
  it.each(CASES)("%s is denied", async (_name, call) => {
    const { isDenied, text } = await ask(call);
    expect(isDenied, text).toBe(true);
  });

  it.each(['"Read"', '"mcp__echo__add"', '"MCP:add"', '"echo/add"', '"Multi Edit"', '"naïve"', '"工具"', '"a.b-c_d"'])(
    "%s is a name",
    async (name) => {
      const { isDenied, text } = await ask(callOf(name, '{"a":{"x":1},"b":{"x":1},"c":[{"x":1},{"x":1}]}'));
      expect(isDenied, text).toBe(false);
    },
  );
});

it("says which key and which name", async () => {
  const { text } = await (GATES.native ?? Promise.reject)(callOf('"Bash"', '{"cmd":"rm","cmd":"ls"}'));
  expect(text).toContain('The key \\"cmd\\" is there twice in one object');
  expect((await (GATES["claude-code"] ?? Promise.reject)(callOf('"Bash "'))).text).toContain(
    "begins or ends in a blank",
  );
});
