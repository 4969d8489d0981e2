/**
 * What dashboards read, derived from one dispatch. Pure: the same record always projects to the same rows.
 */
import { z } from "zod";
import type { DispatchRecord } from "./record.ts";
import { keyText, storable } from "./storable.ts";

const text = z.string().catch("");
/** More than any model holds, and little enough that sums of millions of calls fit PostgreSQL's bigint. */
const COUNT_MAX = 1_000_000_000_000;
const count = z.number().int().nonnegative().max(COUNT_MAX).nullable().catch(null);
const seen = z.object({
  session_id: text,
  tool_name: text,
  tool_use_id: text,
  tool_error: z.boolean().nullable().catch(null),
  tool_input: z.record(z.string(), z.unknown()).catch({}),
  approval_decision: text,
  approval_source: text,
  parent_session_id: text,
  model_id: text,
  reason: text,
  source: text,
  notification_level: text,
  compaction_reason: text,
  summary: text,
  input_tokens: count,
  output_tokens: count,
  context_limit: count,
  usage: z
    .object({
      input_tokens: count,
      output_tokens: count,
      cached_input_tokens: count,
      cached_write_tokens: count,
      reasoning_tokens: count,
    })
    .nullable()
    .catch(null),
});
type Seen = z.infer<typeof seen>;

export interface DecisionRow {
  /** `gate`: a verdict given here; `final`: how the agent's approval chain resolved the call. */
  readonly kind: "gate" | "final";
  readonly verdict: string;
  readonly source: string;
  readonly reason: string;
  readonly excerpt: string;
}
export interface CallRow {
  readonly modelId: string;
  readonly hasUsage: boolean;
  readonly tokens: Tokens;
}
export interface Tokens {
  readonly input: number | null;
  readonly output: number | null;
  readonly cachedInput: number | null;
  readonly cachedWrite: number | null;
  readonly reasoning: number | null;
}
export interface CompactionRow {
  readonly reason: string;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly contextLimit: number | null;
  /** What the hooks did: nothing, vetoed it, replaced the summary, steered the prompt; `applied` for a finished one. */
  readonly effect: "nothing" | "vetoed" | "replaced" | "steered" | "applied";
  readonly effectText: string;
  readonly summary: string | null;
}
export interface Projection {
  readonly sessionId: string;
  readonly parentSessionId: string | null;
  readonly toolName: string | null;
  readonly toolUseId: string | null;
  readonly toolError: boolean | null;
  /** The event's own distinguishing word: a turn's or session's end reason, a notification's level, a source. */
  readonly detail: string | null;
  readonly decision: DecisionRow | null;
  readonly call: CallRow | null;
  readonly compaction: CompactionRow | null;
}

const EXCERPT_MAX = 240;

export function project(record: DispatchRecord): Projection {
  const input = seen.parse(record.input);
  const known = (value: string) => (value === "" ? null : storable(value));
  return {
    sessionId: keyText(input.session_id),
    parentSessionId: input.parent_session_id === "" ? null : keyText(input.parent_session_id),
    toolName: known(input.tool_name),
    toolUseId: known(input.tool_use_id),
    toolError: input.tool_error,
    detail: known(input.compaction_reason || input.reason || input.source || input.notification_level),
    decision: decisionOf(record, input),
    call: record.event === "after_llm_call" ? callOf(input) : null,
    compaction: compactionOf(record, input),
  };
}

function decisionOf(record: DispatchRecord, input: Seen): DecisionRow | null {
  const excerpt = storable(excerptOf(input.tool_input));
  if (record.event === "on_tool_approval_decision") {
    const source = storable(input.approval_source);
    return { kind: "final", verdict: keyText(input.approval_decision), source, reason: "", excerpt };
  }
  if (record.verdict === "none" || input.tool_name === "") return null;
  const source = `${record.event}_hook_${record.verdict}`;
  return { kind: "gate", verdict: record.verdict, source, reason: storable(record.reason), excerpt };
}

/** The argument a person would read first: the command, path or address; else all of them. */
function excerptOf(toolInput: Readonly<Record<string, unknown>>): string {
  for (const key of ["cmd", "command", "path", "url", "query", "pattern"]) {
    const value = toolInput[key];
    if (typeof value === "string" && value !== "") return beginningOf(value);
  }
  const keys = Object.keys(toolInput);
  return keys.length === 0 ? "" : beginningOf(JSON.stringify(toolInput));
}

/** Cut between characters, never through one. */
function beginningOf(text: string): string {
  return text.length <= EXCERPT_MAX ? text : text.slice(0, EXCERPT_MAX).replace(/[\ud800-\udbff]$/, "");
}

function callOf(input: Seen): CallRow {
  const usage = input.usage;
  return {
    modelId: keyText(input.model_id),
    hasUsage: usage !== null,
    tokens: {
      input: usage?.input_tokens ?? null,
      output: usage?.output_tokens ?? null,
      cachedInput: usage?.cached_input_tokens ?? null,
      cachedWrite: usage?.cached_write_tokens ?? null,
      reasoning: usage === null ? null : (usage.reasoning_tokens ?? 0),
    },
  };
}

const COMPACTION_EVENTS = new Set(["pre_compact", "before_compaction", "after_compaction"]);

function compactionOf(record: DispatchRecord, input: Seen): CompactionRow | null {
  if (!COMPACTION_EVENTS.has(record.event)) return null;
  return {
    reason: storable(input.compaction_reason || input.source),
    inputTokens: input.input_tokens,
    outputTokens: input.output_tokens,
    contextLimit: input.context_limit,
    summary: input.summary === "" ? null : storable(input.summary),
    ...effectOf(record),
  };
}

function effectOf(record: DispatchRecord): Pick<CompactionRow, "effect" | "effectText"> {
  if (record.event === "after_compaction") return { effect: "applied", effectText: "" };
  if (record.verdict === "deny") return { effect: "vetoed", effectText: storable(record.reason) };
  const specific = z
    .object({
      hook_specific_output: z
        .object({ summary: text, additional_context: text })
        .catch({ summary: "", additional_context: "" }),
    })
    .parse({ hook_specific_output: record.answer.hook_specific_output }).hook_specific_output;
  if (specific.summary !== "") return { effect: "replaced", effectText: storable(specific.summary) };
  if (specific.additional_context !== "")
    return { effect: "steered", effectText: storable(specific.additional_context) };
  return { effect: "nothing", effectText: "" };
}
