import type { Attention } from "@/components/layout/attention";
import type { CountName } from "@/components/layout/nav";

/** From the gravest. */
const TONES = ["danger", "warning", "info"] as const satisfies readonly Attention["tone"][];

/** The counts of a place as one: their sum, the words of each, and the gravest tone; null when nothing waits. */
export function placeAttention(
  counts: readonly CountName[],
  attention: Partial<Readonly<Record<CountName, Attention>>>,
): Attention | null {
  const waiting = counts.flatMap((name) => attention[name] ?? []);
  if (waiting.length === 0) return null;
  return {
    count: waiting.reduce((sum, { count }) => sum + count, 0),
    words: waiting.map(({ words }) => words).join(", "),
    tone: TONES.find((tone) => waiting.some((one) => one.tone === tone)) ?? "info",
  };
}
