/** The state of the gate, as one word and one sentence: the worst condition that applies. */
import { plural } from "@/components/ui/format/count";
import type { Tone } from "@/components/ui/tone";
import type { OverviewStart, OverviewSummary } from "@/server/overview/schema";
import type { GateGaps } from "@/server/policies/schema";

export interface GateState {
  readonly tone: Tone;
  readonly word: string;
  readonly sentence: string;
  /** The page that explains it, or mends it. */
  readonly action: { readonly label: string; readonly href: string } | null;
}

/** `during` names the range, to end a sentence with: "in the last 24 hours". `isHalted`: the whole workspace is, now. */
export function describeGateState(
  sums: OverviewSummary,
  start: Pick<OverviewStart, "isGoverned">,
  during: string,
  isHalted: boolean,
  gaps: GateGaps,
): GateState {
  const { gates, gatesWithoutRule, hooksFailed, dispatches } = sums;
  const publish = { label: "Publish a policy", href: "/policies" };
  if (isHalted)
    return {
      tone: "error",
      word: "Halted",
      sentence: "The whole workspace is halted. Every gate denies all calls until a person resumes the workspace.",
      action: { label: "Halts", href: "/audit/halts" },
    };
  if (!start.isGoverned)
    return {
      tone: "error",
      word: "No gate",
      sentence: "No published policy applies to any agent, so calls run without any rule.",
      action: publish,
    };
  if (hooksFailed > 0)
    return {
      tone: "error",
      word: "Hooks fail",
      sentence: `${plural(hooksFailed, "hook")} failed in ${plural(dispatches, "event")} ${during}. A gate whose hook fails denies the call, except where profile 2026-07 lets it through.`,
      action: { label: "See the denials", href: "/activity?q=verdict:deny+by:gate" },
    };
  const gap = sentenceOfGaps(gaps);
  if (gap !== null) return { tone: "ask", word: "Not everywhere", ...gap };
  if (dispatches === 0)
    return {
      tone: "unknown",
      word: "Quiet",
      sentence: `No events received from any agent ${during}.`,
      action: { label: "Agents", href: "/agents" },
    };
  if (gates === 0)
    return {
      tone: "observe",
      word: "Watching only",
      sentence: `${plural(dispatches, "event")} arrived ${during}, but no tool call reached a gate.`,
      action: { label: "Enrol an agent", href: "/agents" },
    };
  if (gatesWithoutRule === gates)
    return {
      tone: "ask",
      word: "Open",
      sentence: `No rule ran for ${plural(gates, "tool call")} ${during}: every call passed.`,
      action: { label: "Policies", href: "/policies" },
    };
  return {
    tone: "allow",
    word: "Checking calls",
    sentence: `${plural(gates, "tool call")} ${during}; every check was completed.`,
    action: null,
  };
}

/** The number of policies and agents with a gap; null when every call passes a policy. The rows of Waiting for you name them. */
function sentenceOfGaps({ unheld, ungoverned }: GateGaps): Pick<GateState, "sentence" | "action"> | null {
  const said = [
    unheld.policies > 0 &&
      plural(unheld.policies, "policy cannot stop all of its agents", "policies cannot stop all of their agents"),
    ungoverned.agents > 0 &&
      plural(ungoverned.agents, "agent has no enforced policy", "agents have no enforced policy"),
  ].filter((part) => part !== false);
  return said.length === 0 ? null : { sentence: `Some calls pass unchecked: ${said.join("; ")}.`, action: null };
}
