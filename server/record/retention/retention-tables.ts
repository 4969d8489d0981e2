/** The tables that retention empties, and for how long what has no rule of its own is kept. */
import { HOURS_KEPT_DAYS, MINUTES_KEPT_DAYS } from "../../recording/index.ts";
import type { RetentionKind } from "../schema.ts";
import { held } from "./holds.ts";

export interface AgedTable {
  readonly table: string;
  /** The column that dates a row. */
  readonly at: string;
  /** True if a row is somebody's, so that a hold can cover it. */
  readonly isHoldable: boolean;
  /** True of the old rows that may go; all of them when absent. */
  readonly only?: string;
}

const holdable = (table: string, at = "occurred_at"): AgedTable => ({ table, at, isHoldable: true });
const plain = (table: string, at = "bucket", only?: string): AgedTable => ({
  ...{ table, at, isHoldable: false },
  ...(only === undefined ? {} : { only }),
});

/** `dispatches` are not listed: they stand in months (retention-months.ts). */
export const TABLES: Readonly<Record<Exclude<RetentionKind, "dispatches">, readonly AgedTable[]>> = {
  activity: [
    ...["tool_decision", "llm_call", "compaction", "compaction_record", "observation", "hook_outcome"].map((table) =>
      holdable(table),
    ),
    holdable("session", "last_at"),
    holdable("session_seen", "last_at"),
  ],
  judge_calls: [holdable("judge_call")],
  figures: [
    ...["rollup", "ledger", "judge"].flatMap((family) => [`${family}_minute`, `${family}_hour`, `${family}_day`]),
    ...["observation_hour", "decision_hour", "decision_day", "hook_hour", "hook_day", "report_hour"],
  ]
    .map((table) => plain(table))
    .concat(plain("load_shed", "to_at")),
};

export interface FixedRule extends AgedTable {
  readonly days: number;
}

const HOUR_TABLES = ["rollup", "ledger", "judge", "decision", "hook", "observation", "report"].map(
  (family) => `${family}_hour`,
);
const MINUTE_TABLES = ["rollup_minute", "ledger_minute", "judge_minute"];
const IS_NOT_HELD = `NOT EXISTS (SELECT FROM dispatch WHERE dispatch.workspace_id = one.workspace_id
  AND dispatch.occurred_at = one.occurred_at AND dispatch.id = one.dispatch_id AND ${held("dispatch", "dispatch.occurred_at")})`;
const HAS_NO_RESERVATION = `one.held_nano = 0 AND one.period_start > '2000-01-01' AND NOT EXISTS (
  SELECT FROM budget_reservation AS kept WHERE kept.workspace_id = one.workspace_id AND kept.budget_id = one.budget_id
    AND kept.period_start = one.period_start AND kept.subject = one.subject)`;

/**
 * Kept for the same time everywhere, whatever a workspace sets (docs/operations.md says how long): what nobody asks for once it
 * is over. Nothing of it is part of the chain.
 */
export const FIXED_RULES: readonly FixedRule[] = [
  ...MINUTE_TABLES.map((table) => ({ ...plain(table), days: MINUTES_KEPT_DAYS })),
  ...HOUR_TABLES.map((table) => ({ ...plain(table), days: HOURS_KEPT_DAYS })),
  { ...plain("judge_trial_call", "asked_at", IS_NOT_HELD), days: 180 },
  // Its questions go first, so that none of many thousand goes along with one row.
  {
    ...plain(
      "judge_trial",
      "ended_at",
      `NOT EXISTS (SELECT FROM judge_trial_call AS asked WHERE asked.workspace_id = one.workspace_id
        AND asked.trial_id = one.id AND asked.asked_at IS NOT NULL)`,
    ),
    days: 180,
  },
  { ...plain("judge_spend_day", "day"), days: 400 },
  { ...plain("client_metric", "day"), days: 400 },
  { ...plain("budget_alert", "at", "one.notified_at IS NOT NULL"), days: 400 },
  { ...plain("budget_account", "period_start", HAS_NO_RESERVATION), days: 400 },
  { ...plain("notice", "at"), days: 30 },
  { ...plain("alert_event", "at", "one.mail_next_at IS NULL"), days: 90 },
  ...["browser_session", "sign_in_link", "password_link"].map((table) => ({ ...plain(table, "expires_at"), days: 7 })),
  { ...plain("invitation", "expires_at"), days: 90 },
];
