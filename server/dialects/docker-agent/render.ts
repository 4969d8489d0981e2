/**
 * The native answer in the form that docker-agent reads: a reason for every denial, no decision except "block", and no field that
 * the event cannot use. With `strict_output`, a hook fails on any other field, such as the name or facts of an earlier stage.
 */
import { contractOf, type EventContract, isEventName, WIDEST_PROFILE } from "../../hooks/contract/events.ts";
import type { HookOutput, HookSpecificOutput } from "../../hooks/index.ts";
import { type RenderContext, textField } from "../render-table.ts";
import { RESULT_UNCHANGEABLE, type Ruling, rulingOf, withoutRewrite } from "../ruling.ts";
import { carrierOf } from "../stages.ts";

export function renderDockerAgent(output: HookOutput, { event, payload }: RenderContext): HookOutput {
  if (!isEventName(event, WIDEST_PROFILE)) return {};
  const contract = contractOf(event, WIDEST_PROFILE);
  const takesVerdict = contract.decides || contract.approves;
  const given = rulingOf(output);
  const ruling = takesVerdict && contract.rewrites !== "tool_input" ? withoutRewrite(given) : given;
  const block = contract.canBlock ? blockFields(output, ruling, takesVerdict) : {};
  const verdict = takesVerdict ? verdictFields(ruling) : {};
  const specific = { ...verdict, ...usableFields(output.hook_specific_output ?? {}, ruling, contract) };
  // A separate event replaces results. If that did not happen, the run ends before the model reads this one.
  const isResult = carrierOf("tool_response_transform") === event;
  const isLeaking = isResult && ruling.updatedResponse !== null && ruling.updatedResponse !== payload.tool_response;
  return {
    ...(isLeaking && { decision: "block", reason: RESULT_UNCHANGEABLE }),
    ...block,
    ...textField("system_message", ruling.message),
    ...(Object.keys(specific).length > 0 && { hook_specific_output: { hook_event_name: event, ...specific } }),
  };
}

const hasDecision = ({ decision }: HookOutput) => (decision ?? "") !== "";

/** docker-agent treats any other decision as a failed hook, so it is sent as a refusal. */
function blockFields(output: HookOutput, { refusal, stop }: Ruling, takesVerdict: boolean): HookOutput {
  const blocks = hasDecision(output) || (refusal !== null && stop === null && !takesVerdict);
  return {
    ...(stop !== null && { continue: false, stop_reason: stop }),
    ...(blocks && { decision: "block", reason: output.reason?.trim() ? output.reason : refusal }),
  };
}

/** A refusal is a denial here too, next to a block: on its early lane docker-agent overlooks a block. */
function verdictFields({ refusal, asks, allows, reason }: Ruling): HookSpecificOutput {
  if (refusal !== null) return { permission_decision: "deny", permission_decision_reason: refusal };
  return asks || allows
    ? { permission_decision: asks ? "ask" : "allow", ...textField("permission_decision_reason", reason) }
    : {};
}

function usableFields(specific: HookSpecificOutput, ruling: Ruling, contract: EventContract): HookSpecificOutput {
  const { updated_messages, updated_tool_response, instruction_context, metadata, summary } = specific;
  const all: readonly (readonly [isUsable: boolean, fields: HookSpecificOutput])[] = [
    [contract.rewrites === "tool_input", { updated_input: ruling.updatedInput }],
    [contract.rewrites === "messages" && ruling.replacesMessages, { updated_messages }],
    [contract.rewrites === "tool_response", { updated_tool_response }],
    [contract.addsContext, textField("additional_context", ruling.context)],
    [contract.addsInstructions, { instruction_context }],
    [contract.addsMetadata, { metadata }],
    [contract.suppliesSummary, { summary }],
  ];
  const fields = all.flatMap(([isUsable, some]) => (isUsable ? Object.entries(some) : []));
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined && value !== null));
}
