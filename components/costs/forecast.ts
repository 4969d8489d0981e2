import type { CostSummaryView } from "@/server/costs/schema";

const FORECAST_MS = 30n * 86_400_000n;
const SHORTEST_MS = 3_600_000;

/** The spend of the next 30 days at the pace of a range that ends now; without a number, the reason. */
export function forecastOf(
  { from, to, ledger, previous }: Pick<CostSummaryView, "from" | "to" | "ledger" | "previous">,
  isLive: boolean,
): { nano: bigint; reason: null } | { nano: null; reason: string } {
  const ms = to.getTime() - from.getTime();
  const reason = !isLive
    ? "The range ends in the past, so there is no forecast."
    : ledger.calls === ledger.unpriced
      ? "No call in this range has a price, so there is no forecast."
      : previous === null
        ? "Recording began within this range, so there is not enough data for a forecast."
        : ms < SHORTEST_MS
          ? "The range is too short for a forecast."
          : null;
  return reason === null ? { nano: (ledger.nano * FORECAST_MS) / BigInt(ms), reason } : { nano: null, reason };
}
