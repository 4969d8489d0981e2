import { afterEach, beforeEach, expect, test } from "vitest";
import { startReceiver } from "../../e2e/fixtures/receiver.ts";
import { createLog } from "../platform/log.ts";
import { type DispatchRecord, type ProjectedRecord, pgText } from "../recording/index.ts";
import { createTelemetry } from "./service.ts";

let collector: Awaited<ReturnType<typeof startReceiver>>;
beforeEach(async () => {
  collector = await startReceiver();
});
afterEach(() => collector.stop());

const settings = () => ({
  endpoint: collector.url,
  headers: { "x-team": "core" },
  serviceName: "deck",
  timeoutMs: 2_000,
  metricsEveryMs: 60_000,
});
const SECRET = "the words of a person";
let count = 0;
const NO_CALL = { call: null, compaction: null, decision: null, toolError: null, detail: null };

function entry(
  event: string,
  input: Readonly<Record<string, unknown>>,
  over: Partial<DispatchRecord> = {},
  of: Partial<ProjectedRecord["projection"]> = {},
): ProjectedRecord {
  count += 1;
  const occurredAt = new Date(Date.UTC(2026, 10, 22, 12, 0, count));
  const record: DispatchRecord = {
    id: `00000000-0000-7000-8000-${String(count).padStart(12, "0")}`,
    workspaceId: "w",
    occurredAt,
    receivedAt: occurredAt,
    agentId: "a",
    agentName: "builder",
    event,
    lane: "default",
    origin: "dispatch",
    input,
    inputText: JSON.stringify(input),
    cost: null,
    verdict: "none",
    reason: SECRET,
    revision: "r",
    durationUs: 1_500,
    answer: { message: SECRET },
    hooks: [],
    delivery: null,
    ...over,
  };
  const names = { sessionId: "s-1", parentSessionId: null, toolName: null, toolUseId: null };
  const projection = { ...NO_CALL, ...names, ...of };
  return {
    record,
    projection,
    isGate: false,
    client: null,
    request: record.id,
    occurredAt: occurredAt.toISOString(),
    agentName: "builder",
    judges: [],
    hooks: [],
  };
}

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}
// Holds: the stub reads what the exporter of OTLP's JSON writes.
const spansSent = (): Span[] =>
  collector.received
    .filter(({ path }) => path === "/v1/traces")
    .flatMap(({ text }) => JSON.parse(text).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans);
const attribute = (span: Span | undefined, key: string) =>
  Object.values(span?.attributes.find((one) => one.key === key)?.value ?? {})[0];

test("a session is one trace of chats, tools, dispatches, hooks and judges, without a word that was said", async () => {
  const telemetry = createTelemetry(settings(), createLog("silent"));
  const hook = {
    ...{ policy: "guard", revision: 3, path: "hooks[0]", name: "risk", type: "model", outcome: "failed", said: SECRET },
    ...{ failure: SECRET, startedMs: 0.2, durationMs: 1, stdout: SECRET, stderr: SECRET },
    judge: {
      ...{ model: "openai/gpt-5", prompt: SECRET, system: SECRET, reply: SECRET, latencyMs: 0.5, cause: "timed_out" },
      usage: { inputTokens: 100, outputTokens: 5, cachedInputTokens: 40 },
    },
  };
  const tool = { toolName: "shell", toolUseId: "t-1" };
  const tokens = { input: 1_000, output: 50, cachedInput: 400, cachedWrite: 20, reasoning: 7 };
  const call = { modelId: "anthropic/claude", isClientEstimate: false, hasUsage: true, tokens };
  telemetry.take([
    entry("session_start", { prompt: SECRET }),
    entry("before_llm_call", { messages: [SECRET] }),
    entry("after_llm_call", { stop_response: SECRET }, { cost: { nano: 4_200_000n, usd: "0.0042" } }, { call }),
    entry("pre_tool_use", { tool_input: { cmd: SECRET } }, { verdict: "deny", hooks: [hook] }, tool),
    entry("post_tool_use", { tool_response: SECRET }, {}, { ...tool, toolError: true }),
    entry("session_end", {}),
  ]);
  await telemetry.close();

  const spans = spansSent();
  const named = (name: string) => spans.find((span) => span.name === name);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  const root = named("invoke_agent builder");
  const chat = named("chat claude");
  expect([chat?.parentSpanId, root?.parentSpanId]).toEqual([root?.spanId, undefined]);
  expect(attribute(chat, "gen_ai.provider.name")).toBe("anthropic");
  expect(Number(attribute(chat, "gen_ai.usage.input_tokens"))).toBe(1_420);
  expect(Number(attribute(chat, "gen_ai.usage.cache_read.input_tokens"))).toBe(400);
  expect(attribute(chat, "quarterdeck.cost.usd")).toBe(0.0042);
  expect(attribute(chat, "gen_ai.conversation.id")).toBe("s-1");
  const took = (span: Span | undefined) =>
    Number(BigInt(span?.endTimeUnixNano ?? 0) - BigInt(span?.startTimeUnixNano ?? 0));
  expect([took(chat) / 1e6, took(root) / 1e9]).toEqual([998.5, 5]);
  expect(attribute(named("execute_tool shell"), "gen_ai.tool.call.id")).toBe("t-1");
  expect(named("execute_tool shell")?.status.code).toBe(2);
  const dispatch = named("dispatch pre_tool_use");
  expect(attribute(dispatch, "quarterdeck.verdict")).toBe("deny");
  expect(named("hook risk")?.parentSpanId).toBe(dispatch?.spanId);
  expect(named("chat gpt-5")?.parentSpanId).toBe(named("hook risk")?.spanId);
  expect(Number(attribute(named("chat gpt-5"), "gen_ai.usage.input_tokens"))).toBe(100);
  expect(collector.received.map(({ text }) => text).join("")).not.toContain(SECRET);
  expect(collector.received.every(({ headers }) => headers["x-team"] === "core")).toBe(true);

  const metrics = collector.received.find(({ path }) => path === "/v1/metrics");
  for (const name of [
    ...["gen_ai.client.token.usage", "gen_ai.client.operation.duration", "quarterdeck.dispatches"],
    ...["quarterdeck.denials", "quarterdeck.hook.duration", "quarterdeck.recorder.lag", "quarterdeck.cost"],
  ])
    expect(metrics?.text).toContain(`"${name}"`);
  expect(telemetry.state()).toEqual({ sent: spans.length, dropped: 0, failure: null });
});

test("what the collector refuses or has no room is dropped, counted and said, and nobody waits for it", async () => {
  collector.answer(400);
  const telemetry = createTelemetry(settings(), createLog("silent"));
  telemetry.take(Array.from({ length: 5_000 }, () => entry("turn_start", { text: pgText(SECRET) })));
  expect(telemetry.state().dropped).toBe(904);
  await telemetry.close();
  expect(telemetry.state().sent).toBe(0);
  expect(telemetry.state().dropped).toBeGreaterThan(904);
  expect(telemetry.state().failure).not.toBeNull();
});

test.each(["http://169.254.169.254:4318", "http://[fd00:ec2::254]", "http://[::ffff:169.254.169.254]/otlp"])(
  "%s is no collector: a cloud's addresses that hand out credentials are never asked",
  (endpoint) => {
    expect(() => createTelemetry({ ...settings(), endpoint }, createLog("silent"))).toThrow(
      "which this server never asks",
    );
  },
);

test("a collector is found by its name", async () => {
  const endpoint = collector.url.replace("127.0.0.1", "localhost");
  const named = createTelemetry({ ...settings(), endpoint }, createLog("silent"));
  named.take([entry("session_end", {})]);
  await named.close();
  expect(named.state()).toMatchObject({ dropped: 0, failure: null });
  expect(collector.received.map(({ path }) => path)).toContain("/v1/traces");
});
