/** The state of the gate, as one word and one sentence: the worst condition that applies. */
import { formatCount, plural } from "@/components/ui/format/count";
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
  const { gates, gatesWithoutOpinion, gatesWithoutRule, gateDenied, hooksFailed, dispatches } = sums;
  const publish = { label: "Publish a policy", href: "/policies" };
  if (isHalted)
    return {
      tone: "error",
      word: "Halted",
      sentence: "The whole workspace is halted: every gate denies, whatever policies say, until a person resumes it.",
      action: { label: "Halts", href: "/halts" },
    };
  if (!start.isGoverned)
    return {
      tone: "error",
      word: "No gate",
      sentence: "No published policy applies to any agent, so every call passes with no rule applied.",
      action: publish,
    };
  if (hooksFailed > 0)
    return {
      tone: "error",
      word: "Hooks fail",
      sentence: `${plural(hooksFailed, "hook")} failed in ${plural(dispatches, "event")} ${during}. A gate whose hook fails denies the call, but for gates of profile 2026-07 that allow.`,
      action: { label: "See the denials", href: "/decisions?q=verdict:deny+by:gate" },
    };
  const gap = sentenceOfGaps(gaps);
  if (gap !== null) return { tone: "ask", word: "Not everywhere", ...gap };
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
      sentence: `${plural(dispatches, "event")} came in ${during}, but no agent asked about a tool call.`,
      action: { label: "Enrol an agent", href: "/agents" },
    };
  if (gatesWithoutRule === gates)
    return {
      tone: "ask",
      word: "Open",
      sentence: `No rule ran for ${plural(gates, "tool call")} ${during}: every call passed.`,
      action: { label: "Policies", href: "/policies" },
    };
  const silent = formatCount(gatesWithoutOpinion - gatesWithoutRule);
  return {
    tone: "allow",
    word: "Working",
    sentence: `${plural(gates, "tool call")} checked ${during}: ${formatCount(gateDenied)} denied, rules had nothing to say about ${silent}, no rule ran for ${formatCount(gatesWithoutRule)}, no hook failed.`,
    action: null,
  };
}

/** The largest gap as a sentence; null when every call passes a policy. */
function sentenceOfGaps({ unheld, ungoverned }: GateGaps): Pick<GateState, "sentence" | "action"> | null {
  const { first, policies } = unheld;
  if (first) {
    const more = policies > 1 ? ` ${plural(policies - 1, "more policy has", "more policies have")} such agents.` : "";
    return {
      sentence: `Policy ${first.policy}: ${first.says}${more}`,
      action: { label: "Policies", href: "/policies" },
    };
  }
  const { agents, names } = ungoverned;
  if (agents === 0) return null;
  const more = agents > names.length ? ` and ${formatCount(agents - names.length)} more` : "";
  return {
    sentence: `${plural(agents, "agent has", "agents have")} no enforced policy: ${names.join(", ")}${more}. Their calls pass unless a halt denies them.`,
    action: { label: "Agents", href: "/agents" },
  };
}
