/** The results of observing, in sentences. Pure. */
import { formatCount } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { exactTime } from "@/components/ui/format/instant";
import type { ObservedSums } from "@/server/shadow-mode/schema";

/** "It is enforced by itself in 2 d 3 h: Tuesday ...". */
export function untilWords(until: Date, nowMs: number | null): string {
  if (nowMs === null) return `It is enforced by itself at ${until.toISOString().slice(0, 16).replace("T", " ")} UTC.`;
  const leftMs = until.getTime() - nowMs;
  if (leftMs <= 0) return "It is enforced from this moment on.";
  // Whole seconds: tenths would only flicker.
  return `It is enforced by itself in ${formatDuration(Math.max(1, Math.round(leftMs / 1_000)) * 1_000)}, ${exactTime(until)}.`;
}

/** "It would have denied 12 of 340 gate calls." Names what is unknown. */
export function observedWords({ gates, denied, asked, failed, dropped }: ObservedSums): string {
  if (gates + dropped === 0) return "No gate call of these agents has been looked at yet.";
  const of = `${formatCount(gates)} gate ${gates === 1 ? "call" : "calls"}`;
  const parts = [
    gates === 0
      ? ""
      : denied + asked === 0
        ? `It would have changed none of ${of}.`
        : `It would have ${[
            ...(denied > 0 ? [`denied ${formatCount(denied)}`] : []),
            ...(asked > 0 ? [`asked a person about ${formatCount(asked)}`] : []),
          ].join(" and ")} of ${of}.`,
    failed > 0 ? `A hook of it failed in ${formatCount(failed)}.` : "",
    dropped > 0 ? `${formatCount(dropped)} more could not be looked at in time.` : "",
  ];
  return parts.filter(Boolean).join(" ");
}
