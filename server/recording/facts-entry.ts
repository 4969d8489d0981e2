/** Rebuilds the entry that figures are made from, using only a row's columns and facts. Pure; texts are empty. */
import type { z } from "zod";
import { clientNamed } from "./client.ts";
import type { DispatchRecord } from "./dispatch-record.ts";
import type { dispatchFacts } from "./facts.ts";
import { pricingOf } from "./judge-rows.ts";
import { parseCost } from "./money.ts";
import type { Projection } from "./projection.ts";
import type { StoredHook } from "./schema.ts";
import type { ProjectedRecord } from "./tables.ts";

export type DispatchFacts = z.infer<typeof dispatchFacts>;

/** Columns of the row that stay when its content is erased. */
export type FactsRow = Pick<
  DispatchRecord,
  "id" | "workspaceId" | "agentId" | "occurredAt" | "receivedAt" | "event" | "lane" | "origin" | "verdict" | "revision"
> &
  Pick<Projection, "sessionId" | "toolName" | "toolUseId" | "toolError"> & { readonly agentName: string };

/** Errors: when the cost in the facts is invalid. */
export function entryFromFacts(
  { agentName, sessionId, toolName, toolUseId, toolError, ...row }: FactsRow,
  facts: DispatchFacts,
): ProjectedRecord {
  const cost = facts.call?.cost === undefined ? null : parseCost(facts.call.cost);
  if (typeof cost === "string") throw new Error(cost);
  const hooks = hooksOf(row.event, facts);
  const failed = hooks.filter(({ outcome }) => FAILED.has(outcome));
  return {
    record: {
      ...row,
      ...{ agentName, input: {}, inputText: "{}", answer: {}, reason: "", durationUs: 0, delivery: null, cost },
      // Holds: of a record's hooks, figures count how many failed and read nothing else.
      hooks: failed.map(() => ({ outcome: "failed" }) as StoredHook),
      ...(facts.drill && { isDrill: facts.drill }),
      ...(facts.asked && { isAsked: facts.asked }),
      ...(facts.counted && { isCountedAtGate: facts.counted }),
      ...(facts.principal && { principal: facts.principal }),
      ...(facts.earlier && { earlierRules: facts.earlier }),
    },
    projection: {
      ...{ sessionId, toolName, toolUseId, toolError },
      detail: facts.detail ?? null,
      parentSessionId: facts.parentSession ?? null,
      ...(facts.skill !== undefined && { skill: facts.skill }),
      decision: facts.decision === undefined ? null : { ...facts.decision, reason: "", excerpt: "" },
      call: callOf(facts),
      compaction: compactionOf(facts),
    },
    isGate: facts.gate ?? false,
    client: clientNamed(facts.client ?? "docker-agent"),
    request: facts.request ?? row.id,
    occurredAt: row.occurredAt.toISOString(),
    agentName,
    judges: judgesOf(facts),
    hooks,
  };
}

const FAILED: ReadonlySet<string> = new Set(["failed", "timed_out", "canceled"]);

function hooksOf(event: string, { hooks = [] }: DispatchFacts): ProjectedRecord["hooks"] {
  return hooks.map(({ isDeciding = false, isJudge = false, judge: _, name: hook, ...one }, place) => ({
    ...one,
    ...{ hook, isDeciding, isJudge, place, event },
    key: `${one.policy}\0${event}\0${hook}\0${one.outcome}\0${one.latency}`,
  }));
}

function judgesOf({ hooks = [] }: DispatchFacts): ProjectedRecord["judges"] {
  return hooks.flatMap(({ judge, policy, revision, name: hook }, place) => {
    if (judge === undefined) return [];
    const { cost, label = null, latencyMs = null, cause = "", usage = null, ...rest } = judge;
    const costNano = typeof cost === "string" ? BigInt(cost) : null;
    const pricing = pricingOf(cost);
    return [{ ...rest, place, policy, revision, hook, label, latencyMs, cause, costNano, usage, pricing }];
  });
}

function callOf({ call }: DispatchFacts): Projection["call"] {
  if (call === undefined) return null;
  const { model: modelId, isEstimate = false, usage } = call;
  const tokens = {
    input: usage?.input ?? null,
    output: usage?.output ?? null,
    cachedInput: usage?.cachedInput ?? null,
    cachedWrite: usage?.cachedWrite ?? null,
    reasoning: usage?.reasoning ?? null,
  };
  return { modelId, isClientEstimate: isEstimate, hasUsage: usage !== undefined, tokens };
}

function compactionOf({ compaction }: DispatchFacts): Projection["compaction"] {
  if (compaction === undefined) return null;
  return {
    ...{ reason: compaction.reason, effect: compaction.effect, effectText: "", summary: null },
    summaryBytes: compaction.summaryBytes ?? null,
    inputTokens: compaction.inputTokens ?? null,
    outputTokens: compaction.outputTokens ?? null,
    contextLimit: compaction.contextLimit ?? null,
    secrets: compaction.secrets === undefined ? null : JSON.stringify(compaction.secrets),
  };
}
