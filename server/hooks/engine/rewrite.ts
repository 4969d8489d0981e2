/** Combines the payload rewrites of hooks: in parallel (2026-07) or in a chain (2026-08). */
import type { Rewrites } from "../contract/events.ts";
import type { HookInput } from "../contract/input.ts";
import type { HookOutput } from "../contract/output.ts";
import type { Result } from "./result.ts";

/** The part of a Result that is a rewrite. */
export type Rewritten = Pick<Result, "modified_input" | "updated_messages" | "updated_tool_response">;
export const NOT_REWRITTEN: Rewritten = { modified_input: null, updated_messages: null, updated_tool_response: null };

/** The replacement that one output requests, if the event permits it; undefined without a request. */
export function rewriteIn(output: HookOutput, rewrites: Rewrites): Rewritten | undefined {
  const specific = output.hook_specific_output;
  if (!specific) return undefined;
  switch (rewrites) {
    case "nothing":
      return undefined;
    case "tool_input":
      return specific.updated_input ? { ...NOT_REWRITTEN, modified_input: specific.updated_input } : undefined;
    case "messages":
      return specific.updated_messages?.length
        ? { ...NOT_REWRITTEN, updated_messages: specific.updated_messages }
        : undefined;
    case "tool_response":
      return typeof specific.updated_tool_response === "string"
        ? { ...NOT_REWRITTEN, updated_tool_response: specific.updated_tool_response }
        : undefined;
  }
}

/** For parallel hooks: arguments are merged by key, and the later hook wins; for other payloads the first one wins. */
export function sideBySide(earlier: Rewritten, later: Rewritten): Rewritten {
  return {
    modified_input: later.modified_input
      ? { ...earlier.modified_input, ...later.modified_input }
      : earlier.modified_input,
    updated_messages: earlier.updated_messages ?? later.updated_messages,
    updated_tool_response: earlier.updated_tool_response ?? later.updated_tool_response,
  };
}

/** The input after a rewrite; the same object without one. */
export function inputAfter(input: HookInput, rewritten: Rewritten): HookInput {
  const untouched =
    !rewritten.modified_input && !rewritten.updated_messages && rewritten.updated_tool_response === null;
  return untouched ? input : nextInChain(input, rewritten).input;
}

/** One step of a chain: the input for the next hook, and the rewrite up to here with complete, patched arguments. */
export function nextInChain(input: HookInput, asked: Rewritten): { input: HookInput; rewritten: Rewritten } {
  if (asked.modified_input) {
    const tool_input = { ...input.tool_input, ...asked.modified_input };
    return { input: { ...input, tool_input }, rewritten: { ...asked, modified_input: tool_input } };
  }
  if (asked.updated_messages) {
    return { input: { ...input, messages: [...asked.updated_messages] }, rewritten: asked };
  }
  return { input: { ...input, tool_response: asked.updated_tool_response }, rewritten: asked };
}
