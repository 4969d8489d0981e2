/** The words of labels and decisions. Pure. */
import type { Tone } from "@/components/ui/tone";
import type { Decision, LabelWord } from "@/server/prompts/schema";

export const LABELS: Readonly<
  Record<LabelWord, { readonly label: string; readonly tone: Tone; readonly keys: string }>
> = {
  right: { label: "Right", tone: "allow", keys: "1" },
  too_strict: { label: "Should have allowed", tone: "ask", keys: "2" },
  too_loose: { label: "Should have denied", tone: "deny", keys: "3" },
};

export const DECISION_WORDS: Readonly<Record<Decision, string>> = { allow: "Allow", ask: "Ask", deny: "Deny" };

/** "allow", or "disputed" when people differ. */
export const expectedWords = (expected: Decision | "disputed"): string =>
  expected === "disputed" ? "disputed" : DECISION_WORDS[expected].toLowerCase();
