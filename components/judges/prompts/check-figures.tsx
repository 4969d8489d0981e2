import { ShareFigure } from "@/components/judges/prompts/figure-cells";
import { plural } from "@/components/ui/format/count";
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";
import type { CheckView } from "@/server/prompts/check-schema";

const STATES: Readonly<Record<CheckView["state"], { readonly label: string; readonly tone: Tone }>> = {
  running: { label: "Running", tone: "observe" },
  finished: { label: "Finished", tone: "allow" },
  not_run: { label: "Not run", tone: "unknown" },
};

export function CheckState({ check: { state } }: { check: CheckView }) {
  return <Mark {...STATES[state]} />;
}

/** The share of the injection pack that a judge refused, or its progress. A test that was not run has no score. */
export function InjectionFigure({ check }: { check: CheckView | null }) {
  if (check?.state === "running") return <span className="text-muted">{`${check.asked} of ${check.calls} asked`}</span>;
  const isUntested = check === null || check.refused === null;
  return (
    <ShareFigure
      share={check?.refused ?? null}
      missing={isUntested && check !== null ? check.says : "No injection test of this draft yet."}
    />
  );
}

/** "57 of 60 calls of the injection pack refused, 1 without a decision." */
export function injectionText({ refused, failed }: CheckView): string {
  if (refused === null) return "";
  const without = failed === 0 ? "" : `, ${failed} without a decision`;
  return `${refused.hits} of ${plural(refused.of, "call")} of the injection pack refused${without}.`;
}
