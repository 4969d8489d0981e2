/** The gaps in what was seen, in words: each kind with what it is a part of. Pure. */
import { plural } from "@/components/ui/format/count";
import type { GapsView } from "@/server/sessions/schema";

/** The gaps there are, as parts of a sentence: "2 of 40 turns have no end". */
export function gapSentences(gaps: GapsView): string[] {
  const { turns, calls, toolCalls } = gaps;
  const have = (count: number) => (count === 1 ? "has" : "have");
  const of = (count: number | null, whole: string, lack: string) =>
    count === null || count === 0 ? [] : [`${count.toLocaleString("en-US")} of ${whole} ${have(count)} ${lack}`];
  return [
    ...of(gaps.turnsWithoutEnd, plural(turns, "turn"), "no end"),
    ...of(gaps.turnsWithoutStart, plural(turns, "turn"), "no start"),
    ...of(gaps.toolsWithoutDecision, plural(toolCalls, "tool call"), "no decision"),
    ...of(gaps.toolsWithoutResult, plural(toolCalls, "tool call"), "no result"),
    ...of(gaps.callsWithoutAnswer, plural(calls, "model call"), "no answer"),
    ...(gaps.iterationsSkipped > 0 ? [`${plural(gaps.iterationsSkipped, "iteration")} skipped`] : []),
  ];
}

/**
 * The share of the events implied by others that was seen, with a digit after the point; never a false 100 %. Null when
 * nothing is implied.
 */
export function seenShare({ implied, missing }: Pick<GapsView, "implied" | "missing">): string | null {
  if (implied === 0) return null;
  if (missing === 0) return "100 %";
  const percent = Math.floor(((implied - missing) / implied) * 1_000) / 10;
  return `${Math.max(percent, 0).toFixed(1)} %`;
}
