/** The gaps in coverage as text: each kind with its total. Pure. */
import { plural } from "@/components/ui/format/count";
import type { GapsView } from "@/server/sessions/schema";

/** The gaps as parts of a sentence: "2 of 40 turns have no end". */
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

/** The share of implied events that was seen, with one decimal; never a false 100 %. Null when no event is implied. */
export function seenShare({ implied, missing }: Pick<GapsView, "implied" | "missing">): string | null {
  if (implied === 0) return null;
  if (missing === 0) return "100 %";
  const percent = Math.floor(((implied - missing) / implied) * 1_000) / 10;
  return `${Math.max(percent, 0).toFixed(1)} %`;
}
