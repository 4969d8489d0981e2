/**
 * The spending of a budget at the end of its period, if it continues at the same pace. A linear forecast, labelled as
 * one; often there is too little data for any.
 */
import type { AccountView, ForecastView } from "./schema.ts";

const SINCE_MS_MIN = 3_600_000;
const CALLS_MIN = 3;

export interface Spending {
  readonly account: Pick<AccountView, "spentNano" | "assumedNano" | "priced" | "free" | "unpriced">;
  /** When the first call of the period was made; null without any. */
  readonly firstAt: Date | null;
  readonly periodStart: Date | null;
  readonly periodEnd: Date | null;
  readonly amountNano: bigint;
}

export function forecastOf(
  { account, firstAt, periodStart, periodEnd, amountNano }: Spending,
  now: Date,
): ForecastView {
  if (!periodStart || !periodEnd) return none("No forecast without a period.");
  const calls = account.priced + account.free + account.unpriced;
  if (calls < CALLS_MIN || !firstAt) return none(`No forecast: fewer than ${CALLS_MIN} calls in this period.`);
  const since = firstAt > periodStart ? firstAt : periodStart;
  const passedMs = BigInt(now.getTime() - since.getTime());
  if (passedMs < SINCE_MS_MIN) return none("No forecast: less than an hour of this period.");
  const used = account.spentNano + account.assumedNano;
  const nano = (used * BigInt(periodEnd.getTime() - since.getTime())) / passedMs;
  const reachedMs =
    used > 0n && used < amountNano ? now.getTime() + Number(((amountNano - used) * passedMs) / used) : null;
  const reachedAt = reachedMs !== null && reachedMs < periodEnd.getTime() ? new Date(reachedMs) : null;
  return { kind: "linear", nano, since, calls, reachedAt };
}

const none = (says: string): ForecastView => ({ kind: "none", says });
