/** The tables that retention empties, and the fixed periods of data without a setting. */
import { type DatabaseTable, TABLES } from "../../database/table-schema.ts";
import { HOURS_KEPT_DAYS, MINUTES_KEPT_DAYS } from "../../recording/index.ts";
import type { RetentionKind } from "../schema.ts";
import { held } from "./holds.ts";

export interface AgedTable {
  readonly table: string;
  /** The column that dates a row. */
  readonly at: string;
  /** True if rows belong to a session or an agent, so that a hold can cover them. */
  readonly isHoldable: boolean;
  /** SQL condition for the old rows that may be removed. */
  readonly only: string;
}

const IS_NOT_HELD = `NOT EXISTS (SELECT FROM dispatch WHERE dispatch.workspace_id = one.workspace_id
  AND dispatch.occurred_at = one.occurred_at AND dispatch.id = one.dispatch_id AND ${held("dispatch", "dispatch.occurred_at")})`;
const HAS_NO_CALL = `NOT EXISTS (SELECT FROM judge_trial_call AS asked WHERE asked.workspace_id = one.workspace_id
        AND asked.trial_id = one.id AND asked.asked_at IS NOT NULL)`;
const HAS_NO_RESERVATION = `one.held_nano = 0 AND one.period_start > '2000-01-01' AND NOT EXISTS (
  SELECT FROM budget_reservation AS kept WHERE kept.workspace_id = one.workspace_id AND kept.budget_id = one.budget_id
    AND kept.period_start = one.period_start AND kept.subject = one.subject)`;
/** Conditions of tables whose old rows do not all go. */
const ONLY: Readonly<Partial<Record<string, string>>> = {
  judge_trial_call: IS_NOT_HELD,
  judge_trial: HAS_NO_CALL,
  budget_alert: "one.notified_at IS NOT NULL",
  budget_account: HAS_NO_RESERVATION,
  alert_event: "one.mail_next_at IS NULL",
};

const aged = ({ name, at, isHoldable }: DatabaseTable): AgedTable[] =>
  at === undefined ? [] : [{ table: name, at, isHoldable: isHoldable === true, only: ONLY[name] ?? "true" }];

/** The tables of one setting. Retention removes `dispatches` by month (retention-months.ts). */
export const agedTables = (kind: RetentionKind): readonly AgedTable[] =>
  TABLES.filter(({ retention }) => retention === kind).flatMap(aged);

export interface FixedRule extends AgedTable {
  readonly days: number;
}

function daysOf({ name, retention, days }: DatabaseTable): number | undefined {
  if (retention === "figures" && name.endsWith("_minute")) return MINUTES_KEPT_DAYS;
  if (retention === "figures" && name.endsWith("_hour")) return HOURS_KEPT_DAYS;
  return days;
}

/**
 * Data that every workspace keeps equally long, regardless of its settings (docs/operations.md gives the times): it is
 * not needed afterwards. None of it is part of the chain.
 */
export const FIXED_RULES: readonly FixedRule[] = TABLES.flatMap((table) => {
  const days = daysOf(table);
  return days === undefined ? [] : aged(table).map((one) => ({ ...one, days }));
});
