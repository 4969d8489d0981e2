/** The rows that dashboards read, derived from one dispatch. Pure: the same record always projects to the same rows. */

import { SKILL_ARGUMENTS, SKILL_TOOLS } from "@quarterdeck/hooks";
import { argumentExcerpt, beginningOf } from "./argument-excerpt.ts";
import type { DispatchRecord } from "./dispatch-record.ts";
import { indexKeyText, pgText } from "./pg-text.ts";

/** More than any model holds, and little enough that sums of millions of calls fit PostgreSQL's bigint. */
const COUNT_MAX = 1_000_000_000_000;

type Members = Readonly<Record<string, unknown>>;
const NO_MEMBERS: Members = {};

// Plain readers and no schema: every dispatch comes through here, and a field of another type is as absent.
function textIn(members: Members, name: string): string {
  const value = members[name];
  return typeof value === "string" ? value : "";
}

function countIn(members: Members, name: string): number | null {
  const value = members[name];
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= COUNT_MAX ? value : null;
}

function membersIn(members: Members, name: string): Members | null {
  const value = members[name];
  // Holds: an object that is not an array has members of unknown types.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : null;
}

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
  /** The client computed the cost itself, from prices of its own. */
  readonly isClientEstimate: boolean;
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
  /**
   * The effect of the hooks: nothing, vetoed it, replaced the summary, steered the prompt; `applied` for a finished
   * one.
   */
  readonly effect: "nothing" | "vetoed" | "replaced" | "steered" | "applied";
  readonly effectText: string;
  readonly summary: string | null;
  readonly summaryBytes: number | null;
  /** `DispatchRecord.summarySecrets` as JSON; null when they were not counted. */
  readonly secrets: string | null;
}
export interface Projection {
  readonly sessionId: string;
  readonly parentSessionId: string | null;
  readonly toolName: string | null;
  readonly toolUseId: string | null;
  readonly toolError: boolean | null;
  /** The skill that a call loads; absent for every other call. */
  readonly skill?: string;
  /** The event's own subtype: a turn's or session's end reason, a notification's level, a source, the kind of a switch, an iteration. */
  readonly detail: string | null;
  readonly decision: DecisionRow | null;
  readonly call: CallRow | null;
  readonly compaction: CompactionRow | null;
}

/** The word at `ext.cost_source` of an input whose cost is the client's own estimate. */
export const CLIENT_ESTIMATE = "client_estimate";

function known(text: string): string | null {
  return text === "" ? null : pgText(text);
}

export function projectDispatch(record: DispatchRecord): Projection {
  const { input } = record;
  const parent = textIn(input, "parent_session_id");
  const toolError = input.tool_error;
  const skill = skillOf(textIn(input, "tool_name"), membersIn(input, "tool_input") ?? NO_MEMBERS);
  return {
    sessionId: indexKeyText(textIn(input, "session_id")),
    parentSessionId: parent === "" ? null : indexKeyText(parent),
    toolName: known(textIn(input, "tool_name")),
    toolUseId: known(textIn(input, "tool_use_id")),
    toolError: typeof toolError === "boolean" ? toolError : null,
    detail: known(
      textIn(input, "compaction_reason") ||
        textIn(input, "reason") ||
        textIn(input, "source") ||
        textIn(input, "notification_level") ||
        textIn(input, "agent_switch_kind") ||
        (record.event === "before_llm_call" ? String(countIn(input, "iteration") ?? "") : ""),
    ),
    ...(skill !== "" && { skill }),
    decision: decisionOf(record),
    call: record.event === "after_llm_call" && !isChunk(input) ? callOf(input) : null,
    compaction: compactionOf(record),
  };
}

function skillOf(tool: string, toolInput: Members): string {
  if (!SKILL_TOOLS.has(tool)) return "";
  const named = SKILL_ARGUMENTS.find((argument) => textIn(toolInput, argument) !== "");
  return named === undefined ? "" : indexKeyText(textIn(toolInput, named));
}

function decisionOf(record: DispatchRecord): DecisionRow | null {
  const { event, verdict, input } = record;
  const isFinal = event === "on_tool_approval_decision";
  const subject = verdict === "deny" && Object.hasOwn(SUBJECTS, event) ? SUBJECTS[event] : undefined;
  if (subject) return refusalOf(record, subject);
  const isRewrite = verdict === "none" && isRewritten(record);
  // An exception lifted the verdict: that is a decision too.
  const isLifted = verdict === "none" && record.hooks.some(({ exception }) => exception !== undefined);
  if (!isFinal && ((verdict === "none" && !isRewrite && !isLifted) || textIn(input, "tool_name") === "")) return null;
  const words = gateWords(record);
  if (isFinal) {
    const source = indexKeyText(textIn(input, "approval_source"));
    return { kind: "final", verdict: indexKeyText(textIn(input, "approval_decision")), source, ...words, reason: "" };
  }
  const given = isLifted ? "lifted" : isRewrite ? "rewrite" : verdict;
  return { kind: "gate", verdict: given, source: `${event}_hook_${given}`, ...words };
}

/** The words of a gate's decision over a tool call. */
export function gateWords({ input, reason }: DispatchRecord): Pick<DecisionRow, "reason" | "excerpt"> {
  const excerpt = pgText(argumentExcerpt(membersIn(input, "tool_input") ?? NO_MEMBERS));
  return { reason: pgText(reason), excerpt };
}

/** True if the hooks replaced the arguments of the tool call. */
function isRewritten({ answer }: DispatchRecord): boolean {
  return membersIn(membersIn(answer, "hook_specific_output") ?? NO_MEMBERS, "updated_input") !== null;
}

/** The fields that say what is refused on gates without a tool, from the input down to a text. */
const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  before_llm_call: ["model_id"],
  before_agent_run: ["input"],
  after_agent_complete: ["output"],
  skill_content_guard: ["skill", "name"],
  prompt_file_guard: ["prompt_file", "path"],
};

/** A refusal that is not about a tool, with its subject in the place of arguments. */
function refusalOf({ event, verdict, input, reason }: DispatchRecord, subject: readonly string[]): DecisionRow {
  const parent = subject.slice(0, -1).reduce((members, name) => membersIn(members, name) ?? NO_MEMBERS, input);
  const excerpt = pgText(beginningOf(textIn(parent, subject.at(-1) ?? "")));
  return { kind: "gate", verdict, source: `${event}_hook_${verdict}`, reason: pgText(reason), excerpt };
}

/** docker-agent names a coding harness without a provider. A model that another client names without one is that client's own. */
function modelIdIn(input: Members, dialect: string): string {
  const named = textIn(input, "model_id");
  const isNative = dialect === "" || dialect === "docker-agent";
  return isNative || named === "" || named.includes("/") ? named : `${dialect}/${named}`;
}

/** Gemini CLI fires this hook for every chunk of an answer, without the request's id or its cost. */
function isChunk(input: Members): boolean {
  const ext = membersIn(input, "ext") ?? NO_MEMBERS;
  return ext.dialect === "gemini" && ext.client_event === "AfterModel";
}

function callOf(input: Members): CallRow {
  const usage = membersIn(input, "usage");
  const counts = usage ?? NO_MEMBERS;
  const ext = membersIn(input, "ext") ?? NO_MEMBERS;
  // Native input omits a count of zero; other clients omit unknown counts.
  const unstated = (ext.dialect ?? "docker-agent") === "docker-agent" ? 0 : null;
  return {
    modelId: indexKeyText(modelIdIn(input, textIn(ext, "dialect"))),
    isClientEstimate: ext.cost_source === CLIENT_ESTIMATE,
    hasUsage: usage !== null,
    tokens: {
      input: countIn(counts, "input_tokens"),
      output: countIn(counts, "output_tokens"),
      cachedInput: countIn(counts, "cached_input_tokens"),
      cachedWrite: countIn(counts, "cached_write_tokens"),
      reasoning: usage === null ? null : (countIn(counts, "reasoning_tokens") ?? unstated),
    },
  };
}

const COMPACTION_EVENTS = new Set(["pre_compact", "before_compaction", "after_compaction"]);

function compactionOf(record: DispatchRecord): CompactionRow | null {
  if (!COMPACTION_EVENTS.has(record.event)) return null;
  const { input } = record;
  return {
    reason: indexKeyText(textIn(input, "compaction_reason") || textIn(input, "source")),
    inputTokens: countIn(input, "input_tokens"),
    outputTokens: countIn(input, "output_tokens"),
    contextLimit: countIn(input, "context_limit"),
    ...summaryOf(textIn(input, "summary")),
    secrets: record.summarySecrets === undefined ? null : JSON.stringify(record.summarySecrets),
    ...effectOf(record),
  };
}

function summaryOf(text: string): Pick<CompactionRow, "summary" | "summaryBytes"> {
  const summary = text === "" ? null : pgText(text);
  return { summary, summaryBytes: summary === null ? null : Buffer.byteLength(summary) };
}

function effectOf(record: DispatchRecord): Pick<CompactionRow, "effect" | "effectText"> {
  if (record.event === "after_compaction") return { effect: "applied", effectText: "" };
  if (record.verdict === "deny") return { effect: "vetoed", effectText: pgText(record.reason) };
  const specific = membersIn(record.answer, "hook_specific_output") ?? NO_MEMBERS;
  const summary = textIn(specific, "summary");
  if (summary !== "") return { effect: "replaced", effectText: pgText(summary) };
  const context = textIn(specific, "additional_context");
  return context === "" ? { effect: "nothing", effectText: "" } : { effect: "steered", effectText: pgText(context) };
}
