/** The MCP server as a client starts it: the verb as a process on stdio, the official client, a real gateway. */
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { builtProgram } from "../../../e2e/fixtures/built-program.ts";
import { quarterdeck } from "../../../e2e/fixtures/command-line.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { freePort } from "../../../e2e/fixtures/free-port.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import type { Administrator } from "../../access/actor.ts";
import * as approvals from "../../approvals/index.ts";
import { answerRequest } from "../../approvals/schema.ts";
import * as budgets from "../../budgets/index.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: shell|exec_.*
      hooks:
        - { type: command, name: no shell, command: "echo use the build tool >&2; exit 2" }
    - matcher: deploy
      hooks: [{ type: builtin, command: ask_a_person, args: ["For production?"] }]
  turn_start:
    - { type: command, command: "cat /hidden/path" }
`;

let db: TestDatabase;
let server: TestGateway;
let home: string;
const clients: Client[] = [];
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  home = await mkdtemp(join(tmpdir(), "quarterdeck-mcp-"));
  await server.publish(POLICY, "house");
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(async () => {
  await rm(home, { recursive: true, force: true });
  await server?.stop();
  await db?.drop();
});

async function connect(env: Record<string, string>, args: readonly string[] = [], program?: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const words = program === undefined ? [await builtProgram("command-line"), "mcp"] : [program];
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [...words, ...args] },
    env: { PATH: process.env.PATH ?? "", HOME: home, ...env },
  });
  await client.connect(transport);
  clients.push(client);
  return client;
}

async function newAgent(args: readonly string[] = []) {
  const key = await server.agent(randomUUID());
  const client = await connect({ QUARTERDECK_URL: server.url, QUARTERDECK_KEY: key }, args);
  const use = async (name: string, given: Record<string, unknown> = {}) => {
    await server.projected();
    const { content, isError = false } = await client.callTool({ name, arguments: given });
    const [part] = content as readonly { readonly text: string }[];
    return { text: part?.text ?? "", isError };
  };
  const call = (session_id: string, cmd: string) =>
    fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id, tool_name: "shell", tool_use_id: randomUUID(), tool_input: { cmd } }),
    });
  return { key, client, use, call };
}

describe("an agent's MCP server", () => {
  it("has four tools, of which one writes", async () => {
    const { client } = await newAgent();
    const { tools } = await client.listTools();
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name);
    expect(tools.map(({ name }) => name)).toEqual([
      "why_was_i_denied",
      "what_may_i_do",
      "how_much_budget_is_left",
      "ask_a_person",
    ]);
    expect(writing).toEqual(["ask_a_person"]);
    expect(client.getInstructions()).toContain("do not work around a denial");
  });

  it("says why calls were denied: those of its session, and of its agent alone", async () => {
    const [own, other] = [await newAgent(["--session", "s1"]), await newAgent()];
    await own.call("s1", "make");
    await own.call("s2", "cmake");
    const said = await own.use("why_was_i_denied");
    expect(said.text).toMatch(/shell on pre_tool_use \(.*make.*\) was denied by the rule "no shell" of policy house, /);
    expect(said.text).toMatch(/revision 1: .*use the build tool/);
    expect(said.text).not.toContain("cmake");
    expect((await own.use("why_was_i_denied", { session_id: "s2", limit: 5 })).text).toContain("cmake");
    expect((await other.use("why_was_i_denied")).text).toBe("Nothing of yours was denied in the last seven days.");
    for (const session_id of ["s1", "s2"])
      expect((await other.use("why_was_i_denied", { session_id })).text).toMatch(/^Nothing of yours was denied/);
    expect((await own.use("why_was_i_denied", { limit: 51 })).isError).toBe(true);
    // It has no say in whose records they are.
    expect((await other.use("why_was_i_denied", { agent: "own", agent_id: own.key })).text).not.toContain("make");
  });

  it("sums the policy up without the text of commands", async () => {
    const { use } = await newAgent();
    const { text } = await use("what_may_i_do");
    expect(text).toContain("house (revision 1)");
    expect(text).toContain('- pre_tool_use, tools named like shell|exec_.*: a command "no shell"');
    expect(text).toContain('the builtin ask_a_person with ["For production?"], which asks a person');
    expect(text).toContain("- turn_start: a command");
    expect(text).not.toMatch(/hidden|use the build tool/);
    expect((await use("what_may_i_do", { tool: "exec_it" })).text).toContain("no shell");
    expect((await use("what_may_i_do", { tool: "read_file" })).text).toContain("No rule is about the tool read_file.");
  });

  it("says how much money is left", async () => {
    const { use } = await newAgent();
    expect((await use("how_much_budget_is_left")).text).toBe("No budget counts what you spend here.");
    const about = { scope: "workspace" as const };
    const amounts = { amountNano: 5_000_000_000n, reserveNano: 1_000_000n, thresholds: [], isHard: false };
    const budget = { name: "team", about, period: "month" as const, unpriced: "count" as const, ...amounts };
    await budgets.create({ db: db.database, bus: server.running.app.bus }, server.admin, budget);
    expect((await use("how_much_budget_is_left")).text).toMatch(
      /^- team \(of the workspace\): \$5\.00 of \$5\.00 left in this month, until .*; it is only watched\.$/,
    );
  });

  it("asks a person, waits, and brings the words back", async () => {
    const { use } = await newAgent();
    const question = { question: "May I drop the old index?" };
    expect((await use("ask_a_person", { ...question, wait_seconds: 0 })).text).toMatch(
      /^QD-\d+ is waiting for a person/,
    );
    const waiting = use("ask_a_person", { ...question, wait_seconds: 30 });
    const find = async () =>
      (await approvals.list(db.database, server.admin)).open.find((one) => one.reason === question.question) ?? false;
    const card = await vi.waitUntil(find, { timeout: 10_000, interval: 50 });
    const bea: Administrator = { ...server.admin, kind: "script", id: "Bea", name: "Bea" };
    const answer = answerRequest.parse({ id: card.id, verdict: "deny", words: "the report needs it" });
    await approvals.answer({ db: db.database, bus: server.running.app.bus }, bea, answer);
    expect(await waiting).toEqual({ isError: false, text: `Bea said no (QD-${card.number}): the report needs it` });
  });

  it("says so where its key opens nothing any more, or the console is away", async () => {
    const stranger = await connect({ QUARTERDECK_URL: server.url, QUARTERDECK_KEY: `qd_${"x".repeat(43)}` });
    const refused = await stranger.callTool({ name: "why_was_i_denied", arguments: {} });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("A valid agent key") }] });
    const url = `http://127.0.0.1:${await freePort()}`;
    const alone = await connect({ QUARTERDECK_URL: url, QUARTERDECK_KEY: `qd_${"x".repeat(43)}` });
    const away = await alone.callTool({ name: "what_may_i_do", arguments: {} });
    expect(away).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("did not answer") }] });
  });

  it("is one file that the console serves, for machines with nothing but Node", async () => {
    const program = join(home, "quarterdeck-mcp.mjs");
    await writeFile(program, await (await fetch(`${server.url}/quarterdeck-mcp.mjs`)).text());
    const key = await server.agent(randomUUID());
    const client = await connect({ QUARTERDECK_KEY: key }, ["--url", server.url], program);
    expect((await client.listTools()).tools).toHaveLength(4);
    const { content, isError = false } = await client.callTool({ name: "what_may_i_do", arguments: {} });
    expect(isError).toBe(false);
    expect(content).toMatchObject([{ text: expect.stringContaining("house (revision 1)") }]);
  });

  it("takes the key that join wrote, and refuses to start without one", async () => {
    const env = { HOME: home, QUARTERDECK_URL: server.url, QUARTERDECK_KEY: "" };
    const args = ["mcp", "--key-file", join(home, "none")];
    expect(await quarterdeck(args, home, env)).toMatchObject({ code: 2, stderr: expect.stringContaining("ENOENT") });
    const key = await server.agent(randomUUID());
    await mkdir(join(home, ".config/quarterdeck"), { recursive: true });
    await writeFile(join(home, ".config/quarterdeck/header"), `Authorization: Bearer ${key}\n`);
    const client = await connect({}, ["--url", server.url]);
    const { isError = false } = await client.callTool({ name: "how_much_budget_is_left", arguments: {} });
    expect(isError).toBe(false);
  });
});
