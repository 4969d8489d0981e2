import { formatCount, plural } from "@/components/ui/format/count";
import type { Tone } from "@/components/ui/tone";
import type { TrialView } from "@/server/prompts/schema";
import type { ScoreView } from "@/server/prompts/score-schema";

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

/** "8 labelled calls. Left: 7 correct, 1 wrong. Right: 1 correct, 7 wrong. 1 call with disputed labels is not counted." */
export function scoreText(
  { compared, disputed, before, after }: ScoreView,
  names: { readonly before: string; readonly after: string },
): string {
  const side = (name: string, { right, wrong }: ScoreView["before"]) =>
    `${name}: ${formatCount(right)} correct, ${formatCount(wrong)} wrong.`;
  const sides = `${side(names.before, before)} ${side(names.after, after)}`;
  return `${plural(compared, "labelled call")}. ${sides}${disputedText(disputed)}`;
}

/** The calls that are left out because people labelled them differently; empty without one. */
const disputedText = (disputed: number): string =>
  disputed === 0
    ? ""
    : ` ${plural(disputed, "call")} with disputed labels ${disputed === 1 ? "is" : "are"} not counted.`;

/** The reason that right and wrong are not known. */
export const unscoredText = ({ labelled, disputed }: Pick<ScoreView, "labelled" | "disputed">): string =>
  labelled === 0
    ? disputed === 0
      ? "People have not labelled these calls yet, so it is unknown which verdicts are right."
      : `People do not agree on a label, so it is unknown which verdicts are right.${disputedText(disputed)}`
    : `${plural(labelled, "call")} ${labelled === 1 ? "is" : "are"} labelled, but only one side was tried on ${labelled === 1 ? "it" : "them"}.${disputedText(disputed)}`;
