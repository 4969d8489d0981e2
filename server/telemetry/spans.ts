/**
 * Exports records as spans of OpenTelemetry's GenAI conventions. Names, counts and verdicts only: no prompt, input,
 * output or reason is ever an attribute. An unknown start is not invented: such a span has no duration.
 */

import { type Attributes, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { LRUCache } from "lru-cache";
import type { ProjectedRecord } from "../recording/index.ts";
import type { StoredHook } from "../recording/schema.ts";
import { rootIdOf, spanIdOf, traceIdOf } from "./ids.ts";

export interface PlainSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly isError: boolean;
  readonly attributes: Attributes;
  /** The root of the session that began this one. */
  readonly linkTo?: { readonly traceId: string; readonly spanId: string };
}

/** Starts that are remembered until their end comes; the oldest are forgotten. */
const STARTS_MAX = 50_000;
const HOOKS_MAX = 64;
const TEXT_MAX = 256;

export interface Spanner {
  spansOf(entry: ProjectedRecord): PlainSpan[];
}

export function createSpanner(): Spanner {
  const starts = new LRUCache<string, number>({ max: STARTS_MAX });
  const keyOf = (what: string, { record, projection }: ProjectedRecord, id = "") =>
    [what, record.workspaceId, record.agentId, projection.sessionId, id].join("\n");

  /** Stores starts, and returns the start of an event that ends; undefined when its start was not seen. */
  function startOf(entry: ProjectedRecord, atMs: number): number | undefined {
    const { record, projection } = entry;
    const session = keyOf("session", entry);
    if (projection.sessionId !== "" && !starts.has(session)) starts.set(session, atMs);
    const tool = projection.toolUseId === null ? null : keyOf("tool", entry, projection.toolUseId);
    if (record.event === "pre_tool_use" && tool !== null) starts.set(tool, atMs + record.durationUs / 1_000);
    if (record.event === "before_llm_call") starts.set(keyOf("call", entry), atMs + record.durationUs / 1_000);
    if (record.event === "post_tool_use") return tool === null ? undefined : taken(tool);
    if (record.event === "after_llm_call") return taken(keyOf("call", entry));
    if (record.event === "session_end") return taken(session);
    return undefined;
  }

  function taken(key: string): number | undefined {
    const startMs = starts.get(key);
    starts.delete(key);
    return startMs;
  }

  return {
    spansOf(entry) {
      const atMs = entry.record.occurredAt.getTime();
      const startMs = startOf(entry, atMs);
      const work = workOf(entry, startMs === undefined ? atMs : Math.min(startMs, atMs), atMs);
      return [...(work ? [work] : []), ...dispatchSpans(entry, atMs)];
    },
  };
}

/** The agent's work whose end this event reports: a session, a model call, a tool. */
function workOf(entry: ProjectedRecord, startMs: number, endMs: number): PlainSpan | null {
  const { record, projection } = entry;
  const whose = whoseOf(entry);
  const times = { startMs, endMs };
  const child = { traceId: whose.traceId, parentId: whose.rootId, ...times };
  if (record.event === "session_end" || record.event === "subagent_stop") {
    const parent = projection.parentSessionId;
    return {
      name: `invoke_agent ${cut(record.agentName)}`,
      kind: SpanKind.INTERNAL,
      traceId: whose.traceId,
      spanId: rootIdOf(record.workspaceId, projection.sessionId),
      parentId: undefined,
      ...times,
      isError: false,
      attributes: { "gen_ai.operation.name": "invoke_agent", ...whose.attributes },
      ...(parent === null
        ? {}
        : {
            linkTo: {
              traceId: traceIdOf(record.workspaceId, parent, ""),
              spanId: rootIdOf(record.workspaceId, parent),
            },
          }),
    };
  }
  if (projection.call) {
    const { provider, model } = modelOf(projection.call.modelId);
    return {
      name: `chat ${model}`,
      kind: SpanKind.CLIENT,
      spanId: spanIdOf(record.id, "call"),
      ...child,
      isError: false,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": model,
        ...whose.attributes,
        ...usageOf(projection.call.tokens),
        "quarterdeck.cost.is_known": record.cost !== null,
        ...(record.cost === null ? {} : { "quarterdeck.cost.usd": Number(record.cost.nano) / 1e9 }),
      },
    };
  }
  if (record.event !== "post_tool_use" || projection.toolName === null) return null;
  return {
    name: `execute_tool ${cut(projection.toolName)}`,
    kind: SpanKind.INTERNAL,
    spanId: spanIdOf(record.id, "tool"),
    ...child,
    isError: projection.toolError === true,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      ...whose.attributes,
      ...toolOf(entry),
      ...(projection.toolError === true ? { "error.type": "tool_error" } : {}),
    },
  };
}

/** The dispatch, its hooks, and what judges were asked. */
function dispatchSpans(entry: ProjectedRecord, atMs: number): PlainSpan[] {
  const { record } = entry;
  const { traceId, rootId, attributes } = whoseOf(entry);
  const spanId = spanIdOf(record.id);
  const failed = record.hooks.filter(({ outcome }) => outcome === "failed").length;
  const dispatch: PlainSpan = {
    name: `dispatch ${record.event}`,
    kind: record.origin === "dispatch" ? SpanKind.SERVER : SpanKind.INTERNAL,
    traceId,
    spanId,
    parentId: rootId,
    startMs: atMs,
    endMs: atMs + record.durationUs / 1_000,
    isError: failed > 0,
    attributes: {
      ...attributes,
      ...toolOf(entry),
      "quarterdeck.dispatch.id": record.id,
      "quarterdeck.workspace.id": record.workspaceId,
      "quarterdeck.event": record.event,
      "quarterdeck.lane": record.lane,
      "quarterdeck.origin": record.origin,
      "quarterdeck.verdict": record.verdict,
      "quarterdeck.revision": record.revision,
      "quarterdeck.hooks": record.hooks.length,
      "quarterdeck.hooks_failed": failed,
    },
  };
  const of = { traceId, dispatchId: record.id, parentId: spanId, atMs };
  return [dispatch, ...record.hooks.slice(0, HOOKS_MAX).flatMap((hook, place) => hookSpans(hook, place, of))];
}

interface Of {
  readonly traceId: string;
  readonly dispatchId: string;
  readonly parentId: string;
  readonly atMs: number;
}

function hookSpans(hook: StoredHook, place: number, { traceId, dispatchId, parentId, atMs }: Of): PlainSpan[] {
  const spanId = spanIdOf(dispatchId, "hook", String(place));
  const startMs = atMs + hook.startedMs;
  const endMs = startMs + hook.durationMs;
  const isError = hook.outcome === "failed";
  const span: PlainSpan = {
    name: `hook ${cut(hook.name)}`,
    kind: SpanKind.INTERNAL,
    traceId,
    spanId,
    parentId,
    startMs,
    endMs,
    isError,
    attributes: {
      "quarterdeck.hook.name": cut(hook.name),
      "quarterdeck.hook.type": hook.type,
      "quarterdeck.hook.outcome": hook.outcome,
      "quarterdeck.hook.path": cut(hook.path),
      "quarterdeck.policy.name": cut(hook.policy),
      "quarterdeck.policy.revision": hook.revision,
      "quarterdeck.hook.ran_on": hook.ranOn ?? "server",
    },
  };
  const { judge } = hook;
  if (!judge) return [span];
  const { provider, model } = modelOf(judge.model);
  const { usage } = judge;
  const asked: PlainSpan = {
    name: `chat ${model}`,
    kind: SpanKind.CLIENT,
    traceId,
    spanId: spanIdOf(dispatchId, "judge", String(place)),
    parentId: spanId,
    startMs: judge.latencyMs === undefined ? startMs : Math.max(startMs, endMs - judge.latencyMs),
    endMs,
    isError: judge.cause !== undefined,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": judge.provider ?? provider,
      "gen_ai.request.model": model,
      "quarterdeck.judge": true,
      ...(judge.cause === undefined ? {} : { "error.type": judge.cause }),
      ...(usage
        ? usageOf({
            input: usage.inputTokens - (usage.cachedInputTokens ?? 0) - (usage.cacheWriteTokens ?? 0),
            output: usage.outputTokens,
            cachedInput: usage.cachedInputTokens ?? null,
            cachedWrite: usage.cacheWriteTokens ?? null,
            reasoning: usage.reasoningTokens ?? null,
          })
        : {}),
      ...(judge.costNano ? { "quarterdeck.cost.usd": Number(judge.costNano) / 1e9 } : {}),
    },
  };
  return [span, asked];
}

function whoseOf({ record, projection }: ProjectedRecord) {
  const { workspaceId, agentId, agentName } = record;
  const { sessionId } = projection;
  return {
    traceId: traceIdOf(workspaceId, sessionId, record.id),
    rootId: sessionId === "" ? undefined : rootIdOf(workspaceId, sessionId),
    attributes: {
      "gen_ai.agent.id": agentId,
      "gen_ai.agent.name": cut(agentName),
      ...(sessionId === "" ? {} : { "gen_ai.conversation.id": cut(sessionId) }),
    },
  };
}

const toolOf = ({ projection: { toolName, toolUseId } }: ProjectedRecord): Attributes => ({
  ...(toolName === null ? {} : { "gen_ai.tool.name": cut(toolName) }),
  ...(toolUseId === null ? {} : { "gen_ai.tool.call.id": cut(toolUseId) }),
});

export interface Tokens {
  readonly input: number | null;
  readonly output: number | null;
  readonly cachedInput: number | null;
  readonly cachedWrite: number | null;
  readonly reasoning: number | null;
}

/** The convention counts cached tokens among the input ones; an agent reports them apart. */
export function usageOf({ input, output, cachedInput, cachedWrite, reasoning }: Tokens): Attributes {
  return {
    ...(input === null ? {} : { "gen_ai.usage.input_tokens": input + (cachedInput ?? 0) + (cachedWrite ?? 0) }),
    ...(output === null ? {} : { "gen_ai.usage.output_tokens": output }),
    ...(cachedInput === null ? {} : { "gen_ai.usage.cache_read.input_tokens": cachedInput }),
    ...(cachedWrite === null ? {} : { "gen_ai.usage.cache_creation.input_tokens": cachedWrite }),
    ...(reasoning === null ? {} : { "gen_ai.usage.reasoning.output_tokens": reasoning }),
  };
}

/** `provider/model` as agents write it. */
export function modelOf(modelId: string): { readonly provider: string; readonly model: string } {
  const slash = modelId.indexOf("/");
  return slash < 1
    ? { provider: "unknown", model: cut(modelId) }
    : { provider: cut(modelId.slice(0, slash)), model: cut(modelId.slice(slash + 1)) };
}

const cut = (text: string): string => truncateText(text, TEXT_MAX, "");

export const statusOf = ({ isError }: PlainSpan) => ({ code: isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET });
