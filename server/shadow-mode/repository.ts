/** The decisions that observed policies would have made: rows, and sums per hour. */
import { flight, type Pool } from "../platform/db.ts";
import { insertRows, type ShadowJudgeCalls, type Table, writeShadowJudgeCalls } from "../recording/index.ts";

export interface ObservationRow {
  readonly workspaceId: string;
  readonly policyId: string;
  readonly revision: number;
  readonly occurredAt: Date;
  readonly dispatchId: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly sessionId: string;
  readonly event: string;
  readonly toolName: string | null;
  readonly verdict: string;
  readonly decided: string;
  readonly isStricter: boolean;
  readonly reason: string;
  /** The monitored rule; "" for a whole policy. */
  readonly rule: string;
  /** JSON text. */
  readonly hooks: string;
  readonly durationUs: number;
}

export const COUNTS = ["gates", "judged", "denied", "asked", "failed", "dropped"] as const;
export type CountName = (typeof COUNTS)[number];

export interface SumRow extends Record<CountName, number> {
  readonly workspaceId: string;
  readonly policyId: string;
  readonly revision: number;
  /** The hour's beginning, ISO. */
  readonly bucket: string;
  /** The monitored rule with its event; "" for a whole policy. */
  readonly event: string;
  readonly rule: string;
}

const observationTable: Table<ObservationRow> = {
  name: "observation",
  columns: {
    workspace_id: ["uuid", (o) => o.workspaceId],
    occurred_at: ["timestamptz", (o) => o.occurredAt.toISOString()],
    dispatch_id: ["uuid", (o) => o.dispatchId],
    policy_id: ["uuid", (o) => o.policyId],
    revision: ["int4", (o) => o.revision],
    agent_id: ["uuid", (o) => o.agentId],
    agent_name: ["text", (o) => o.agentName],
    session_id: ["text", (o) => o.sessionId],
    event: ["text", (o) => o.event],
    tool_name: ["text", (o) => o.toolName],
    verdict: ["text", (o) => o.verdict],
    decided: ["text", (o) => o.decided],
    is_stricter: ["bool", (o) => o.isStricter],
    reason: ["text", (o) => o.reason],
    rule: ["text", (o) => o.rule],
    hooks: ["text", (o) => o.hooks],
    duration_us: ["int4", (o) => o.durationUs],
  },
};

const sumTable: Table<SumRow> = {
  name: "observation_hour",
  columns: {
    workspace_id: ["uuid", (s) => s.workspaceId],
    policy_id: ["uuid", (s) => s.policyId],
    bucket: ["timestamptz", (s) => s.bucket],
    revision: ["int4", (s) => s.revision],
    event: ["text", (s) => s.event],
    rule: ["text", (s) => s.rule],
    ...Object.fromEntries(COUNTS.map((name) => [name, ["int8", (s: SumRow) => s[name]] as const])),
  },
  tail: `ON CONFLICT (workspace_id, policy_id, bucket, revision, event, rule) DO UPDATE SET
    ${COUNTS.map((name) => `${name} = observation_hour.${name} + excluded.${name}`).join(", ")}`,
};

export interface Written {
  readonly rows: readonly ObservationRow[];
  readonly sums: readonly SumRow[];
  readonly judges: readonly ShadowJudgeCalls[];
}

export function write(pool: Pool, { rows, sums, judges }: Written): Promise<void> {
  return flight(pool, async (send) => {
    void insertRows(send, observationTable, rows);
    void insertRows(send, sumTable, sums);
    writeShadowJudgeCalls(send, judges);
  });
}

interface Listed {
  readonly occurred_at: Date;
  readonly dispatch_id: string;
  readonly revision: number;
  readonly agent_name: string;
  readonly event: string;
  readonly tool_name: string | null;
  readonly verdict: string;
  readonly decided: string;
  readonly is_stricter: boolean;
  readonly reason: string;
  readonly hooks: string;
  readonly is_decision: boolean;
}

/** The rule that was observed; null for the whole policy. */
export type ObservedRule = { readonly event: string; readonly hook: string } | null;

/** Newest first, after `cursor`. */
export async function list(
  pool: Pool,
  workspaceId: string,
  policyId: string,
  asked: {
    readonly onlyStricter: boolean;
    readonly rule: ObservedRule;
    readonly cursor: { readonly occurredAt: Date; readonly dispatchId: string } | null;
    readonly limit: number;
  },
): Promise<Listed[]> {
  const { onlyStricter, rule, cursor, limit } = asked;
  const found = await pool.query<Listed>({
    text: `SELECT occurred_at, dispatch_id, revision, agent_name, event, tool_name, verdict, decided, is_stricter, reason,
             hooks, EXISTS (SELECT 1 FROM tool_decision AS decision
               WHERE decision.workspace_id = seen.workspace_id AND decision.occurred_at = seen.occurred_at
                 AND decision.dispatch_id = seen.dispatch_id) AS is_decision
           FROM observation AS seen
           WHERE workspace_id = $1 AND policy_id = $2 AND rule = $6 AND ($7 = '' OR event = $7)
             ${onlyStricter ? "AND is_stricter" : ""}
             AND ($3::timestamptz IS NULL OR (occurred_at, dispatch_id) < ($3, $4::uuid))
           ORDER BY occurred_at DESC, dispatch_id DESC LIMIT $5`,
    values: [
      ...[workspaceId, policyId, cursor?.occurredAt ?? null, cursor?.dispatchId ?? null, limit],
      ...[rule?.hook ?? "", rule?.event ?? ""],
    ],
  });
  return found.rows;
}

export interface OfDispatch {
  readonly policy_id: string;
  readonly policy: string;
  readonly rule: string;
  readonly verdict: string;
  readonly decided: string;
  readonly is_stricter: boolean;
  readonly reason: string;
}

/** The verdicts on one dispatch of policies that still exist, stricter ones first. */
export async function listOfDispatch(
  pool: Pool,
  workspaceId: string,
  key: { readonly occurredAt: Date; readonly id: string },
  limit: number,
): Promise<OfDispatch[]> {
  const found = await pool.query<OfDispatch>({
    name: "observations_of_dispatch",
    text: `SELECT policy_id, policy.name AS policy, rule, verdict, decided, is_stricter, reason
           FROM observation JOIN policy ON policy.workspace_id = observation.workspace_id AND policy.id = policy_id
           WHERE observation.workspace_id = $1 AND occurred_at = $2 AND dispatch_id = $3
           ORDER BY is_stricter DESC, policy.name, rule LIMIT $4`,
    values: [workspaceId, key.occurredAt, key.id, limit],
  });
  return found.rows;
}

/** The sums of one policy or rule from an hour on. */
export async function findSums(
  pool: Pool,
  workspaceId: string,
  policyId: string,
  since: Date,
  rule: ObservedRule = null,
): Promise<Record<CountName, number>> {
  const columns = COUNTS.map((name) => `coalesce(sum(${name}), 0)::float8 AS ${name}`).join(", ");
  const found = await pool.query<Record<CountName, number>>({
    name: "observation_sums",
    text: `SELECT ${columns} FROM observation_hour
           WHERE workspace_id = $1 AND policy_id = $2 AND bucket >= date_trunc('hour', $3::timestamptz, 'UTC')
             AND event = $4 AND rule = $5`,
    values: [workspaceId, policyId, since, rule?.event ?? "", rule?.hook ?? ""],
  });
  return found.rows[0] ?? { gates: 0, judged: 0, denied: 0, asked: 0, failed: 0, dropped: 0 };
}
