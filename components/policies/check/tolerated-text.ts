/** The failures of a gate that let the call pass, in words. */

import { plural } from "@/components/ui/format/count";
import { calendarDate } from "@/components/ui/format/instant";
import type { ToleratedFailuresView } from "@/server/decisions/rules/tolerated-failures-schema";

/** Null for a gate that is not in force. Zero failures are reported only if the record covers all days. */
export function toleratedText(failures: ToleratedFailuresView | undefined, gate: string): string | null {
  const known = failures?.gates.find((one) => one.gate === gate);
  if (!failures || !known) return null;
  const { days, countedSince } = failures;
  const times = `failed and allowed ${plural(known.count, "call")}`;
  if (countedSince === null) return `${times} in ${days} days`;
  return `${times} since ${calendarDate(countedSince)}; earlier failures are not on record`;
}
