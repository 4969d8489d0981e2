/** Monitor mode of a policy or a rule, and its results, in sentences. Pure. */
import { formatCount } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { exactTime } from "@/components/ui/format/instant";
import type { ObservedSums } from "@/server/shadow-mode/schema";

export type Monitored = "policy" | "rule";

/** "The policy will be enforced in 2 d 3 h, Tuesday ...". */
export function untilWords(until: Date, nowMs: number | null, what: Monitored = "policy"): string {
  if (nowMs === null)
    return `The ${what} will be enforced at ${until.toISOString().slice(0, 16).replace("T", " ")} UTC.`;
  const leftMs = until.getTime() - nowMs;
  if (leftMs <= 0) return `The ${what} is now enforced.`;
  // Whole seconds: tenths would only flicker.
  return `The ${what} will be enforced in ${formatDuration(Math.max(1, Math.round(leftMs / 1_000)) * 1_000)}, ${exactTime(until)}.`;
}

type Counts = Pick<ObservedSums, "gates" | "denied" | "asked" | "failed" | "dropped">;

/** "The policy would have denied 12 of 340 gate calls." Names what is unknown. */
export function observedWords({ gates, denied, asked, failed, dropped }: Counts, what: Monitored = "policy"): string {
  if (gates + dropped === 0) return `The ${what} has checked no gate call in monitor mode yet.`;
  const of = `${formatCount(gates)} gate ${gates === 1 ? "call" : "calls"}`;
  const parts = [
    gates === 0
      ? ""
      : denied + asked === 0
        ? `The ${what} would have changed 0 of ${of}.`
        : `The ${what} would have ${[
            ...(denied > 0 ? [`denied ${formatCount(denied)}`] : []),
            ...(asked > 0 ? [`required approval for ${formatCount(asked)}`] : []),
          ].join(" and ")} of ${of}.`,
    failed > 0 ? `${what === "rule" ? "The rule" : "The policy's hooks"} failed on ${formatCount(failed)}.` : "",
    dropped > 0 ? `${formatCount(dropped)} more could not be checked in time.` : "",
  ];
  return parts.filter(Boolean).join(" ");
}
