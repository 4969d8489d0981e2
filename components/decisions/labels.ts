/** The words and meanings of a decision, the same in every cell, card and chip. */
import { type DecisionView, reasonParts, sourceWords } from "@/server/decisions/schema";

/** The decider, in short: a gate's hook by its name, else the approval source in words. */
export const deciderWords = ({ kind, source, reason }: Pick<DecisionView, "kind" | "source" | "reason">): string =>
  (kind === "gate" ? reasonParts(reason).hook : null) ?? sourceWords(source).label;

/** Words that tell apart what one hook or rule may say: "team rule, deny". */
export function sourceLabel(source: string): string {
  const { label, tone } = sourceWords(source);
  return tone === "unknown" ? label : `${label}, ${tone}`;
}
