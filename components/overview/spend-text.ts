/** The comparison of today's spend with the same hours of yesterday, in words. */
import { formatShare, plural } from "@/components/ui/format/count";
import { shortMoney } from "@/components/ui/format/nano";
import type { SpendToday } from "@/server/overview/schema";

/** A larger increase is written as a multiple. */
const PERCENT_MAX = 900;

/** "18 % more than at this time yesterday ($4.20)". */
export function spendChangeText({ today, yesterday }: SpendToday): string {
  const [now, before] = [today.costNano, yesterday.costNano];
  if (yesterday.calls === 0) return "no model calls by this time yesterday";
  if (before === 0n) return "$0 by this time yesterday";
  const asOf = `at this time yesterday (${shortMoney(before)})`;
  if (now === before) return `the same as ${asOf}`;
  const percent = Number(((now > before ? now - before : before - now) * 1_000n) / before) / 10;
  if (percent >= PERCENT_MAX) return `more than 10 times as much as ${asOf}`;
  const rounded = percent >= 10 ? Math.round(percent) : percent;
  if (rounded === 0) return `about the same as ${asOf}`;
  return `${rounded.toLocaleString("en")} % ${now > before ? "more" : "less"} than ${asOf}`;
}

/** The share of today's model calls that the sum covers. */
export function spendCoverageText({ calls, unpriced }: SpendToday["today"]): string {
  if (unpriced === 0) return calls === 1 ? "1 model call, priced" : `all ${plural(calls, "model call")} priced`;
  return `${formatShare(calls - unpriced, calls)} of ${plural(calls, "model call")} priced`;
}
