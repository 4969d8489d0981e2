import type { Proven } from "./chain-leaves.ts";
import type { Table } from "./insert-rows.ts";
import { durationOf } from "./tables.ts";

export const dispatchTable: Table<Proven> = {
  name: "dispatch",
  columns: {
    workspace_id: ["uuid", ({ entry }) => entry.record.workspaceId],
    occurred_at: ["timestamptz", ({ entry }) => entry.occurredAt],
    agent_id: ["uuid", ({ entry }) => entry.record.agentId],
    agent_name: ["text", ({ entry }) => entry.agentName],
    session_id: ["text", ({ entry }) => entry.projection.sessionId],
    id: ["uuid", ({ entry }) => entry.record.id],
    received_at: ["timestamptz", ({ entry }) => entry.record.receivedAt.toISOString()],
    event: ["text", ({ entry }) => entry.record.event],
    lane: ["text", ({ entry }) => entry.record.lane],
    origin: ["text", ({ entry }) => entry.record.origin],
    tool_name: ["text", ({ entry }) => entry.projection.toolName],
    tool_use_id: ["text", ({ entry }) => entry.projection.toolUseId],
    tool_error: ["bool", ({ entry }) => entry.projection.toolError],
    detail: ["text", ({ entry }) => entry.projection.detail],
    verdict: ["text", ({ entry }) => entry.record.verdict],
    revision: ["text", ({ entry }) => entry.record.revision],
    duration_us: ["int4", ({ entry }) => durationOf(entry)],
    input: ["text", ({ entry }) => entry.record.inputText],
    answer: ["text", ({ answer }) => answer],
    hooks: ["text", ({ hooks }) => hooks],
    reason: ["text", ({ reason }) => reason],
    facts: ["text", ({ facts }) => facts],
    batch: ["uuid", ({ batch }) => batch],
    place: ["int4", ({ place }) => place],
    salt: ["uuid", ({ salt }) => salt],
  },
};
