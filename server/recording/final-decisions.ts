/**
 * The agents' final decisions about their calls, counted by approval source and compared with the hooks' verdicts on
 * the same call. A report can overtake its gate, so either may come first: the second one finds the other, and the
 * result is the same.
 */
import type { Send } from "../platform/db.ts";
import { indexKeyText } from "./pg-text.ts";
import type { ProjectedRecord } from "./tables.ts";

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
const isSameCall = (one: string, other: string) => `${one}.workspace_id = ${other}.workspace_id
  AND ${one}.session_id = ${other}.session_id AND ${one}.tool_use_id::name = ${other}.tool_use_id::name
  AND ${one}.tool_use_id = ${other}.tool_use_id AND ${one}.agent_id = ${other}.agent_id`;
/** A person may take long to answer, and two machines' clocks differ. */
const isInTime = (gate: string, final: string) =>
  `${gate} BETWEEN ${final} - interval '1 day' AND ${final} + interval '1 minute'`;

/** Only a hook's word is looked up. */
const IS_HOOKS = `(final.source LIKE '%\\_hook\\_%' OR final.source IN ('tool_guard_deny', 'tool_input_transform_deny'))`;
/** The hook whose word the agent followed had asked a model. */
const IS_ITS_JUDGE = `gate.is_judge AND gate.is_deciding AND gate.outcome IN ('denied', 'asked', 'allowed')
  AND gate.outcome = CASE final.verdict WHEN 'allow' THEN 'allowed' ELSE 'denied' END`;
const BY_JUDGE = `${IS_HOOKS} AND EXISTS (SELECT FROM hook_outcome AS gate WHERE ${isSameCall("gate", "final")}
  AND ${isInTime("gate.occurred_at", "final.at")} AND ${IS_ITS_JUDGE})`;

/** Ordered by its key, so that concurrent batches lock rows in one order. */
const sumSql = (unit: "hour" | "day", count = "count(*)", byJudge = BY_JUDGE) => `INSERT INTO decision_${unit} AS stored
  SELECT workspace_id, date_trunc('${unit}', at, 'UTC'), agent_id, agent_name, tool_name, source, verdict, by_judge, ${count}
  FROM (SELECT final.*, ${byJudge} AS by_judge FROM ${FINALS}) AS settled
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
  ON CONFLICT (workspace_id, bucket, agent_id, agent_name, tool_name, source, verdict, by_judge) DO UPDATE
    SET count = stored.count + excluded.count`;

/** $1 to $5: calls with new gates or final decisions; the first allowing final decision overturns an outcome. */
const OVERTURN_SQL = `UPDATE hook_outcome AS stored SET overturned_at = first.at, overturned_by = first.source
  FROM (SELECT DISTINCT ON (gate.occurred_at, gate.dispatch_id, gate.place) gate.workspace_id, gate.occurred_at, gate.dispatch_id,
      gate.place, final.occurred_at AS at, left(final.source, ${SOURCE_MAX}) AS source
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[])
      AS call (workspace_id, agent_id, session_id, tool_use_id, at)
    JOIN hook_outcome AS gate ON ${isSameCall("gate", "call")} AND gate.outcome IN ('denied', 'asked')
      AND gate.occurred_at BETWEEN call.at - interval '1 day' AND call.at + interval '1 day'
    JOIN tool_decision AS final ON ${isSameCall("final", "gate")} AND final.kind = 'final' AND final.verdict = 'allow'
      AND final.source LIKE 'user\\_approved%' AND ${isInTime("gate.occurred_at", "final.occurred_at")}
      AND final.occurred_at BETWEEN call.at - interval '2 days' AND call.at + interval '2 days'
    ORDER BY gate.occurred_at, gate.dispatch_id, gate.place, final.occurred_at, final.source COLLATE "C") AS first
  WHERE stored.workspace_id = first.workspace_id AND stored.occurred_at = first.occurred_at
    AND stored.dispatch_id = first.dispatch_id AND stored.place = first.place
    AND (stored.overturned_at, stored.overturned_by) IS DISTINCT FROM (first.at, first.source)`;

/**
 * Final decisions that were counted before a judge's outcome of their call arrived ($1 to $5; $6 are the new
 * dispatches).
 */
const OVERTAKEN_SQL = `SELECT DISTINCT final.workspace_id, final.occurred_at AS at, final.dispatch_id, final.agent_id, final.agent_name,
    final.session_id, final.tool_use_id, final.tool_name, final.source, final.verdict
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[])
    AS call (workspace_id, agent_id, session_id, tool_use_id, at)
  JOIN hook_outcome AS gate ON ${isSameCall("gate", "call")} AND gate.occurred_at = call.at
  JOIN tool_decision AS final ON ${isSameCall("final", "gate")} AND final.kind = 'final'
    AND final.occurred_at BETWEEN call.at - interval '1 minute' AND call.at + interval '1 day'
    AND ${IS_HOOKS} AND ${IS_ITS_JUDGE}
  WHERE final.dispatch_id <> ALL ($6::uuid[]) AND NOT EXISTS (SELECT FROM hook_outcome AS earlier
    WHERE ${isSameCall("earlier", "final")} AND ${isInTime("earlier.occurred_at", "final.occurred_at")}
      AND earlier.is_judge AND earlier.is_deciding AND earlier.outcome = gate.outcome
      AND earlier.dispatch_id <> ALL ($6::uuid[]))`;

interface Overtaken {
  readonly workspace_id: string;
  readonly at: Date;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly session_id: string;
  readonly tool_use_id: string;
  readonly tool_name: string;
  readonly source: string;
  readonly verdict: string;
}

/** The texts that a final decision is counted by. */
export const finalDecisionKeys = ({ projection: { toolName, decision } }: ProjectedRecord) => ({
  toolName: indexKeyText(toolName ?? "", TOOL_MAX),
  source: indexKeyText(decision?.source ?? "", SOURCE_MAX),
  verdict: indexKeyText(decision?.verdict ?? "", SOURCE_MAX),
});

export const isFinalDecision = ({ projection }: ProjectedRecord): boolean => projection.decision?.kind === "final";

/**
 * Sends no query without final decisions and outcomes of calls. The rows of these entries have been sent. Errors: those
 * of PostgreSQL.
 */
export async function writeFinalDecisions(send: Send, entries: readonly ProjectedRecord[]): Promise<void> {
  const finals = entries.filter(isFinalDecision);
  if (finals.length > 0) {
    const values = valuesOf(finals);
    void send({ name: "finals_by_hour", text: sumSql("hour"), values });
    void send({ name: "finals_by_day", text: sumSql("day"), values });
  }
  const ofCalls = entries.filter(({ projection }) => projection.toolUseId !== null);
  const heldBack = ofCalls.filter((entry) => isAllowedByPerson(entry) || entry.hooks.some(isHeldBack));
  if (heldBack.length > 0) void send({ name: "finals_overturn", text: OVERTURN_SQL, values: callsOf(heldBack) });
  const judged = ofCalls.filter(({ hooks }) => hooks.some(({ isJudge, isDeciding }) => isJudge && isDeciding));
  if (judged.length > 0) await moveOvertaken(send, entries, judged);
}

const isHeldBack = ({ outcome }: ProjectedRecord["hooks"][number]): boolean =>
  outcome === "denied" || outcome === "asked";

const callsOf = (entries: readonly ProjectedRecord[]): unknown[][] => [
  entries.map(({ record }) => record.workspaceId),
  entries.map(({ record }) => record.agentId),
  entries.map(({ projection }) => projection.sessionId),
  entries.map(({ projection }) => projection.toolUseId),
  entries.map(({ occurredAt }) => occurredAt),
];

/** Counts final decisions as a judge's if they were counted before the judge's answer was recorded. */
async function moveOvertaken(
  send: Send,
  entries: readonly ProjectedRecord[],
  judged: readonly ProjectedRecord[],
): Promise<void> {
  const ids = entries.map(({ record }) => record.id);
  const { rows } = await send<Overtaken>({
    name: "finals_overtaken",
    text: OVERTAKEN_SQL,
    values: [...callsOf(judged), ids],
  });
  if (rows.length === 0) return;
  const values = [
    rows.map((row) => row.workspace_id),
    rows.map((row) => row.at.toISOString()),
    rows.map((row) => row.agent_id),
    rows.map((row) => row.agent_name),
    rows.map((row) => row.session_id),
    rows.map((row) => row.tool_use_id),
    rows.map((row) => indexKeyText(row.tool_name, TOOL_MAX)),
    rows.map((row) => indexKeyText(row.source, SOURCE_MAX)),
    rows.map((row) => indexKeyText(row.verdict, SOURCE_MAX)),
  ];
  for (const unit of ["hour", "day"] as const) {
    void send({ name: `finals_leave_${unit}`, text: sumSql(unit, "-count(*)", "false"), values });
    void send({ name: `finals_join_${unit}`, text: sumSql(unit, "count(*)", "true"), values });
    // A cell that holds nothing is a cell that is not there.
    void send({
      name: `finals_empty_${unit}`,
      text: `DELETE FROM decision_${unit} AS stored USING ${FINALS} WHERE stored.workspace_id = final.workspace_id
        AND stored.bucket = date_trunc('${unit}', final.at, 'UTC') AND stored.agent_id = final.agent_id AND stored.count = 0`,
      values,
    });
  }
}

/** True if a person allowed the call: this overturns every hook that denied it or asked. */
export const isAllowedByPerson = ({ projection: { decision, toolUseId } }: ProjectedRecord): boolean =>
  toolUseId !== null && decision?.verdict === "allow" && decision.source.startsWith("user_approved");

const valuesOf = (finals: readonly ProjectedRecord[]): unknown[][] => [
  finals.map((entry) => entry.record.workspaceId),
  finals.map((entry) => entry.occurredAt),
  finals.map((entry) => entry.record.agentId),
  finals.map((entry) => entry.agentName),
  finals.map((entry) => entry.projection.sessionId),
  finals.map((entry) => entry.projection.toolUseId),
  finals.map((entry) => finalDecisionKeys(entry).toolName),
  finals.map((entry) => finalDecisionKeys(entry).source),
  finals.map((entry) => finalDecisionKeys(entry).verdict),
];
