/** The recorded tables, column by column, as the batch writer fills them. */

import { printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import type { ClientName } from "../dialects/schema.ts";
import { sha256 } from "../platform/secrets.ts";
import type { DispatchRecord } from "./dispatch-record.ts";
import type { HookRow } from "./hook-rows.ts";
import type { Table } from "./insert-rows.ts";
import type { JudgeRow } from "./judge-rows.ts";
import { pgText } from "./pg-text.ts";
import type { Projection } from "./projection.ts";
import { type Counts, ROLLUP_COUNTS } from "./rollup-counts.ts";

/** One record with everything that is derived from it. */
export interface ProjectedRecord {
  readonly record: DispatchRecord;
  readonly projection: Projection;
  readonly isGate: boolean;
  /** The client that raised the event; null for an unknown dialect. */
  readonly client: ClientName | null;
  /** The name that a call's cost was reserved under: its delivery's, else the dispatch's id. */
  readonly request: string;
  /** ISO instants, made once because five tables want them. */
  readonly occurredAt: string;
  readonly agentName: string;
  readonly judges: readonly JudgeRow[];
  readonly hooks: readonly HookRow[];
}

/** 35 minutes in microseconds; a hook that took longer has only "longer" on its row. */
const INT4_MAX = 2_147_483_647;
export const durationOf = (e: ProjectedRecord): number => Math.min(e.record.durationUs, INT4_MAX);

type Column = readonly [string, (entry: ProjectedRecord) => unknown];
const head: Record<string, Column> = {
  workspace_id: ["uuid", (e) => e.record.workspaceId],
  occurred_at: ["timestamptz", (e) => e.occurredAt],
};
const whose: Record<string, Column> = {
  agent_id: ["uuid", (e) => e.record.agentId],
  agent_name: ["text", (e) => e.agentName],
  session_id: ["text", (e) => e.projection.sessionId],
};

export const answerText = (e: ProjectedRecord): string => pgText(printExactJson(e.record.answer));
export const hooksText = (e: ProjectedRecord): string =>
  e.record.hooks.length === 0 ? "[]" : pgText(JSON.stringify(e.record.hooks));

export const deliveryTable: Table<ProjectedRecord> = {
  name: "delivery",
  columns: {
    ...head,
    agent_id: ["uuid", (e) => e.record.agentId],
    event_id: ["uuid", (e) => e.record.delivery?.eventId],
    body_sha256: ["bytea", (e) => e.record.delivery?.bodySha256],
    sealed_answer: ["bytea", (e) => e.record.delivery?.sealedAnswer],
    dispatch_id: ["uuid", (e) => e.record.id],
  },
  tail: "ON CONFLICT DO NOTHING RETURNING dispatch_id",
};

/** Claims the request that a call reports, among the names of deliveries: telemetry delivers it under the same name. */
export const callClaimTable: Table<ProjectedRecord> = {
  ...deliveryTable,
  columns: {
    ...deliveryTable.columns,
    event_id: ["uuid", (e) => e.record.callKey],
    body_sha256: ["bytea", (e) => sha256(`call ${e.record.callKey}`)],
    sealed_answer: ["bytea", () => null],
  },
};

const principal: Record<string, Column> = {
  principal_id: ["uuid", (e) => e.record.principal?.id],
  certainty: ["text", (e) => e.record.principal?.certainty],
};
const id: Record<string, Column> = { dispatch_id: ["uuid", (e) => e.record.id] };

export const decisionTable: Table<ProjectedRecord> = {
  name: "tool_decision",
  columns: {
    ...head,
    ...id,
    ...whose,
    ...principal,
    kind: ["text", (e) => e.projection.decision?.kind],
    event: ["text", (e) => e.record.event],
    tool_name: ["text", (e) => e.projection.toolName ?? ""],
    tool_use_id: ["text", (e) => e.projection.toolUseId],
    verdict: ["text", (e) => e.projection.decision?.verdict],
    source: ["text", (e) => e.projection.decision?.source],
    reason: ["text", (e) => e.projection.decision?.reason],
    excerpt: ["text", (e) => e.projection.decision?.excerpt],
  },
};

export const callTable: Table<ProjectedRecord> = {
  name: "llm_call",
  columns: {
    ...head,
    ...id,
    ...whose,
    ...principal,
    model_id: ["text", (e) => e.projection.call?.modelId],
    cost_nano: ["int8", (e) => e.record.cost?.nano],
    cost_usd: ["numeric", (e) => e.record.cost?.usd],
    has_usage: ["bool", (e) => e.projection.call?.hasUsage],
    input_tokens: ["int8", (e) => e.projection.call?.tokens.input],
    output_tokens: ["int8", (e) => e.projection.call?.tokens.output],
    cached_input_tokens: ["int8", (e) => e.projection.call?.tokens.cachedInput],
    cached_write_tokens: ["int8", (e) => e.projection.call?.tokens.cachedWrite],
    reasoning_tokens: ["int8", (e) => e.projection.call?.tokens.reasoning],
  },
};

export const compactionTable: Table<ProjectedRecord> = {
  name: "compaction",
  columns: {
    ...head,
    ...id,
    ...whose,
    event: ["text", (e) => e.record.event],
    reason: ["text", (e) => e.projection.compaction?.reason],
    input_tokens: ["int8", (e) => e.projection.compaction?.inputTokens],
    output_tokens: ["int8", (e) => e.projection.compaction?.outputTokens],
    context_limit: ["int8", (e) => e.projection.compaction?.contextLimit],
    effect: ["text", (e) => e.projection.compaction?.effect],
    effect_text: ["text", (e) => e.projection.compaction?.effectText],
    summary: ["text", (e) => e.projection.compaction?.summary],
    summary_bytes: ["int4", (e) => e.projection.compaction?.summaryBytes],
    secrets: ["text", (e) => e.projection.compaction?.secrets],
  },
};

export interface SessionSums {
  readonly workspaceId: string;
  readonly agentId: string;
  agentName: string;
  readonly sessionId: string;
  parentSessionId: string | null;
  firstAt: string;
  lastAt: string;
  endAt: string | null;
  endReason: string | null;
  turns: number;
  counts: Counts;
}
const sum = (name: (typeof ROLLUP_COUNTS)[number]) =>
  ["int8", (s: { counts: Counts }) => s.counts[name] ?? 0n] as const;
const TOKENS = ["input_tokens", "output_tokens", "cached_input_tokens", "cached_write_tokens"] as const;

export const sessionTable: Table<SessionSums> = {
  name: "session",
  columns: {
    workspace_id: ["uuid", (s) => s.workspaceId],
    agent_id: ["uuid", (s) => s.agentId],
    session_id: ["text", (s) => s.sessionId],
    agent_name: ["text", (s) => s.agentName],
    parent_session_id: ["text", (s) => s.parentSessionId],
    first_at: ["timestamptz", (s) => s.firstAt],
    last_at: ["timestamptz", (s) => s.lastAt],
    last_end_at: ["timestamptz", (s) => s.endAt],
    last_end_reason: ["text", (s) => s.endReason],
    events: sum("dispatches"),
    denied: sum("denied"),
    compactions: sum("compactions"),
    calls_priced: sum("calls_priced"),
    calls_free: sum("calls_free"),
    calls_unpriced: sum("calls_unpriced"),
    cost_nano: sum("cost_nano"),
    tokens: ["int8", (s) => TOKENS.reduce((total, name) => total + (s.counts[name] ?? 0n), 0n)],
    turns: ["int8", (s) => s.turns],
  },
  tail: `ON CONFLICT (workspace_id, agent_id, session_id) DO UPDATE SET
    parent_session_id = least(excluded.parent_session_id COLLATE "C", session.parent_session_id COLLATE "C"),
    agent_name = CASE WHEN excluded.first_at < session.first_at THEN excluded.agent_name
      WHEN excluded.first_at > session.first_at THEN session.agent_name
      ELSE least(excluded.agent_name COLLATE "C", session.agent_name COLLATE "C") END,
    first_at = least(session.first_at, excluded.first_at),
    last_at = greatest(session.last_at, excluded.last_at),
    last_end_reason = CASE WHEN session.last_end_at IS NULL OR excluded.last_end_at > session.last_end_at
        THEN excluded.last_end_reason
      WHEN excluded.last_end_at = session.last_end_at
        THEN least(excluded.last_end_reason COLLATE "C", session.last_end_reason COLLATE "C")
      ELSE session.last_end_reason END,
    last_end_at = greatest(session.last_end_at, excluded.last_end_at),
    events = session.events + excluded.events,
    denied = session.denied + excluded.denied,
    compactions = session.compactions + excluded.compactions,
    calls_priced = session.calls_priced + excluded.calls_priced,
    calls_free = session.calls_free + excluded.calls_free,
    calls_unpriced = session.calls_unpriced + excluded.calls_unpriced,
    cost_nano = session.cost_nano + excluded.cost_nano,
    tokens = session.tokens + excluded.tokens,
    turns = session.turns + excluded.turns`,
};

export interface BucketSums {
  readonly workspaceId: string;
  readonly bucket: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly modelId: string;
  readonly counts: Counts;
}
const rollupTable = (name: "rollup_minute" | "rollup_hour" | "rollup_day"): Table<BucketSums> => ({
  name,
  columns: {
    workspace_id: ["uuid", (b) => b.workspaceId],
    bucket: ["timestamptz", (b) => b.bucket],
    agent_id: ["uuid", (b) => b.agentId],
    agent_name: ["text", (b) => b.agentName],
    model_id: ["text", (b) => b.modelId],
    ...Object.fromEntries(ROLLUP_COUNTS.map((count) => [count, sum(count)])),
  },
  tail: `ON CONFLICT (workspace_id, bucket, agent_id, agent_name, model_id) DO UPDATE SET
    ${ROLLUP_COUNTS.map((count) => `${count} = ${name}.${count} + excluded.${count}`).join(", ")}`,
});
export const minuteTable = rollupTable("rollup_minute");
export const hourTable = rollupTable("rollup_hour");
export const dayTable = rollupTable("rollup_day");
