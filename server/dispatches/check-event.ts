/**
 * The checks on an agent's event before it is accepted. Stored events become figures, so contradictory numbers and
 * identities are refused at the edge. The executor itself takes any input (spec: a call without a tool has an empty
 * name).
 */

import { toolNameFault } from "@quarterdeck/hooks/contract/call-text";
import { contractOf, type EventName, WIDEST_PROFILE } from "@quarterdeck/hooks/contract/events";
import type { HookInput } from "@quarterdeck/hooks/contract/input";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { AppError } from "../errors/app-error.ts";

/** Far above any tool's name; each matcher of a policy reads it whole. */
const TOOL_NAME_CHARACTERS_MAX = 512;
const MODEL_EVENTS: ReadonlySet<EventName> = new Set(["before_llm_call", "after_llm_call"]);
const FINAL_DECISIONS = ["allow", "deny", "canceled"];
const COUNTS = ["input_tokens", "output_tokens", "context_limit"] as const;
const USAGE_COUNTS = [
  "input_tokens",
  "output_tokens",
  "cached_input_tokens",
  "cached_write_tokens",
  "reasoning_tokens",
] as const;

/** Errors: `invalid_input` with a JSON pointer; `within` is the pointer of the input itself. */
export function checkEvent(event: EventName, input: HookInput, within = ""): void {
  const refuse = (field: string, says: string): never => {
    throw new AppError("invalid_input", undefined, { says, pointer: `${within}/${field}` });
  };
  const stated = input.hook_event_name ?? "";
  if (stated !== "" && stated !== event)
    refuse("hook_event_name", `hook_event_name says "${truncateText(stated, 60)}", and the event is ${event}.`);
  const { toolScoped: isOfTool, canBlock, decides } = contractOf(event, WIDEST_PROFILE);
  const tool = input.tool_name ?? "";
  if (isOfTool && tool === "") refuse("tool_name", `${event} is about a tool: tool_name must name it.`);
  const fault = isOfTool && (canBlock || decides) ? toolNameFault(tool) : null;
  if (fault !== null) refuse("tool_name", fault);
  if (tool.length > TOOL_NAME_CHARACTERS_MAX)
    refuse("tool_name", `tool_name has at most ${TOOL_NAME_CHARACTERS_MAX} characters.`);
  if ((isOfTool || MODEL_EVENTS.has(event)) && (input.session_id ?? "") === "")
    refuse("session_id", `${event} belongs to a session: session_id must name it.`);
  if (event === "on_tool_approval_decision" && !FINAL_DECISIONS.includes(input.approval_decision ?? ""))
    refuse("approval_decision", `approval_decision must be one of ${FINAL_DECISIONS.join(", ")}.`);
  for (const name of COUNTS) if ((input[name] ?? 0) < 0) refuse(name, `${name} must not be negative.`);
  for (const name of USAGE_COUNTS)
    if ((input.usage?.[name] ?? 0) < 0) refuse(`usage/${name}`, `usage/${name} must not be negative.`);
}
