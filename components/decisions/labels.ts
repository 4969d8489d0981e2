/** The words and meanings of a decision, the same in every cell, card and chip. */
import { type DecisionView, reasonParts, sourceWords } from "@/server/decisions/schema";

/** The decider, in short: the exception that lifted a verdict, a gate's hook by its name, else the approval source in words. */
export function deciderWords({ kind, source, reason }: Pick<DecisionView, "kind" | "source" | "reason">): string {
  if (kind !== "gate") return sourceWords(source).label;
  return liftedBy(reason) ?? reasonParts(reason).hook ?? sourceWords(source).label;
}

/** The exception that lifted a verdict, as the sentence about the gate names it: "exception EX-12 of Ada". */
function liftedBy(reason: string): string | null {
  if (!/^(?:Not denied|Nobody is asked) by "/.test(reason)) return null;
  return /: (an exception of .+|exception EX-\d+ of .+?)(?:, and by \d+ more)?\.$/.exec(reason)?.[1] ?? null;
}

/** A label that distinguishes the different words of one hook or rule: "team rule, deny". */
export function sourceLabel(source: string): string {
  const { label, tone } = sourceWords(source);
  return tone === "unknown" ? label : `${label}, ${tone}`;
}

export const RESULT_BY_ORDER =
  "The agent sends no call IDs, and equal calls were in progress. So the result is shown with the oldest of these calls.";
