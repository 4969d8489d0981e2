/** The sentences about drills. */
import { DRILLED_WITHIN_DAYS } from "@/server/agents/schema";
import type { DrillOutcome, DrillResult, DrillView } from "@/server/drills/schema";

const DAY_MS = 86_400_000;

/** The posture `undrilled` in words. */
export const NOT_DRILLED_LATELY = `not drilled in ${DRILLED_WITHIN_DAYS} days`;

/** True of an agent whose newest drill no longer counts, as the posture `undrilled` says it. */
export const isDrillOverdue = (drilledAt: Date, nowMs: number): boolean =>
  nowMs - drilledAt.getTime() >= DRILLED_WITHIN_DAYS * DAY_MS;

export function blockedText(results: readonly DrillResult[]): string {
  const blocked = results.filter(({ outcome }) => outcome === "blocked").length;
  return `${blocked} of ${results.length} blocked`;
}

export const OUTCOME_TEXT: Readonly<Record<DrillOutcome, string>> = {
  blocked: "blocked",
  passed: "passed",
  unconfigured: "passed: no hook configured",
  unanswered: "blocked, but the gate did not answer",
  reached: "the gate was still reached",
};

/** Every outcome once, with its events; null when everything was blocked. */
export function failureText(results: readonly DrillResult[]): string | null {
  const failed = results.filter(({ outcome }) => outcome !== "blocked");
  if (failed.length === 0) return null;
  return failed.map(({ event, outcome }) => `${event}: ${OUTCOME_TEXT[outcome]}`).join("; ");
}

/** The calls that only the drill stopped; null if a policy stopped every call. */
export function openPolicyText({ mode, results }: Pick<DrillView, "mode" | "results">): string | null {
  if (mode === "outage") return null;
  const open = results.filter(({ policy }) => policy === "allow").length;
  return open === 0 ? null : `The agent's policies would have allowed ${open} of the ${results.length} drill calls.`;
}
