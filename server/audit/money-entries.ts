/** The entries about connections to models, prices and budgets. */
import { z } from "zod";
import { entry, number, text } from "./entry-shape.ts";

export const MONEY_ENTRIES = [
  /** The settings of a connection, never the credential itself. */
  entry("model_connection_saved", {
    connection: text,
    name: text,
    provider: text,
    baseUrl: text,
    credential: z.enum(["kept", "set", "removed"]),
    callsPerDay: number.nullable(),
    nanoPerDay: text.nullable(),
    prices: number,
  }),
  entry("model_connection_removed", { connection: text, name: text }),
  /** Dollars in digits; `from` is null for a call that had no cost. */
  entry("call_corrected", {
    entry: text,
    dispatch: text,
    occurredAt: text,
    from: text.nullable(),
    to: text,
    reason: text,
  }),
  entry("prices_saved", { list: number, prices: number, sha256: text, note: text }),
  /** Calls without a cost are estimated with this version from then on. */
  entry("estimation_begun", { list: number }),
  entry("statement_closed", { month: text, sha256: text }),
  entry("judge_cap_set", { policy: text, hook: text, callsPerDay: number.nullable(), nanoPerDay: text.nullable() }),
  /** Amounts are nano-dollars in digits. */
  entry("budget_saved", {
    budget: text,
    name: text,
    scope: z.enum(["workspace", "group", "agent", "person", "sign_on_group", "model", "session"]),
    about: text,
    period: z.enum(["day", "month", "total"]),
    amountNano: text,
    reserveNano: text.nullable(),
    thresholds: z.array(number),
    isHard: z.boolean(),
    unpriced: z.enum(["deny", "count", "pass"]),
  }),
  entry("budget_removed", { budget: text, name: text }),
  /** A call that was allowed and never reported its cost: a person states that it cost nothing. */
  entry("budget_reservation_released", { budget: text, name: text, request: text, nano: text }),
  /** Several calls that never reported their cost, in one entry. */
  entry("budget_reservations_released", { budget: text, name: text, madeBefore: text, count: number, nano: text }),
] as const;
