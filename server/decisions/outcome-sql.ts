/** The outcome of a call as SQL: over its rows, and as conditions on a row called `candidate`. */
import { sourcesOf } from "@quarterdeck/hooks/contract/approval-sources";
import type { DecisionOutcome, RuleResult } from "./call-outcome-schema.ts";

/** A person may answer late, and an agent's reports may be dated by another clock. */
const IN_TIME = (of: string) => `${of}.occurred_at >= candidate.occurred_at - interval '1 day'
    AND ${of}.occurred_at < candidate.occurred_at + interval '7 days'`;
const IS_ITS_CALL = (of: string) => `${of}.workspace_id = candidate.workspace_id
    AND ${of}.session_id = candidate.session_id AND ${of}.tool_use_id::name = candidate.tool_use_id::name
    AND ${of}.tool_use_id = candidate.tool_use_id AND ${of}.agent_id = candidate.agent_id AND ${IN_TIME(of)}`;

const TICKET = "(kind = 'gate' AND verdict = 'deny' AND reason LIKE 'Approval required: QD-%')";

/** An aggregate over the decisions of one call; the same rule as `callOutcomeOf`. */
export const OUTCOME_OF_ROWS = `CASE
  WHEN bool_or(kind = 'gate' AND verdict = 'deny' AND NOT ${TICKET})
    OR (bool_or(kind = 'final' AND verdict = 'deny') AND NOT bool_or(${TICKET})) THEN 'denied'
  WHEN bool_or(verdict = 'canceled') THEN 'canceled'
  WHEN bool_or(${TICKET}) OR (bool_or(kind = 'gate' AND verdict = 'ask')
    AND NOT bool_or(kind = 'final' AND verdict = 'allow')) THEN 'asked'
  WHEN bool_or(kind = 'gate' AND verdict <> 'none') THEN 'allowed'
  WHEN bool_or(source = 'no_rule') THEN 'no_rule'
  WHEN bool_or(source = 'rules_silent') THEN 'silent'
  WHEN bool_or(kind = 'final' AND verdict = 'allow') THEN 'allowed'
  ELSE 'canceled' END`;

/** The beginnings of the reasons of calls that people were asked about, but for those that name the request (server/approvals). */
const ASKED_REASONS = [
  "The approval of this call was used, withdrawn or expired",
  "A person allowed this call with an edited input,",
  "The policy now requires more approvers,",
];
/** A rule sent the call to a person. The reason of a hook names the hook in quotes before all else. */
const SENT = `(verdict = 'ask' OR reason ~ '^[^"]*QD-[0-9]+' OR ${ASKED_REASONS.map((reason) => `reason LIKE '${reason}%'`).join(" OR ")})`;

/** An aggregate over the verdicts of one call at the gates where calls are counted; the rule of `decidedOutcomeOf`. */
const RULE_RESULT_OF_ROWS = `CASE WHEN bool_or(verdict = 'deny' AND NOT ${SENT}) THEN 'denied_by_rule'
  WHEN bool_or(${SENT}) THEN 'sent_to_person' WHEN bool_or(verdict = 'allow') THEN 'allowed_by_rule' END`;
const COUNTED_GATES = "event IN ('tool_input_transform', 'tool_guard', 'pre_tool_use')";

/** More decisions are of an agent that uses an id twice. */
const OF_CALL_MAX = 20;
/** Each half has an index of its own. */
const half = (kind: "gate" | "final") => `(SELECT kind, event, verdict, source, reason FROM tool_decision AS own
    WHERE own.kind = '${kind}' AND ${IS_ITS_CALL("own")} LIMIT ${OF_CALL_MAX})`;
/** The outcome of the candidate's call; a call without an id has this one decision. */
const OUTCOME = `(SELECT ${OUTCOME_OF_ROWS} FROM (${half("gate")} UNION ALL ${half("final")}
    UNION ALL SELECT candidate.kind, candidate.event, candidate.verdict, candidate.source, candidate.reason
      WHERE candidate.tool_use_id IS NULL) AS whole)`;

const RULE_RESULT = `(SELECT ${RULE_RESULT_OF_ROWS} FROM (${half("gate")}
    UNION ALL SELECT candidate.kind, candidate.event, candidate.verdict, candidate.source, candidate.reason
      WHERE candidate.tool_use_id IS NULL) AS whole WHERE ${COUNTED_GATES})`;
const hasRuleResult = (verdicts: string, result: RuleResult): string =>
  `kind = 'gate' AND verdict IN (${verdicts}) AND ${COUNTED_GATES} AND ${RULE_RESULT} = '${result}'`;

const SOURCES_BY_AGENT = [...sourcesOf("yolo"), ...sourcesOf("rule")].map((source) => `'${source}'`).join(", ");
/**
 * A call without a verdict of the rules. An agent that decides by itself reports the call only, and the facts of the
 * report say which rules ran (server/recording/gated-call.ts).
 */
const withoutVerdict = (source: string, facts: string): string => `(source = '${source}'
  OR (kind = 'final' AND source IN (${SOURCES_BY_AGENT}) AND EXISTS (SELECT 1 FROM dispatch AS own
    WHERE own.workspace_id = candidate.workspace_id AND own.occurred_at = candidate.occurred_at
      AND own.id = candidate.dispatch_id AND (own.origin = 'dispatch' OR own.revision <> '')
      AND own.facts::json -> 'counted' IS NULL AND (${facts}))))`;
const EARLIER = "(own.facts::json ->> 'earlier')";
const HOOKS = "(own.facts::json -> 'hooks')";

const DENIED_BUT_RAN = `kind = 'gate' AND verdict = 'deny' AND EXISTS (
  SELECT 1 FROM dispatch AS ran
  WHERE ran.workspace_id = candidate.workspace_id AND ran.event = 'post_tool_use'
    AND ran.session_id::name = candidate.session_id::name AND ran.session_id = candidate.session_id
    AND ran.tool_use_id::name = candidate.tool_use_id::name AND ran.tool_use_id = candidate.tool_use_id
    AND ${IN_TIME("ran")})`;

/** A cheap condition comes first, so that few rows look up their call. */
export const OUTCOME_CONDITIONS: Readonly<Record<DecisionOutcome, string>> = {
  denied: `verdict = 'deny' AND ${OUTCOME} = 'denied'`,
  asked: `kind = 'gate' AND verdict IN ('ask', 'deny') AND ${OUTCOME} = 'asked'`,
  allowed: `verdict IN ('allow', 'ask', 'lifted', 'rewrite') AND ${OUTCOME} = 'allowed'`,
  silent: `source = 'rules_silent' AND ${OUTCOME} = 'silent'`,
  no_rule: `source = 'no_rule' AND ${OUTCOME} = 'no_rule'`,
  canceled: `kind = 'final' AND verdict NOT IN ('allow', 'deny') AND ${OUTCOME} = 'canceled'`,
  denied_by_rule: hasRuleResult("'deny'", "denied_by_rule"),
  sent_to_person: hasRuleResult("'ask', 'deny', 'allow'", "sent_to_person"),
  allowed_by_rule: hasRuleResult("'allow'", "allowed_by_rule"),
  no_rule_objected: withoutVerdict(
    "rules_silent",
    `${EARLIER} = 'ran' OR (${EARLIER} IS NULL AND ${HOOKS} IS NOT NULL)`,
  ),
  no_rule_ran: withoutVerdict("no_rule", `${EARLIER} IS NULL AND ${HOOKS} IS NULL`),
  waiting: `${TICKET} AND EXISTS (SELECT 1 FROM approval_request AS request
    WHERE request.workspace_id = candidate.workspace_id AND request.state = 'pending'
      AND request.number = substring(candidate.reason FROM '^Approval required: QD-([0-9]{1,15})[.]')::bigint)`,
  overturned: `kind = 'gate' AND verdict IN ('ask', 'deny') AND EXISTS (SELECT 1 FROM hook_outcome AS own
    WHERE own.outcome IN ('denied', 'asked') AND own.overturned_at IS NOT NULL AND ${IS_ITS_CALL("own")})`,
  denied_but_ran: DENIED_BUT_RAN,
};
