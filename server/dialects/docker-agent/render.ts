/** The native answer as docker-agent reads it: the output itself, with a reason for every denial and no decision but "block". */
import type { HookOutput, HookSpecificOutput } from "../../hooks/index.ts";
import { type Ruling, rulingOf } from "../ruling.ts";

const VERDICTS = new Set(["allow", "ask", "deny"]);

/** Any other decision counts as a failed hook, so it is sent as the refusal that it is. */
export function renderDockerAgent(output: HookOutput): HookOutput {
  const ruling = rulingOf(output);
  const { decision, reason, hook_specific_output: specific, ...rest } = output;
  const blocks = (decision ?? "") !== "";
  return {
    ...rest,
    ...(blocks && { decision: "block", reason: reason?.trim() ? reason : ruling.refusal }),
    ...(ruling.stop !== null && { stop_reason: ruling.stop }),
    ...(specific && { hook_specific_output: withReason(specific, ruling) }),
  };
}

function withReason(specific: HookSpecificOutput, ruling: Ruling): HookSpecificOutput {
  const verdict = specific.permission_decision ?? "";
  if (verdict === "" || (VERDICTS.has(verdict) && verdict !== "deny")) return specific;
  return { ...specific, permission_decision: "deny", permission_decision_reason: ruling.refusal };
}
