/**
 * The facts of a dispatch: the values that figures are derived from and that no other column holds, without any text of
 * the conversation. They are part of the row's leaf, and stay when the content is erased. Names among them are cut like
 * keys.
 */
import { z } from "zod";
import { type CallPrincipal, callPrincipal } from "../access/principal-schema.ts";
import type { HookRow } from "./hook-rows.ts";
import type { JudgeRow } from "./judge-rows.ts";
import { indexKeyText } from "./pg-text.ts";
import type { CallRow, CompactionRow } from "./projection.ts";
import { HOOK_OUTCOMES } from "./schema.ts";
import type { ProjectedRecord } from "./tables.ts";

const count = z.number().int().nonnegative();
const digits = z.string().regex(/^\d+(\.\d+)?$/);

const judgeFacts = z.strictObject({
  cause: z.string().optional(),
  /** Nano-dollars. Null: answered, but the price is unknown. Absent: no answer. */
  cost: digits.nullable().optional(),
  label: z.string().optional(),
  latencyMs: z.number().optional(),
  model: z.string(),
  provider: z.string(),
  usage: z
    .strictObject({
      cacheWriteTokens: count.optional(),
      cachedInputTokens: count.optional(),
      inputTokens: count,
      outputTokens: count,
      reasoningTokens: count.optional(),
    })
    .optional(),
  verdict: z.string(),
});

const hookFacts = z.strictObject({
  isDeciding: z.literal(true).optional(),
  isJudge: z.literal(true).optional(),
  judge: judgeFacts.optional(),
  /** The bucket of its duration (latency.ts). */
  latency: z.number().int(),
  name: z.string(),
  outcome: z.enum(HOOK_OUTCOMES),
  policy: z.string(),
  revision: z.number().int(),
});

export const dispatchFacts = z.strictObject({
  /** A rule sent the call to people. */
  asked: z.literal(true).optional(),
  call: z
    .strictObject({
      /** Dollars, with every reported digit; absent for an unpriced call. */
      cost: digits.optional(),
      /** Set if the client itself computed the cost. */
      isEstimate: z.literal(true).optional(),
      model: z.string(),
      /** Absent: the call reported no usage. An absent counter was not reported. */
      usage: z
        .strictObject({
          cachedInput: count.optional(),
          cachedWrite: count.optional(),
          input: count.optional(),
          output: count.optional(),
          reasoning: count.optional(),
        })
        .optional(),
    })
    .optional(),
  /** The dialect of the event; absent for native input, empty for an unknown dialect. */
  client: z.string().max(40).optional(),
  compaction: z
    .strictObject({
      contextLimit: count.optional(),
      effect: z.enum(["nothing", "vetoed", "replaced", "steered", "applied"]),
      inputTokens: count.optional(),
      outputTokens: count.optional(),
      reason: z.string(),
      /** By rule; absent when they were not counted. */
      secrets: z.array(z.tuple([z.string(), count])).optional(),
      summaryBytes: count.optional(),
    })
    .optional(),
  /** The report of a call that was counted at its last gate. */
  counted: z.literal(true).optional(),
  decision: z.strictObject({ kind: z.enum(["gate", "final"]), source: z.string(), verdict: z.string() }).optional(),
  /** The event's own subtype, for events that have one. */
  detail: z.string().optional(),
  /** A known-bad call of a drill: no figure counts it. */
  drill: z.literal(true).optional(),
  /** Hooks of the call's earlier gates ran for it, gave a verdict, or sent it to a person. */
  earlier: z.enum(["ran", "decided", "asked"]).optional(),
  /** The event decides over a tool call. */
  gate: z.literal(true).optional(),
  /** In their order. */
  hooks: z.array(hookFacts).optional(),
  parentSession: z.string().optional(),
  /** The person or service that the call was made for; absent: unknown. */
  principal: callPrincipal.optional(),
  /** For a refused model call: the name under which its cost was reserved, if that is not the dispatch's id. */
  request: z.string().optional(),
  /** The skill that a call loads: a name. */
  skill: z.string().optional(),
});

/** Events whose `detail` is a counting key; for others it may be arbitrary text. */
const DETAILED = new Set(["before_llm_call", "notification", "session_end", "session_start", "turn_end"]);

/** RFC 8785 text: members are written in their order, and absent ones not at all. */
export function factsText({ record, projection, isGate, client, hooks, judges, request }: ProjectedRecord): string {
  const { call, compaction, decision, detail, parentSessionId } = projection;
  return JSON.stringify({
    asked: record.isAsked,
    call: call === null ? undefined : callFacts(call, record.cost?.usd),
    client: client === "docker-agent" ? undefined : (client ?? ""),
    compaction: compaction === null ? undefined : compactionFacts(compaction),
    counted: record.isCountedAtGate,
    decision:
      decision === null ? undefined : { kind: decision.kind, source: decision.source, verdict: decision.verdict },
    detail: detail !== null && DETAILED.has(record.event) ? indexKeyText(detail) : undefined,
    drill: record.isDrill,
    earlier: record.earlierRules,
    gate: isGate || undefined,
    hooks: hooks.length === 0 ? undefined : hooks.map((hook) => factsOfHook(hook, judges)),
    parentSession: record.event === "subagent_stop" ? known(parentSessionId) : undefined,
    principal: record.principal && factsOfPrincipal(record.principal),
    request: isRefusedCall(record) && request !== record.id ? request : undefined,
    skill: projection.skill,
  });
}

/** True if the call was not made, so that it costs nothing. */
export const isRefusedCall = ({ event, verdict }: ProjectedRecord["record"]): boolean =>
  event === "before_llm_call" && verdict === "deny";

const known = <T>(value: T | null): T | undefined => value ?? undefined;

const factsOfPrincipal = ({ certainty, id, named, source }: CallPrincipal) => ({ certainty, id, named, source });

function callFacts({ modelId, isClientEstimate, hasUsage, tokens }: CallRow, cost: string | undefined) {
  const { cachedInput, cachedWrite, input, output, reasoning } = tokens;
  const usage = {
    cachedInput: known(cachedInput),
    cachedWrite: known(cachedWrite),
    input: known(input),
    output: known(output),
    reasoning: known(reasoning),
  };
  const isEstimate = (isClientEstimate && cost !== undefined) || undefined;
  return { cost, isEstimate, model: modelId, usage: hasUsage ? usage : undefined };
}

function compactionFacts(compaction: CompactionRow) {
  const { contextLimit, effect, inputTokens, outputTokens, reason, secrets, summaryBytes } = compaction;
  return {
    contextLimit: known(contextLimit),
    effect,
    inputTokens: known(inputTokens),
    outputTokens: known(outputTokens),
    reason,
    secrets: secrets === null ? undefined : JSON.parse(secrets),
    summaryBytes: known(summaryBytes),
  };
}

function factsOfHook({ place, ...hook }: HookRow, judges: readonly JudgeRow[]) {
  const judge = judges.find((one) => one.place === place);
  return {
    isDeciding: hook.isDeciding || undefined,
    isJudge: hook.isJudge || undefined,
    judge: judge && factsOfJudge(judge),
    latency: hook.latency,
    name: hook.hook,
    outcome: hook.outcome,
    policy: hook.policy,
    revision: hook.revision,
  };
}

function factsOfJudge({ cause, costNano, label, latencyMs, model, pricing, provider, usage, verdict }: JudgeRow) {
  return {
    cause: cause === "" ? undefined : cause,
    cost: pricing === "unanswered" ? undefined : costNano === null ? null : String(costNano),
    label: known(label),
    latencyMs: known(latencyMs),
    model,
    provider,
    usage: usage === null ? undefined : tokensOf(usage),
    verdict,
  };
}

function tokensOf(usage: NonNullable<JudgeRow["usage"]>) {
  const { cacheWriteTokens, cachedInputTokens, inputTokens, outputTokens, reasoningTokens } = usage;
  return { cacheWriteTokens, cachedInputTokens, inputTokens, outputTokens, reasoningTokens };
}
