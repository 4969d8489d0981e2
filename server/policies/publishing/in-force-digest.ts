import { enforcedSql } from "../assignments/resolve-assignments.ts";

/**
 * SQL for a digest of what is in force in the workspace `$1`: the live and canary revision of each policy, each assignment, and
 * each rule that is only monitored.
 * A backtest stores it. While it is the same, the backtest compared a text with what is in force now.
 */
export const IN_FORCE_DIGEST_SQL = `(SELECT md5(coalesce(string_agg(part.line, ' ' ORDER BY part.line), '')) FROM (
    SELECT jsonb_build_array('policy', id, live_revision, canary_revision, canary_share, canary_group_id)::text AS line
    FROM policy WHERE workspace_id = $1::uuid AND (live_revision > 0 OR canary_revision IS NOT NULL)
    UNION ALL
    SELECT jsonb_build_array('assignment', id, policy_id, scope, target_id, tag, position, NOT ${enforcedSql()})::text
    FROM assignment WHERE workspace_id = $1::uuid
    UNION ALL
    SELECT jsonb_build_array('monitor', policy_id, event, hook)::text
    FROM rule_monitor WHERE workspace_id = $1::uuid AND until > now()) AS part)`;
