/** Every way in with a secret at every place of its JSON: afterwards no row of any table holds it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { CLAUDE, claudeRequest, exportLogs } from "../../e2e/fixtures/otlp-exports.ts";

/** Says back what it read, as the key and the value of a rewrite, and as words. */
const ECHO = [
  "hooks:",
  "  pre_tool_use:",
  "    - matcher: echo",
  "      hooks:",
  "        - type: command",
  "          name: echo",
  `          command: 'word=$(grep -o "gh[p]_[A-Za-z0-9]*" | head -n 1); printf "{\\"decision\\":\\"block\\",\\"reason\\":\\"%s\\",\\"hook_specific_output\\":{\\"additional_context\\":\\"%s\\"}}" "$word" "$word"; echo "$word" >&2'`,
  "    - matcher: rewrite",
  "      hooks:",
  "        - type: command",
  "          name: rewrite",
  `          command: 'word=$(grep -o "gh[p]_[A-Za-z0-9]*" | head -n 1); printf "{\\"hook_specific_output\\":{\\"updated_input\\":{\\"%s\\":{\\"%s\\":1}}}}" "$word" "$word"'`,
  "    - matcher: ask",
  "      hooks: [{ type: builtin, command: ask_a_person }]",
  "",
].join("\n");

let at: TestDatabase;
let server: TestGateway;
let key: string;
let owner: Browser;
let policyId: string;
let number = 0;

beforeAll(async () => {
  at = await testDatabase();
  server = await testGateway(at.url);
  key = await server.agent("leaky");
  await server.publish(ECHO, "echo");
  owner = await signedIn(server.url, at.database, server.admin.workspaceId, "owner");
  const { value } = await owner.query("policies.list");
  policyId = (value as { rows?: { id: string }[] } & { id: string }[])[0]?.id ?? "";
  await owner.mutate("webhooks.save", { url: "https://hooks.example.org/q", kinds: [...KINDS], isEnabled: true });
});
afterAll(async () => {
  await server?.stop();
  await at?.drop();
});

const KINDS = ["policy.published", "workspace.frozen", "approval.requested", "agent.halted"] as const;
const newSecret = () => ["gh", "p_", String(++number).padStart(36, "a")].join("");
const post = (path: string, body: unknown) =>
  fetch(`${server.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const call = (tool: string, input: unknown, more: object = {}) =>
  post("/hooks/pre_tool_use", {
    session_id: "s",
    tool_name: tool,
    tool_use_id: `t${++number}`,
    tool_input: input,
    ...more,
  });

/** The tables that hold a text, in words or as bytes. */
async function tablesWith(secret: string): Promise<string[]> {
  await server.projected();
  const { rows } = await at.owner.query<{ name: string }>(
    `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  const held: string[] = [];
  for (const { name } of rows) {
    const found = await at.owner.query(
      `SELECT 1 FROM ${name} AS one WHERE position($1 IN one::text) > 0 OR position($2 IN one::text) > 0 LIMIT 1`,
      [secret, Buffer.from(secret).toString("hex")],
    );
    if (found.rowCount) held.push(name);
  }
  return held;
}

const escapedKey = (secret: string) =>
  `{"session_id":"s","tool_name":"shell","tool_use_id":"t${++number}","tool_input":{"\\u0067${secret.slice(1)}":1}}`;
const report = (event: string, input: object) =>
  post("/events", [
    {
      event_id: crypto.randomUUID(),
      event,
      occurred_at: new Date().toISOString(),
      input: { session_id: "s", ...input },
    },
  ]);

/** Ways of an agent, each with the place of the secret in its JSON. */
const AGENT_WAYS: Readonly<Record<string, (secret: string) => Promise<Response>>> = {
  "an argument's value": (one) => call("shell", { cmd: one }),
  "an argument's key": (one) => call("shell", { [one]: 1 }),
  "a nested key": (one) => call("shell", { env: { [one]: "x" } }),
  "a key within a list": (one) => call("shell", { list: [[{ [one]: null }]] }),
  "two keys that become equal": (one) => call("shell", { [one]: 1, [`${one.slice(0, -1)}Z`]: 2 }),
  "an escaped key": (one) => post("/hooks/pre_tool_use", escapedKey(one)),
  "a key of the input itself": (one) => call("shell", {}, { [one]: true }),
  "a key of JSON in a text": (one) => call("shell", { body: JSON.stringify({ [one]: 1 }) }),
  "a key of JSON in JSON in a text": (one) =>
    call("shell", { body: JSON.stringify({ a: JSON.stringify({ [one]: 1 }) }) }),
  "a session's id": (one) => call("shell", {}, { session_id: one }),
  "a tool's name": (one) => call(one, {}),
  "a call's id": (one) => call("shell", {}, { tool_use_id: one }),
  "a working directory": (one) => call("shell", {}, { cwd: `/srv/${one}` }),
  "the words of a hook's answer": (one) => call("echo", { cmd: one }),
  "the keys of a hook's rewrite": (one) => call("rewrite", { cmd: one }),
  "a call that people are asked about": (one) => call("ask", { [one]: { deep: 1 } }),
  "a prompt": (one) => post("/hooks/user_prompt_submit", { session_id: "s", prompt: `use ${one}` }),
  "a result's key": (one) =>
    post("/hooks/post_tool_use", { session_id: "s", tool_name: "shell", tool_input: {}, tool_response: { [one]: 1 } }),
  "a result's text": (one) =>
    post("/hooks/post_tool_use", { session_id: "s", tool_name: "shell", tool_input: {}, tool_response: one }),
  "a message's key": (one) =>
    post("/hooks/before_llm_call", { session_id: "s", messages: [{ role: "user", content: "x", [one]: 1 }] }),
  "a question to people": (one) => post("/questions", { question: `May I use ${one}?` }),
  "a client's call": (one) =>
    post("/hooks/claude-code/PreToolUse", {
      ...{ session_id: "s", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls", [one]: 1 } },
    }),
  "a host name of a login": (one) => post("/login", { host_name: one }),
  "a report's key": (one) => report("post_tool_use", { tool_name: "shell", tool_input: { [one]: 1 } }),
};

describe("no row holds what an agent sends as", () => {
  it.each(Object.entries(AGENT_WAYS))("%s", async (_, send) => {
    const secret = newSecret();
    const { status } = await send(secret);
    // A refusal stores nothing either; a way that the server does not have would prove nothing.
    expect([200, 201, 202, 204, 400, 422]).toContain(status);
    expect(await tablesWith(secret)).toEqual([]);
  });

  it("the id of a session, in logs of a client", async () => {
    const secret = newSecret();
    await exportLogs({ url: `${server.url}/api/otlp`, key }, CLAUDE, [claudeRequest(secret)]);
    expect(await tablesWith(secret)).toEqual([]);
  });
});

/** Ways of a person: the procedure and its input. */
const TYPED_WAYS: Readonly<Record<string, (secret: string) => readonly [path: string, input: object]>> = {
  "a halt's reason": (one) => ["halts.halt", { target: { scope: "workspace" }, reason: `leaked ${one}` }],
  "a freeze's reason": (one) => ["policies.freeze", { reason: `leaked ${one}` }],
  "a publication's note": (one) => ["policies.publishByName", { name: "noted", source: "hooks: {}\n", note: one }],
  "the name of a case": (one) => [
    "playground.saveCase",
    { policyId, name: `case ${one}`, event: "pre_tool_use", input: '{"tool_name":"shell"}', expect: { allowed: true } },
  ],
  "the key of a case's input": (one) => [
    "playground.saveCase",
    {
      ...{ policyId, name: `case ${number}`, event: "pre_tool_use", expect: { allowed: true } },
      input: JSON.stringify({ tool_name: "shell", tool_input: { [one]: 1 } }),
    },
  ],
  "the name of a saved view": (one) => ["views.save", { page: "decisions", name: one, query: "q=agent:x" }],
  "the search of a saved view": (one) => ["views.save", { page: "decisions", name: "v", query: `q=${one}` }],
};

describe("no row holds what a person types as", () => {
  it.each(Object.entries(TYPED_WAYS))("%s", async (_, wayOf) => {
    const secret = newSecret();
    const { status, text } = await owner.mutate(...wayOf(secret));
    expect(status, text).toBe(200);
    expect(await tablesWith(secret)).toEqual([]);
    await at.owner.query("DELETE FROM halt");
    await owner.mutate("policies.unfreeze");
  });

  // A name has no brackets: the marker makes it one that is refused.
  it.each(["agents.createGroup", "agents.create", "access.createWorkspace", "serviceAccounts.create"])(
    "a name in %s",
    async (path) => {
      const secret = newSecret();
      expect(
        (await owner.mutate(path, { name: secret, ...(path.startsWith("service") && { role: "viewer" }) })).status,
      ).toBe(400);
      expect(await tablesWith(secret)).toEqual([]);
    },
  );
});
