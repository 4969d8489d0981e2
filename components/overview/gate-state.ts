/** The state of the gate, in one word and one sentence. The worst that holds is said. */
import { formatCount, formatShare, plural } from "@/components/ui/format/count";
import type { Tone } from "@/components/ui/tone";
import type { OverviewStart, OverviewSummary } from "@/server/overview/schema";

export interface GateState {
  readonly tone: Tone;
  readonly word: string;
  readonly sentence: string;
  /** The page that explains it, or mends it. */
  readonly action: { readonly label: string; readonly href: string } | null;
}

/** `during` names the range, to end a sentence with: "in the last 24 hours". */
export function gateState(sums: OverviewSummary, start: Pick<OverviewStart, "isGoverned">, during: string): GateState {
  const { gates, gatesWithoutOpinion, gateDenied, hooksFailed, dispatches } = sums;
  const publish = { label: "Publish a policy", href: "/policies" };
  if (!start.isGoverned)
    return {
      tone: "error",
      word: "No gate",
      sentence: "No published policy binds any agent, so every call passes unjudged.",
      action: publish,
    };
  if (hooksFailed > 0)
    return {
      tone: "error",
      word: "Hooks fail",
      sentence: `${plural(hooksFailed, "hook")} failed over ${plural(dispatches, "dispatch", "dispatches")} ${during}. A gate whose hook fails denies.`,
      action: { label: "See the denials", href: "/decisions?q=verdict:deny+by:gate" },
    };
  if (dispatches === 0)
    return {
      tone: "unknown",
      word: "Quiet",
      sentence: `No agent sent anything ${during}.`,
      action: { label: "Agents", href: "/agents" },
    };
  if (gates === 0)
    return {
      tone: "observe",
      word: "Watching only",
      sentence: `${plural(dispatches, "event")} came in ${during}, but no agent asked before it acted.`,
      action: { label: "Enrol an agent", href: "/agents" },
    };
  if (gatesWithoutOpinion === gates)
    return {
      tone: "ask",
      word: "Open",
      sentence: `No hook had an opinion on any of ${plural(gates, "gate call")} ${during}: they went on as if there were no gate.`,
      action: { label: "Policies", href: "/policies" },
    };
  const open = formatShare(gatesWithoutOpinion, gates) ?? "0 %";
  return {
    tone: "allow",
    word: "Working",
    sentence: `${plural(gates, "gate call")} answered ${during}: ${formatCount(gateDenied)} denied, ${open} without an opinion, no hook failed.`,
    action: null,
  };
}
