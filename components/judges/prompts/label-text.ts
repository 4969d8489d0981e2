import type { Tone } from "@/components/ui/tone";
import type { Decision, LabelWord, TrialView } from "@/server/prompts/schema";

export const LABELS: Readonly<
  Record<LabelWord, { readonly label: string; readonly tone: Tone; readonly keys: string }>
> = {
  right: { label: "Right", tone: "allow", keys: "1" },
  too_strict: { label: "Too strict", tone: "ask", keys: "2" },
  too_loose: { label: "Too loose", tone: "deny", keys: "3" },
};

export const DECISION_WORDS: Readonly<Record<Decision, string>> = { allow: "Allow", ask: "Ask", deny: "Deny" };

const STATES: Readonly<Record<TrialView["state"], { readonly label: string; readonly tone: Tone }>> = {
  running: { label: "Running", tone: "observe" },
  finished: { label: "Finished", tone: "allow" },
  canceled: { label: "Canceled", tone: "canceled" },
  spent: { label: "Budget spent", tone: "ask" },
  stopped: { label: "Stopped", tone: "error" },
  interrupted: { label: "Interrupted", tone: "error" },
};
export const stateLook = (state: TrialView["state"]) => STATES[state];

/** `shell-risk@3`, or the draft by a few digits of its hash. */
export const whatWas = ({ revision, sha256 }: Pick<TrialView, "revision" | "sha256">): string =>
  revision === 0 ? `draft ${sha256.slice(0, 6)}` : `revision ${revision}`;
