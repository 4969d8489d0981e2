/**
 * All tables of the database, each with its rules for erasure, retention, comparison with the log and row security. A
 * backup contains every table. table-schema.test.ts compares this list with the migrated schema. Pure.
 */

export interface DatabaseTable {
  readonly name: string;
  /**
   * Erasure removes the `content` of a session or an agent, or the `name` of an agent only (record/erasure/erasure-tables.ts). An
   * `id` of a session or a request stays. Absent: no text in the table comes from an agent.
   */
  readonly erasure?: "content" | "name" | "id";
  /** The column that dates a row, for retention and holds. */
  readonly at?: string;
  /** True if rows have an agent and a session, so that a hold can cover them. */
  readonly isHoldable?: true;
  /** The setting of a workspace that removes old rows. `figures` by minute and hour have a fixed period too. */
  readonly retention?: "dispatches" | "activity" | "judge_calls" | "figures";
  /** The fixed period of all workspaces, in days. */
  readonly days?: number;
  /** The rows are computed from the log, and compared with it as part of this group. */
  readonly derived?: "activity" | "judge_call" | "rollup" | "hook" | "judge";
  /** True if rows belong to no workspace: the table has no row security. */
  readonly isGlobal?: true;
}

type Rules = Omit<DatabaseTable, "name">;
const RECORDED = { at: "occurred_at", isHoldable: true } as const satisfies Rules;
const ACTIVITY = { ...RECORDED, retention: "activity" } as const satisfies Rules;
const SUMS = { at: "bucket", retention: "figures" } as const satisfies Rules;

/** Retention takes them in this order. */
const GROUPS: readonly (readonly [names: string, rules: Rules])[] = [
  ["dispatch", { ...RECORDED, erasure: "content", retention: "dispatches" }],
  // Its rows go with their dispatches, and after the retry window (record/retention/retention-deliveries.ts).
  ["delivery", {}],
  ["tool_decision", { ...ACTIVITY, erasure: "content", derived: "activity" }],
  ["llm_call", { ...ACTIVITY, erasure: "name", derived: "activity" }],
  ["compaction", { ...ACTIVITY, erasure: "content", derived: "activity" }],
  ["compaction_record", { ...ACTIVITY, erasure: "name" }],
  ["observation", { ...ACTIVITY, erasure: "content" }],
  ["hook_outcome", { ...ACTIVITY, erasure: "name", derived: "activity" }],
  ["call_comment call_follow_up", { ...ACTIVITY, erasure: "content" }],
  ["session", { ...ACTIVITY, at: "last_at", erasure: "name", derived: "activity" }],
  ["session_seen", { ...ACTIVITY, at: "last_at", erasure: "id" }],
  ["judge_call", { ...RECORDED, erasure: "name", retention: "judge_calls", derived: "judge_call" }],
  ["ledger_entry", { ...RECORDED, erasure: "name" }],

  ["rollup_minute rollup_hour rollup_day", { ...SUMS, erasure: "name", derived: "rollup" }],
  ["spend_minute spend_hour spend_day", { ...SUMS, erasure: "name", derived: "rollup" }],
  ["ledger_minute ledger_hour ledger_day", { ...SUMS, erasure: "name" }],
  ["judge_minute judge_hour judge_day", { ...SUMS, derived: "judge" }],
  ["observation_hour", SUMS],
  ["decision_hour decision_day", { ...SUMS, erasure: "name", derived: "rollup" }],
  ["hook_hour hook_day hook_revision_hour hook_revision_day", { ...SUMS, derived: "hook" }],
  ["report_hour", SUMS],
  ["load_shed", { ...SUMS, at: "to_at" }],
  ["mask_hit_hour", { at: "bucket", days: 90 }],

  // The calls of a trial are removed before it, so that thousands are not deleted by cascade with one row.
  ["judge_trial_call", { at: "asked_at", erasure: "content", days: 180 }],
  ["judge_trial", { at: "ended_at", days: 180 }],
  ["judge_check", { at: "started_at", days: 400 }],
  // Likewise the calls and answers of a backtest.
  ["backtest_sample", { at: "found_at", erasure: "content", days: 180 }],
  ["backtest_answer", { at: "asked_at", erasure: "content", days: 180 }],
  ["backtest_flip", { at: "found_at", erasure: "content", days: 180 }],
  ["backtest_run", { at: "asked_at", days: 180 }],
  ["stream_mark", { at: "at", days: 400 }],
  ["stream_set_aside", { at: "at", days: 90 }],
  ["judge_spend_day", { at: "day", days: 400 }],
  ["budget_alert", { at: "at", days: 400 }],
  ["budget_account", { at: "period_start", days: 400 }],
  ["notice", { at: "at", erasure: "name", days: 30 }],
  ["alert_event", { at: "at", erasure: "name", days: 90 }],
  ["tool_seen", { at: "last_seen_at", days: 90 }],
  ["session_principal", { at: "named_at", erasure: "id", days: 30 }],
  ["agent_extension", { at: "last_seen_at", days: 90 }],
  ["extension_report", { at: "reported_at", days: 90 }],
  ["session_mark", { at: "set_at", erasure: "id", days: 30 }],
  ["refused_request", { at: "last_at", days: 7 }],
  ["browser_session sign_in_link password_link", { at: "expires_at", days: 7 }],
  ["device_login", { at: "asked_at", days: 7 }],
  ["invitation", { at: "expires_at", days: 90 }],

  ["approval_request", { at: "asked_at", isHoldable: true, erasure: "content" }],
  ["judge_known_call judge_label policy_case policy_exception webhook_delivery", { erasure: "content" }],
  ["halt enrolment_token saved_view agent", { erasure: "name" }],
  ["compaction_session budget_reservation legal_hold erasure_request", { erasure: "id" }],

  // Settings and decisions of people.
  [
    `accepted_extension account_maker agent_group agent_group_member agent_key agent_login agent_owner alert_routes alert_rule approval_answer approver_rules assignment
    binding_change budget enrolment_token_use halt_kept_agent home_cards judge_cap judge_prompt judge_prompt_draft judge_prompt_revision
    judge_watch masking_setting membership model_connection model_price notice_choices policy policy_draft policy_draft_editor policy_override policy_review
    setup_dismissal policy_review_comment policy_revision policy_sequence price_version principal record_setting retention rule_monitor
    rule_owner service_account service_token sign_on_group sign_on_group_member stream webhook freeze_window publish_requirement workspace_freeze workspace_time_zone`,
    {},
  ],
  // The chain, and results that refer to it. Names of people are erased from audit_name on request
  // (record/erasure/erase-person.ts).
  [
    `audit_checkpoint audit_entry audit_entry_batch audit_head audit_key audit_name chain_batch ledger_statement projection_check
    projection_seal verification_blanked verification_run`,
    {},
  ],
  // State of jobs, agents and executors.
  [
    `agent_drill approval_lease budget_unpriced_model executor_refusal guarded_session local_executor notice_cursor
    price_estimation projection_cursor projection_failure retention_fault workspace_tool`,
    {},
  ],
  [
    `workspace person person_account person_second_factor person_verification installation_setting hook_counting uptime
    closing_month projection_fold upgrade_step`,
    { isGlobal: true },
  ],
];

export const TABLES: readonly DatabaseTable[] = GROUPS.flatMap(([names, rules]) =>
  names.split(/\s+/).map((name) => ({ name, ...rules })),
);
