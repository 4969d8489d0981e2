/** The comparison of one event's two outcomes, given the hooks that could not be run. Pure. */
import { isDeepStrictEqual } from "node:util";
import { type DispatchReport, type EventName, isSkipped, type Verdict, verdictOfReport } from "@quarterdeck/hooks";

export interface Outcome {
  readonly report: DispatchReport;
  /** Identities of the hooks that were not run, in order; why, for the first. */
  readonly unrun: readonly string[];
  readonly why: string | null;
}

export type Compared =
  | { readonly kind: "unchanged" }
  | { readonly kind: "changed"; readonly from: Verdict; readonly to: Verdict }
  | { readonly kind: "unknown"; readonly why: string };

export function compared(live: Outcome, next: Outcome, event: EventName): Compared {
  const crowded = [live, next].some(({ report }) => report.hooks.some(isOurFault));
  if (crowded) return { kind: "unknown", why: "the server was too busy to run every hook" };
  const from = verdictOfReport(live.report, event);
  const to = verdictOfReport(next.report, event);
  const isSame = from === to && isDeepStrictEqual(effectOf(live.report), effectOf(next.report));
  // A denial remains a denial whatever the unanswered hooks say, and the same unanswered questions get the same
  // answers.
  if (from === "deny" && to === "deny") return { kind: "unchanged" };
  if (isSame && isDeepStrictEqual(live.unrun, next.unrun)) return { kind: "unchanged" };
  const why = live.why ?? next.why;
  const isKnown = (live.unrun.length === 0 || from === "deny") && (next.unrun.length === 0 || to === "deny");
  if (!isKnown && why !== null) return { kind: "unknown", why };
  return isSame ? { kind: "unchanged" } : { kind: "changed", from, to };
}

/** The effects on the agent other than the verdict. */
function effectOf({ result }: DispatchReport): unknown {
  const { modified_input, updated_messages, updated_tool_response, additional_context, summary, metadata } = result;
  const { transition, instruction_context } = result;
  return {
    ...{ modified_input, updated_messages, updated_tool_response, additional_context, summary, metadata },
    ...{ transition, instruction_context },
  };
}

function isOurFault({ outcome }: DispatchReport["hooks"][number]): boolean {
  return outcome.kind === "failed" && (isSkipped(outcome.failure) || outcome.failure.code === "cancelled");
}
