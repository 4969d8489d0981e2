/** docker-agent with `strict_output`: what the event cannot use is not in the answer, and no wish is lost by that. */
import { describe, expect, it } from "vitest";
import type { HookOutput } from "../../hooks/index.ts";
import { CALL_UNCHANGEABLE, RESULT_UNCHANGEABLE } from "../ruling.ts";
import { renderDockerAgent } from "./render.ts";

const render = (event: string, output: HookOutput, payload: Readonly<Record<string, unknown>> = {}) =>
  renderDockerAgent(output, { event, payload });

describe("a docker-agent answer", () => {
  it("has the name of the event that it answers, whatever stage said it", () => {
    const output = { hook_specific_output: { hook_event_name: "tool_input_transform", updated_input: { cmd: "ls" } } };
    expect(render("pre_tool_use", output)).toEqual({
      hook_specific_output: { hook_event_name: "pre_tool_use", updated_input: { cmd: "ls" } },
    });
  });

  it("has no fact of a guard on a call, and has it where a person is asked", () => {
    const output = { hook_specific_output: { permission_decision: "ask", metadata: { reach: "wide" } } };
    expect(render("pre_tool_use", output)).toEqual({
      hook_specific_output: { hook_event_name: "pre_tool_use", permission_decision: "ask" },
    });
    expect(render("tool_guard", output).hook_specific_output?.metadata).toEqual({ reach: "wide" });
  });

  it("takes context only on the events that take it", () => {
    const output = { suppress_output: true, hook_specific_output: { additional_context: "Branches only." } };
    for (const event of ["pre_tool_use", "post_tool_use", "stop"]) expect(render(event, output)).toEqual({});
    for (const event of ["session_start", "turn_start", "pre_compact", "worktree_create"])
      expect(render(event, output)).toEqual({
        hook_specific_output: { hook_event_name: event, additional_context: "Branches only." },
      });
  });

  it("blocks where a verdict is not taken, and says nothing where nothing can be blocked", () => {
    const denied = { hook_specific_output: { permission_decision: "deny", permission_decision_reason: "Too late." } };
    expect(render("user_prompt_submit", denied)).toEqual({ decision: "block", reason: "Too late." });
    // Twice: on its early lane docker-agent overlooks a block.
    expect(render("pre_tool_use", { decision: "approve" })).toEqual({
      ...{ decision: "block", reason: "Blocked by policy." },
      hook_specific_output: {
        ...{ hook_event_name: "pre_tool_use", permission_decision: "deny" },
        permission_decision_reason: "Blocked by policy.",
      },
    });
    expect(render("session_end", { decision: "block", reason: "No." })).toEqual({});
    expect(render("a_later_event", { decision: "block", reason: "No." })).toEqual({});
  });

  it("ends the run where a result should be another and is not", () => {
    const output = { hook_specific_output: { updated_tool_response: "key=[hidden]" } };
    const withheld = { decision: "block", reason: RESULT_UNCHANGEABLE };
    expect(render("post_tool_use", output, { tool_response: "key=123" })).toEqual(withheld);
    expect(render("post_tool_use", output, { tool_response: "key=[hidden]" })).toEqual({});
    expect(render("tool_response_transform", output, { tool_response: "key=123" })).toEqual({
      hook_specific_output: { hook_event_name: "tool_response_transform", updated_tool_response: "key=[hidden]" },
    });
  });
});

it("denies where a call should be another and cannot be changed", () => {
  const output = { hook_specific_output: { permission_decision: "allow", updated_input: { cmd: "ls" } } };
  expect(render("permission_request", output).hook_specific_output).toEqual({
    hook_event_name: "permission_request",
    permission_decision: "deny",
    permission_decision_reason: CALL_UNCHANGEABLE,
  });
});
