/** Explains a dispatch in one sentence: the deciding hook, or the failure. */
import { truncateToLine } from "../contract/truncate-text.ts";
import { goDuration } from "./duration.ts";
import { failureText, type HookFailure, isSkipped } from "./outcome.ts";
import type { DispatchReport, HookReport, LiftedVerdict } from "./report.ts";

/** The reason for the Result, for a reader who did not see the dispatch. */
export function explainDispatch(report: DispatchReport): string {
  const { result, hooks } = report;
  if (!result.allowed) return stopped(report);
  if (result.decision === "" || result.decision === "allow") {
    const lifted = hooks.filter((hook) => hook.exception !== undefined);
    const [first] = lifted;
    if (first?.exception)
      return `${liftedWords(first.exception)} by ${nameOf(first)}: ${first.exception.label}${andOthers(lifted.length - 1)}.`;
  }
  if (result.decision !== "" || result.permission_allowed) {
    const word = result.decision || "allow";
    const by = hooks.find((hook) => hook.said === word);
    const heading = { allow: "Allowed", ask: "A person is asked", deny: "Denied" }[word];
    return `${heading}${by ? ` by ${nameOf(by)}` : ""}${because(result.decision_reason)}.`;
  }
  if (hooks.length === 0) return "No hook applies.";
  if (result.transition) {
    const by = hooks.find((hook) => hook.said === "route");
    return `Routed to "${truncateToLine(result.transition.agent, 80)}"${by ? ` by ${nameOf(by)}` : ""}.`;
  }
  const failed = hooks.filter((hook) => hook.said === "failed");
  const first = failed[0];
  if (first)
    return `Nothing was decided; ${nameOf(first)} ${failedHow(first)}${because(failureOf(first))}${andOthers(failed.length - 1)}.`;
  const approving = hooks.filter((hook) => hook.said === "allow");
  const [approved] = approving;
  if (approved) return `Allowed by ${nameOf(approved)}${andOthers(approving.length - 1)}.`;
  const spoke = hooks.find((hook) => hook.said !== "nothing");
  if (spoke) return `Nothing was decided; ${nameOf(spoke)} contributed (${spoke.said}).`;
  return hooks.length === 1
    ? "The one hook that ran had nothing to say."
    : `None of the ${hooks.length} hooks had anything to say.`;
}

/** This sentence names the hook in the same way as a verdict, so lists find it by rule and policy. */
const liftedWords = ({ verdict }: LiftedVerdict): string => (verdict === "deny" ? "Not denied" : "Nobody is asked");

function stopped({ result, hooks }: DispatchReport): string {
  // The Result's own reason may come from a hook that only asked.
  const blocking = hooks.filter((hook) => hook.blocked);
  const by = blocking.find((hook) => hook.said === "deny") ?? blocking[0];
  if (!by) return `Denied${because(result.message)}.`;
  const others = andOthers(blocking.length - 1);
  if (by.said === "failed") return `Denied because ${nameOf(by)} ${failedHow(by)}${because(failureOf(by))}${others}.`;
  return `Denied by ${nameOf(by)}${because(wordsOf(by))}${others}.`;
}

/** The message of a blocking hook. */
function wordsOf({ said, outcome, output }: HookReport): string {
  if (outcome.kind === "refused") return outcome.reason;
  if (said === "deny") return output?.hook_specific_output?.permission_decision_reason ?? "";
  return output?.stop_reason || output?.reason || "";
}

function nameOf(hook: HookReport): string {
  const { policy, revision } = hook.origin;
  const from = policy === undefined ? "" : `${policy}${revision === undefined ? "" : ` revision ${revision}`}, `;
  return `"${truncateToLine(hook.name, 80)}" (${from}${hook.path})`;
}

function failedHow({ outcome }: HookReport): string {
  return outcome.kind === "failed" && isSkipped(outcome.failure) ? "was skipped" : "failed";
}

function failureOf({ outcome, error }: HookReport): string {
  return outcome.kind === "failed" ? failureWords(outcome.failure) : (error ?? "");
}

/** The failure for a reader who knows the hook's name. The wire text repeats the whole command. */
function failureWords(failure: HookFailure): string {
  if (failure.code === "timed_out") return `it gave no answer within ${goDuration(failure.afterMs)}`;
  if (failure.code === "cancelled") return "the call was cancelled while it ran";
  if (failure.code === "circuit_open") return failureText({ ...failure, lastError: wordsOfText(failure.lastError) });
  return failureText(failure);
}

/** A circuit breaker keeps only the text of the failure that opened it. */
const wordsOfText = (text: string): string =>
  text
    .replace(/^hook "[\s\S]*" timed out after (\S+): context deadline exceeded$/, "no answer within $1")
    .replace(/^hook "[\s\S]*" cancelled: context canceled$/, "cancelled");

function because(reason: string): string {
  const text = reason.trim().replace(/\.$/, "");
  return text === "" ? "" : `: ${text}`;
}

function andOthers(count: number): string {
  return count > 0 ? `, and by ${count} more` : "";
}
