/** The words and meanings of a decision, the same in every cell, card and chip. */
import type { Tone } from "@/components/ui/tone";
import { type DecisionView, reasonParts, sourceWords } from "@/server/decisions/schema";

const VERDICTS = {
  allow: { tone: "allow", word: "Allowed" },
  ask: { tone: "ask", word: "Asks a person" },
  deny: { tone: "deny", word: "Denied" },
  canceled: { tone: "canceled", word: "Canceled" },
} as const satisfies Record<string, { tone: Tone; word: string }>;

/** A verdict's tone and word; one that nobody here knows is shown as it was sent. */
export function verdictWords(verdict: string): { tone: Tone; word: string } {
  if (Object.hasOwn(VERDICTS, verdict)) return VERDICTS[verdict as keyof typeof VERDICTS]; // holds: an own key
  return { tone: "unknown", word: verdict === "" ? "Not said" : verdict };
}

/** Who decided, short: a gate's hook by its name, else the approval source in words. */
export const deciderWords = ({ kind, source, reason }: Pick<DecisionView, "kind" | "source" | "reason">): string =>
  (kind === "gate" ? reasonParts(reason).hook : null) ?? sourceWords(source).label;
