/**
 * The posture of agents as SQL conditions over `agent`: $1 is the workspace, $2 is now. The list's filters, its counts,
 * the alerts and the badge all use them.
 */
import { listEnforcement } from "../dialects/index.ts";
import { enforcedSql } from "../policies/index.ts";
import { YOLO_WITHIN_HOURS } from "../policies/schema.ts";
import {
  DRILLED_WITHIN_DAYS,
  type Posture,
  type SearchAgents,
  SILENT_AFTER_MS,
  UNCHECKED_WITHIN_HOURS,
} from "./schema.ts";

/** An agent's place in a canary, as `isInCanary` computes it. */
const IN_CANARY = `(policy.canary_revision IS NOT NULL AND (
    EXISTS (SELECT 1 FROM agent_group_member member WHERE member.workspace_id = $1
      AND member.group_id = policy.canary_group_id AND member.agent_id = way.agent_id)
    OR floor(('x' || encode(substring(sha256(convert_to(policy.id::text || E'\\n' || way.agent_id::text, 'UTF8')) FROM 1 FOR 4),
      'hex'))::bit(32)::bigint * 10000 / 4294967296.0) < coalesce(policy.canary_share, 0) * 100))`;
const WAY = `assignment.policy_id, NOT ${enforcedSql("$2")} AS is_observed FROM assignment`;

/** Each policy in force for each agent, as `resolveAssignments` finds them: enforced one way is enforced. */
export const REACH = `reach AS MATERIALIZED (
    SELECT way.agent_id, policy.name, bool_or(NOT way.is_observed) AS is_enforced FROM (
      SELECT agent.id AS agent_id, ${WAY} JOIN agent ON agent.workspace_id = $1
        WHERE assignment.workspace_id = $1 AND assignment.scope = 'workspace'
      UNION ALL
      SELECT agent.id, ${WAY} JOIN agent ON agent.workspace_id = $1 AND assignment.tag = ANY(agent.tags)
        WHERE assignment.workspace_id = $1 AND assignment.scope = 'tag'
      UNION ALL
      SELECT audience.agent_id, ${WAY} JOIN agent_audience audience
          ON audience.workspace_id = $1 AND audience.scope = assignment.scope AND audience.target_id = assignment.target_id
        WHERE assignment.workspace_id = $1 AND assignment.target_id IS NOT NULL
      UNION ALL
      SELECT assignment.target_id, ${WAY} WHERE assignment.workspace_id = $1 AND assignment.scope = 'agent'
    ) way JOIN policy ON policy.workspace_id = $1 AND policy.id = way.policy_id
    WHERE CASE WHEN ${IN_CANARY} THEN policy.canary_revision ELSE policy.live_revision END > 0
    GROUP BY way.agent_id, policy.id, policy.name
  )`;
/**
 * Per agent: true when a policy is enforced, false when all are in shadow mode; agents without any policy are absent.
 */
export const GOVERNED =
  "governed AS (SELECT agent_id, bool_or(is_enforced) AS is_enforced FROM reach GROUP BY agent_id)";

/** The newest sign of life: an event, or a call for the policies. */
export const HEARD = "greatest(agent.last_seen_at, agent.polled_at)";
const SILENT = `${HEARD} < $2::timestamptz - interval '${SILENT_AFTER_MS} milliseconds'`;

export const STATUSES: Readonly<Record<SearchAgents["statuses"][number], string>> = {
  active: `(agent.retired_at IS NULL AND ${HEARD} IS NOT NULL AND NOT ${SILENT})`,
  silent: `(agent.retired_at IS NULL AND ${SILENT})`,
  never: `(agent.retired_at IS NULL AND ${HEARD} IS NULL)`,
  retired: "(agent.retired_at IS NOT NULL)",
};

/** Wrapped in IS TRUE, so that PostgreSQL uses a hashed look-up instead of a loop over pairs. */
export const isIn = (agents: string) => `(agent.id IN (${agents})) IS TRUE`;
export const WITHOUT_POLICY = `(agent.retired_at IS NULL AND NOT (${isIn("SELECT agent_id FROM governed")}))`;
export const ONLY_OBSERVED = `(agent.retired_at IS NULL AND ${isIn("SELECT agent_id FROM governed WHERE NOT is_enforced")})`;

const enforcement = listEnforcement();
/** The leading numbers of a version, at most six: 2.1.330-beta as {2,1,330}; null when there are no numbers. */
const VERSION_NUMBERS = `string_to_array(substring(agent.client_version FROM '^[0-9]{1,9}(?:[.][0-9]{1,9}){0,5}'), '.')::int[]`;
// Names and numbers come from our own constant table, not from user input.
const ENFORCED_FROM = `CASE agent.client ${enforcement
  .map(({ client, enforcedFrom }) => `WHEN '${client}' THEN '{${enforcedFrom.join(",")}}'::int[]`)
  .join(" ")} END`;
const WITH_BLIND_SPOTS = enforcement.flatMap(({ client, hasBlindSpots }) => (hasBlindSpots ? [`'${client}'`] : []));

/** Each of agents that work; one whose client or version is not known is not called outdated. */
export const POSTURES: Readonly<Record<Posture, string>> = {
  yolo: `(agent.retired_at IS NULL AND coalesce(agent.yolo_at > $2::timestamptz - interval '${YOLO_WITHIN_HOURS} hours', false))`,
  outdated: `(agent.retired_at IS NULL AND coalesce(${VERSION_NUMBERS} < ${ENFORCED_FROM}, false))`,
  unchecked: `(agent.retired_at IS NULL AND coalesce(agent.unsigned_asked_at > $2::timestamptz - interval '${UNCHECKED_WITHIN_HOURS} hours', false))`,
  blind_spots: `(agent.retired_at IS NULL AND coalesce(agent.client IN (${WITH_BLIND_SPOTS.join(", ")}), false))`,
  undrilled: `(agent.retired_at IS NULL AND NOT (${isIn(
    `SELECT agent_id FROM agent_drill WHERE workspace_id = $1
       AND reported_at > $2::timestamptz - interval '${DRILLED_WITHIN_DAYS} days'`,
  )}))`,
};

/** Agents that need attention: without a policy, or held less than they seem. */
export const NEEDS_ATTENTION = `(${[WITHOUT_POLICY, POSTURES.yolo, POSTURES.outdated].join(" OR ")})`;
