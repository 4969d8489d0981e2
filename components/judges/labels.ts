import type { Tone } from "@/components/ui/tone";
import { causeWords, type JudgeCallView, type Provider } from "@/server/judges/schema";

const VERDICTS = {
  allow: { tone: "allow", label: "Allowed" },
  ask: { tone: "ask", label: "Asks a person" },
  deny: { tone: "deny", label: "Denied" },
  block: { tone: "deny", label: "Blocked" },
  context: { tone: "observe", label: "Added context" },
  failed: { tone: "error", label: "Failed" },
  nothing: { tone: "unknown", label: "No decision" },
} as const satisfies Record<string, { tone: Tone; label: string }>;

/** A judge's verdict as a word and a colour; an unknown verdict is shown as stored. */
export function verdictLook(verdict: string): { tone: Tone; label: string } {
  if (Object.hasOwn(VERDICTS, verdict)) return VERDICTS[verdict as keyof typeof VERDICTS]; // holds: an own key
  return { tone: "unknown", label: verdict };
}

export const PROVIDER_NAMES: Readonly<Record<Provider, string>> = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  google: "Google",
  "openai-compatible": "OpenAI-compatible",
  typesafe: "TypeSafe (evaluators)",
};

/** The reason that a call has no cost. */
export const costlessBecause = ({ pricing }: Pick<JudgeCallView, "pricing">): string =>
  pricing === "unanswered"
    ? "The judge gave no answer, so the cost is unknown. The provider may still bill the call."
    : "The connection has no price for this model, or the provider reported no usage. Totals do not include this call.";

/** The failure of a trial's question: a cause as of live calls, or a template that could not be filled in. */
export const causeLabel = (cause: string): string => (cause === "template" ? "not rendered" : causeWords(cause).label);
