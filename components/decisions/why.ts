/** The reason for a decision, in one sentence, and the place where it was made. */

import { contractOf, isEventName, WIDEST_PROFILE } from "@quarterdeck/hooks/contract/events";
import { withEventTitles } from "@/components/layout/hook-place";
import { type CallRecordView, type DecisionDetail, sourceWords } from "@/server/decisions/schema";

export type DetailHook = DecisionDetail["hooks"][number];

const SAYS: Readonly<Record<string, readonly string[]>> = {
  deny: ["deny", "block"],
  ask: ["ask"],
  allow: ["allow"],
  rewrite: ["rewrite"],
};

/** The hook that said the verdict. For a denial that no hook said, the hook whose failure denies. */
export function decidingHook(verdict: string, hooks: readonly DetailHook[]): DetailHook | null {
  const words = SAYS[verdict] ?? [];
  const spoke = hooks.find((hook) => words.includes(hook.said));
  if (spoke || verdict !== "deny") return spoke ?? null;
  return hooks.find((hook) => hook.said === "failed" || hook.outcome === "failed") ?? null;
}

/** The act of the deciding hook, to follow its name: "refused it". */
export function hookActionText(hook: DetailHook): string {
  if (hook.said === "deny" || hook.said === "block") return "refused it";
  if (hook.said === "ask") return "wants a person to be asked";
  if (hook.said === "allow") return "allowed it";
  if (hook.said === "rewrite") return "rewrote its arguments";
  if (hook.outcome === "skipped") return "could not be started, and a gate that cannot be asked denies";
  return "failed, and a gate that fails denies";
}

export interface Why {
  readonly sentence: string;
  /** The place of the decision, if the sentence does not name it. */
  readonly note: string | null;
}

type Decided = Pick<DecisionDetail, "kind" | "verdict" | "source" | "event" | "reason"> & {
  readonly hooks: readonly DetailHook[];
  readonly callRecords: readonly CallRecordView[];
};

/** The sentence for a decision that has no deciding hook to name, and the note on where it was made. */
export function whyOf(detail: Decided): Why {
  if (detail.kind === "gate")
    return {
      sentence: withEventTitles(detail.reason) || sourceWords(detail.source).says,
      note: isContentGuard(detail.event) ? NO_WORDS : null,
    };
  const sentence = sourceWords(detail.source).says;
  const gate = detail.callRecords.find(({ decision }) => decision?.kind === "gate" && decision.verdict !== "none");
  const unnamed = detail.source.startsWith("user_") ? "The agent does not report which person decided." : null;
  if (gate) return { sentence, note: unnamed };
  const asked = detail.callRecords.some((record) => record.origin === "dispatch" && isGateEvent(record.event));
  const noRule = "The agent had asked this console, and no policy rule applied.";
  if (asked) return { sentence, note: unnamed ? `${noRule} ${unnamed}` : noRule };
  if (/_hook_(allow|deny)$|^tool_(guard|input_transform)_deny$/.test(detail.source))
    return {
      sentence,
      note: "This console did not run the hook that decided. The hook ran on the agent's machine, or the agent only reported the event.",
    };
  const elsewhere = "The agent decided by itself and did not ask this console.";
  return { sentence, note: unnamed ? `${elsewhere} ${unnamed}` : elsewhere };
}

/** The checked text may hold instructions for the reader of the reason. */
const NO_WORDS = "A content check gives a verdict only. Its reasons are neither sent to the agent nor stored.";
const isContentGuard = (event: string): boolean =>
  isEventName(event, WIDEST_PROFILE) && contractOf(event, WIDEST_PROFILE).guardsContent;

/** A sentence on an agent that did not follow a gate's verdict. */
export function ignoredVerdict({
  kind,
  verdict,
  callRecords,
}: Pick<DecisionDetail, "kind" | "verdict" | "callRecords">): string | null {
  if (kind !== "gate" || verdict !== "deny") return null;
  const final = callRecords.find((record) => record.decision?.kind === "final" && record.decision.verdict === "allow");
  const ran = callRecords.some((record) => record.event === "post_tool_use");
  if (final?.decision)
    return `The agent allowed the call anyway (${sourceWords(final.decision.source).label})${ran ? ", and the tool ran" : ""}. The agent's enrolment does not make it obey this gate.`;
  return ran ? "The tool ran anyway. The agent's enrolment does not make it obey this gate." : null;
}

export const isGateEvent = (event: string): boolean =>
  ["tool_input_transform", "tool_guard", "pre_tool_use", "permission_request"].includes(event);
