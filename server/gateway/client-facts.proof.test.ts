/**
 * The recorded payloads of each client through a gateway with a policy in force. Every fact that a payload carries is on the
 * pages: in the calls and their drawer, sessions and their timeline, agents, costs, compactions, rules, tools, search and Home.
 */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Browser, browser } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { opencodePlugin, recordedCallback } from "../../e2e/fixtures/opencode-plugin.ts";
import { agentDetail } from "../agents/schema.ts";
import { compactionsView } from "../compactions/schema.ts";
import { costCallsView } from "../costs/schema.ts";
import { ruleCards } from "../decisions/rules/schema.ts";
import { callPage, decisionDetail } from "../decisions/schema.ts";
import { toolsPage } from "../inventory/schema.ts";
import { overviewSummary } from "../overview/schema.ts";
import { searchResults } from "../search/schema.ts";
import { eventView, outlineView, rowsView, sessionsView } from "../sessions/schema.ts";

const VECTORS = new URL("../dialects/vectors/", import.meta.url);
const REASON = "Greetings are not allowed here.";
const POLICY = `profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - name: no greetings
          type: rules
          rules:
            - deny: ${REASON}
              any:
                - command: { program: echo }
                - command: { program: touch }
`;

interface Recording {
  /** The client's name on the pages. */
  readonly client: string;
  /** The beginning of its files. */
  readonly files: string;
}
/** The callbacks that opencode makes to a plugin; what the plugin sends is its own. */
const OPENCODE = "opencode.plugin.";
const RECORDINGS: readonly Recording[] = [
  { client: "claude-code", files: "claude-code." },
  { client: "codex", files: "codex." },
  { client: "copilot", files: "copilot." },
  { client: "copilot", files: "copilot.pascal." },
  { client: "cursor", files: "cursor." },
  { client: "gemini", files: "gemini." },
  { client: "qwen", files: "qwen." },
  { client: "cline", files: "cline." },
  { client: "docker-agent", files: "docker-agent." },
  { client: "opencode", files: OPENCODE },
];
/**
 * Recorded by other ways in, by older releases, in sub-agents, or as the other of Copilot's two forms. The calls of Cursor have one
 * id in all of its files, so one of them is played.
 */
const OTHER_RECORDINGS = /\.http\.|\.v\d|\.tui\.|\.subagent\.|copilot\.(?:pascal|camel)\.|preToolUse\.(?:MCP|Write)\./;

const ORDER = [
  ...["session_start", "user_prompt_submit", "before_llm_call", "pre_tool_use", "permission_request"],
  ...["on_tool_approval_decision", "post_tool_use", "after_llm_call", "pre_compact", "before_compaction"],
  ...["after_compaction", "on_agent_switch", "subagent_stop", "on_user_input", "notification", "on_error", "stop"],
  ...["turn_end", "session_end"],
];

const vector = z.looseObject({
  dialect: z.string(),
  client_event: z.string(),
  payload: z.record(z.string(), z.unknown()),
  expect: z.object({
    native: z.looseObject({
      session_id: z.string().default(""),
      cwd: z.string().optional(),
      hook_event_name: z.string().nullable(),
      tool_name: z.string().optional(),
      tool_use_id: z.string().optional(),
      tool_input: z.record(z.string(), z.unknown()).optional(),
      prompt: z.string().optional(),
      model_id: z.string().optional(),
    }),
    ext: z.looseObject({
      model: z.string().optional(),
      tool: z.looseObject({ command: z.string().optional() }).optional(),
    }),
  }),
});
const statedVersion = z
  .looseObject({
    cursor_version: z.string(),
    properties: z.looseObject({ info: z.looseObject({ version: z.string() }).optional() }),
  })
  .partial()
  .transform(({ cursor_version, properties }) => cursor_version ?? properties?.info?.version);
type Vector = z.infer<typeof vector>;

let db: TestDatabase;
let gateway: TestGateway;
let reader: Browser;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
  await gateway.publish(POLICY, "greetings");
  reader = browser(gateway.url);
  await reader.mutate("access.signIn", { token: gateway.linkToken });
});
afterAll(async () => {
  await gateway?.stop();
  await db?.drop();
});

function recorded(files: string): Vector[] {
  return readdirSync(VECTORS)
    .filter((name) => name.startsWith(files) && !OTHER_RECORDINGS.test(name.replace(files, ownForm)))
    .map((name): unknown => JSON.parse(readFileSync(new URL(name, VECTORS), "utf8")))
    .flatMap((one) => (files === OPENCODE ? callbackVectors(one) : [vector.parse(one)]))
    .filter(({ expect: { native } }) => native.hook_event_name !== null)
    .sort((one, other) => placeOf(one) - placeOf(other));
}
/** Its own form is no other one. */
const ownForm = (files: string) => files.replace("pascal.", "");
const placeOf = (one: Vector) => ORDER.indexOf(one.expect.native.hook_event_name ?? "");

/** A recorded callback with the facts that the plugin must send; none for a callback that it does not have. */
function callbackVectors(recording: unknown): Vector[] {
  const { callback, native } = recordedCallback(recording);
  if (native === null) return [];
  const { command } = z.looseObject({ command: z.string().optional() }).parse(native.tool_input ?? {});
  const facts = { native, ext: command === undefined ? {} : { tool: { command } } };
  return [vector.parse({ ...callback, dialect: "opencode", expect: facts })];
}

/** opencode makes callbacks to our plugin, which asks the gateway; the other clients' payloads are sent as they are. */
async function playCallbacks(vectors: readonly Vector[], key: string): Promise<void> {
  const plugin = await opencodePlugin(gateway.url, key);
  const denied: string[] = [];
  for (const one of vectors) {
    const reason = await plugin.call(recordedCallback(one).callback);
    if (reason !== null) denied.push(reason);
  }
  expect(denied).toEqual([expect.stringContaining(REASON)]);
  await plugin.remove();
  await gateway.projected();
}

async function play(vectors: readonly Vector[], key: string): Promise<void> {
  for (const { dialect, client_event, payload } of vectors) {
    const answer = await fetch(`${gateway.url}/api/v1/hooks/${dialect}/${client_event}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(payload),
    });
    expect(answer.status, client_event).toBe(200);
  }
  await gateway.projected();
}

async function read<T>(path: string, input: unknown, view: z.ZodType<T>): Promise<T> {
  const answer = await reader.query(path, input);
  expect(answer.status, `${path}: ${answer.text.slice(0, 300)}`).toBe(200);
  return view.parse(answer.value);
}

const range = () => ({ from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000) });
const ofEvent = (vectors: readonly Vector[], event: string) =>
  vectors.filter(({ expect: { native } }) => native.hook_event_name === event).map(({ expect: facts }) => facts);

describe.each(RECORDINGS)("the facts of $files", ({ client, files }) => {
  const name = `${files}recorded`;
  const vectors = recorded(files);
  const gates = ofEvent(vectors, "pre_tool_use");
  const finals = new Set(ofEvent(vectors, "on_tool_approval_decision").map(({ native }) => native.tool_use_id));
  const denied = gates.filter(
    ({ ext, native }) => ext.tool?.command?.startsWith("echo ") && !finals.has(native.tool_use_id),
  );
  const sessionIds = [...new Set(vectors.map(({ expect: { native } }) => native.session_id))];
  let agentId: string;
  beforeAll(async () => {
    const key = await gateway.agent(name);
    await (files === OPENCODE ? playCallbacks : play)(vectors, key);
    const { rows } = await db.owner.query<{ id: string }>("SELECT id FROM agent WHERE name = $1", [name]);
    agentId = rows[0]?.id ?? "";
  });

  const callsOf = async () =>
    (await read("decisions.calls", { range: range(), limit: 200 }, callPage)).rows.filter(
      (row) => row.agentId === agentId,
    );
  const sessionsOf = async () =>
    (await read("sessions.list", { ...range(), limit: 200 }, sessionsView)).sessions.filter(
      (one) => one.agentId === agentId,
    );

  test("are in Calls: tool, session, arguments, verdict and reason", async () => {
    const calls = await callsOf();
    expect(gates.length).toBeGreaterThan(0);
    for (const { native, ext } of gates) {
      const call = calls.find(
        (one) =>
          one.tool === native.tool_name &&
          one.toolUseId === (native.tool_use_id ?? null) &&
          one.sessionId === native.session_id,
      );
      expect(call, `${native.tool_name}`).toBeDefined();
      if (call === undefined) continue;
      const detail = await read("decisions.get", { occurredAt: call.occurredAt, id: call.id }, decisionDetail);
      expect(detail.input?.text).toContain(`"cwd":${JSON.stringify(native.cwd)}`);
      for (const value of Object.values(native.tool_input ?? {}))
        if (typeof value === "string" && value.length < 60)
          expect(JSON.stringify(detail.toolInput)).toContain(JSON.stringify(value));
      if (ext.tool?.command !== undefined) expect(call.excerpt).toContain(ext.tool.command.slice(0, 40));
    }
    const denials = calls
      .flatMap(({ chain }) => chain)
      .filter(({ kind, verdict }) => kind === "gate" && verdict === "deny");
    expect(denials.length).toBeGreaterThan(0);
    for (const { reason } of denials) expect(reason).toContain(REASON);
  });

  test("are in Calls: each result, also where the client names no call", async () => {
    const calls = await callsOf();
    // Without an id, a result belongs to the call with the same arguments; one recording of Cursor has a gate with others.
    const isOfGate = ({ native }: Vector["expect"]) =>
      native.tool_use_id !== undefined ||
      gates.some((gate) => JSON.stringify(gate.native.tool_input) === JSON.stringify(native.tool_input));
    for (const { native } of ofEvent(vectors, "post_tool_use").filter(isOfGate)) {
      const call = calls.find(
        (one) =>
          one.toolUseId === (native.tool_use_id ?? null) &&
          one.sessionId === native.session_id &&
          one.tool === native.tool_name,
      );
      if (call === undefined) continue;
      expect(call.ran, `${native.tool_name}`).not.toBeNull();
      const { callRecords } = await read("decisions.get", { occurredAt: call.occurredAt, id: call.id }, decisionDetail);
      expect(callRecords.map(({ event }) => event)).toContain("post_tool_use");
    }
  });

  test("are in Sessions: each id, the first prompt as the title, and the denied calls", async () => {
    const sessions = await sessionsOf();
    expect(sessions.map(({ sessionId }) => sessionId).sort()).toEqual([...sessionIds].sort());
    for (const { native } of ofEvent(vectors, "user_prompt_submit").slice(0, 1))
      expect(sessions.find(({ sessionId }) => sessionId === native.session_id)?.title).toContain(
        native.prompt?.trim().slice(0, 40),
      );
    expect(sessions.reduce((sum, one) => sum + one.denied, 0)).toBeGreaterThanOrEqual(denied.length);
    const withDenials = await read("sessions.list", { ...range(), traits: ["denials"], limit: 200 }, sessionsView);
    expect(withDenials.sessions.some((one) => one.agentId === agentId)).toBe(denied.length > 0);
  });

  test("are in the timeline: each event, with its model where the payload names one", async () => {
    for (const sessionId of sessionIds) {
      const sent = vectors.filter(({ expect: { native } }) => native.session_id === sessionId);
      const outline = await read("sessions.outline", { agentId, sessionId }, outlineView);
      expect(JSON.stringify(outline)).toContain(sessionId);
      const { rows } = await read("sessions.rows", { agentId, sessionId, from: outline.pages[0], to: null }, rowsView);
      // A timeline also holds the events of sub-sessions.
      expect(rows.length).toBeGreaterThanOrEqual(sent.length);
      const texts = await Promise.all(
        rows.map(async ({ key }) => JSON.stringify(await read("sessions.event", key, eventView))),
      );
      for (const {
        expect: { native, ext },
      } of sent) {
        const model = ext.model ?? native.model_id;
        if (model !== undefined)
          expect(
            texts.some((text) => text.includes(model)),
            model,
          ).toBe(true);
      }
    }
  });

  test("are in Agents: the client, its version where a payload names it, and the calls", async () => {
    const { row } = await read("agents.get", { agentId }, agentDetail);
    expect(row.client).toBe(client);
    const version = vectors.map(({ payload }) => statedVersion.parse(payload)).find((one) => one !== undefined);
    if (version !== undefined) expect(row.clientVersion).toBe(version);
    expect(row.figures.calls).toBeGreaterThan(0);
    expect(row.figures.denied).toBeGreaterThan(0);
  });

  test("are in Tools, Rule performance, search and Home", async () => {
    const tools = (await read("inventory.list", { agentIds: [agentId], limit: 200 }, toolsPage)).rows;
    for (const { native } of gates) expect(tools.map(({ tool }) => tool)).toContain(native.tool_name);
    const { cards } = await read("rules.cards", range(), ruleCards);
    expect(cards.find(({ hook }) => hook === "no greetings")?.outcomes.denied).toBeGreaterThan(0);
    for (const sessionId of sessionIds)
      expect(JSON.stringify(await read("search.find", { text: sessionId }, searchResults))).toContain(sessionId);
    expect((await read("overview.summary", range(), overviewSummary)).gatesDenied).toBeGreaterThan(0);
  });

  test("are in Compactions and Costs where the client reports them", async () => {
    const compactions = [...ofEvent(vectors, "pre_compact"), ...ofEvent(vectors, "before_compaction")];
    const { attempts } = await read("compactions.list", { ...range(), limit: 200 }, compactionsView);
    for (const { native } of compactions)
      expect(attempts.some((one) => one.agentId === agentId && one.sessionId === native.session_id)).toBe(true);
    const { calls } = await read("costs.calls", { ...range(), limit: 200 }, costCallsView);
    for (const { native, ext } of client === "gemini" ? [] : ofEvent(vectors, "after_llm_call")) {
      const call = calls.find((one) => one.agentId === agentId && one.sessionId === native.session_id);
      expect(call?.modelId).toContain(native.model_id ?? ext.model);
    }
  });
});
