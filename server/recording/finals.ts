/**
 * The agents' own last words over their calls: counted by what settled them, and held against what was said here before.
 * A gate is recorded before its answer leaves, so the final word finds it; only a report that overtakes its own does not.
 */
import type { Send } from "../platform/db.ts";
import { keyText } from "./storable.ts";
import type { Entry } from "./tables.ts";

const PARAMETERS = [
  ["workspace_id", "uuid"],
  ["at", "timestamptz"],
  ["agent_id", "uuid"],
  ["agent_name", "text"],
  ["session_id", "text"],
  ["tool_use_id", "text"],
  ["tool_name", "text"],
  ["source", "text"],
  ["verdict", "text"],
] as const;
const FINALS = `unnest(${PARAMETERS.map(([, type], index) => `$${index + 1}::${type}[]`).join(", ")})
  AS final (${PARAMETERS.map(([name]) => name).join(", ")})`;

const SOURCE_MAX = 64;
const TOOL_MAX = 128;
/** A person may take long to answer, and two machines' clocks differ. */
const OF_THE_CALL = `gate.workspace_id = final.workspace_id AND gate.session_id = final.session_id
  AND gate.tool_use_id::name = final.tool_use_id::name AND gate.tool_use_id = final.tool_use_id
  AND gate.agent_id = final.agent_id
  AND gate.occurred_at BETWEEN final.at - interval '1 day' AND final.at + interval '1 minute'`;

/** Whether the hook whose word the agent followed had asked a model. Only a hook's word is looked up. */
const BY_JUDGE = `(final.source LIKE '%\\_hook\\_%' OR final.source IN ('tool_guard_deny', 'tool_input_transform_deny'))
  AND EXISTS (SELECT FROM hook_outcome AS gate WHERE ${OF_THE_CALL} AND gate.is_judge AND gate.is_deciding
    AND gate.outcome = CASE final.verdict WHEN 'allow' THEN 'allowed' ELSE 'denied' END
    AND gate.outcome IN ('denied', 'asked', 'allowed'))`;

/** Ordered by its key, so that concurrent batches lock rows in one order. */
const sumSql = (unit: "hour" | "day") => `INSERT INTO decision_${unit} AS stored
  SELECT workspace_id, date_trunc('${unit}', at, 'UTC'), agent_id, agent_name, tool_name, source, verdict, by_judge, count(*)
  FROM (SELECT final.*, ${BY_JUDGE} AS by_judge FROM ${FINALS}) AS settled
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
  ON CONFLICT (workspace_id, bucket, agent_id, agent_name, tool_name, source, verdict, by_judge) DO UPDATE
    SET count = stored.count + excluded.count`;

const OVERTURN_SQL = `UPDATE hook_outcome AS gate SET overturned_at = final.at, overturned_by = final.source
  FROM ${FINALS} WHERE ${OF_THE_CALL} AND gate.outcome IN ('denied', 'asked') AND gate.overturned_at IS NULL`;

/** The texts that a final decision is counted by. */
export const keysOf = ({ projection: { toolName, decision } }: Entry) => ({
  toolName: keyText(toolName ?? "", TOOL_MAX),
  source: keyText(decision?.source ?? "", SOURCE_MAX),
  verdict: keyText(decision?.verdict ?? "", SOURCE_MAX),
});

export const isFinal = ({ projection }: Entry): boolean => projection.decision?.kind === "final";

/** No finals, no query. */
export function sendFinals(send: Send, entries: readonly Entry[]): void {
  const finals = entries.filter(isFinal);
  if (finals.length === 0) return;
  const values = valuesOf(finals);
  void send({ name: "finals_by_hour", text: sumSql("hour"), values });
  void send({ name: "finals_by_day", text: sumSql("day"), values });
  const byPeople = finals.filter(isPersonsAllow);
  if (byPeople.length > 0) void send({ name: "finals_overturn", text: OVERTURN_SQL, values: valuesOf(byPeople) });
}

/** True if a person let a call through: whatever held it back here is overturned by that. */
export const isPersonsAllow = ({ projection: { decision, toolUseId } }: Entry): boolean =>
  toolUseId !== null && decision?.verdict === "allow" && decision.source.startsWith("user_approved");

const valuesOf = (finals: readonly Entry[]): unknown[][] => [
  finals.map((entry) => entry.record.workspaceId),
  finals.map((entry) => entry.occurredAt),
  finals.map((entry) => entry.record.agentId),
  finals.map((entry) => entry.agentName),
  finals.map((entry) => entry.projection.sessionId),
  finals.map((entry) => entry.projection.toolUseId),
  finals.map((entry) => keysOf(entry).toolName),
  finals.map((entry) => keysOf(entry).source),
  finals.map((entry) => keysOf(entry).verdict),
];
