import { eventNames } from "@quarterdeck/hooks/contract/events";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordOf } from "../../e2e/fixtures/recording-rig.ts";
import type { DispatchRecord } from "./dispatch-record.ts";
import { projectDispatch } from "./projection.ts";

const owner = { workspaceId: "00000000-0000-7000-8000-000000000001", agentId: "00000000-0000-7000-8000-000000000002" };
const of = (event: string, input: object, more: Partial<DispatchRecord> = {}) =>
  projectDispatch(recordOf(owner, event, JSON.stringify(input), more));

describe("what a dispatch projects to", () => {
  test("is something for any event and any input: no shape of a field can lose a dispatch", () => {
    const names = [
      "session_id",
      "tool_name",
      "tool_input",
      "usage",
      "input_tokens",
      "reason",
      "summary",
      "model_id",
      "tool_error",
      "approval_decision",
    ];
    const input = fc.dictionary(fc.constantFrom(...names), fc.jsonValue());
    fc.assert(
      fc.property(fc.constantFrom(...eventNames("2026-08")), input, (event, members) => {
        const projection = of(event, members);
        expect(typeof projection.sessionId).toBe("string");
        expect(projection.call !== null).toBe(event === "after_llm_call");
        for (const count of Object.values(projection.call?.tokens ?? {}))
          expect(count === null || (Number.isSafeInteger(count) && count >= 0)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test("is a final decision for how the approval chain ended, and a gate's verdict only when one was given", () => {
    const call = { tool_name: "shell", tool_input: { cmd: "rm -rf /" } };
    const final = { ...call, approval_decision: "deny", approval_source: "user_rejected" };
    expect(of("on_tool_approval_decision", final).decision).toMatchObject({
      kind: "final",
      verdict: "deny",
      source: "user_rejected",
      excerpt: "rm -rf /",
    });
    expect(of("pre_tool_use", call).decision).toBeNull();
    expect(of("pre_tool_use", call, { verdict: "deny", reason: "no" }).decision).toMatchObject({
      kind: "gate",
      verdict: "deny",
      source: "pre_tool_use_hook_deny",
      reason: "no",
    });
    expect(of("before_compaction", {}, { verdict: "deny", reason: "no" }).decision).toBeNull();
  });

  test.each([
    ["skill_content_guard", { skill: { name: "notes", content: "x" } }, "notes"],
    ["prompt_file_guard", { prompt_file: { path: "/srv/AGENTS.md", content: "x" } }, "/srv/AGENTS.md"],
    ["prompt_file_guard", { prompt_file: { content: "x" } }, ""],
    ["prompt_file_guard", { prompt_file: "x" }, ""],
    ["before_agent_run", { input: "write a letter" }, "write a letter"],
    ["after_agent_complete", { output: "a letter" }, "a letter"],
    ["before_llm_call", { model_id: "acme/large" }, "acme/large"],
  ] as const)("is a gate's verdict over what %s refused", (event, members, excerpt) => {
    expect(of(event, members, { verdict: "deny", reason: "no" }).decision).toEqual({
      ...{ kind: "gate", verdict: "deny", source: `${event}_hook_deny`, reason: "no", excerpt },
    });
    expect(of(event, members, { verdict: "allow" }).decision).toBeNull();
    expect(of(event, members).decision).toBeNull();
  });

  test("tells usage that is absent from usage that is zero", () => {
    expect(of("after_llm_call", {}).call).toMatchObject({ hasUsage: false, tokens: { input: null, reasoning: null } });
    const zero = { usage: { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, cached_write_tokens: 0 } };
    expect(of("after_llm_call", zero).call).toMatchObject({
      hasUsage: true,
      tokens: { input: 0, output: 0, reasoning: 0 },
    });
    expect(of("after_llm_call", { usage: [] }).call?.hasUsage).toBe(false);
  });

  test.each([-1, 1.5, "7", null, {}, 1e13, Number.MAX_SAFE_INTEGER])(
    "a count of %j is unknown, not a number",
    (input_tokens) => {
      expect(of("after_llm_call", { usage: { input_tokens } }).call?.tokens.input).toBeNull();
    },
  );

  test("says what hooks did to a compaction", () => {
    const answer = (specific: object) => ({ answer: { hook_specific_output: specific } });
    const effect = (event: string, more: Partial<DispatchRecord>) =>
      of(event, { compaction_reason: "manual" }, more).compaction;
    expect(effect("pre_compact", {})).toMatchObject({ effect: "nothing", effectText: "" });
    expect(effect("pre_compact", { verdict: "deny", reason: "keep it" })).toMatchObject({
      effect: "vetoed",
      effectText: "keep it",
    });
    expect(effect("pre_compact", answer({ additional_context: "name the files" }))).toMatchObject({
      effect: "steered",
      effectText: "name the files",
    });
    expect(effect("before_compaction", answer({ summary: "short" }))).toMatchObject({
      effect: "replaced",
      effectText: "short",
    });
    expect(effect("after_compaction", {})).toMatchObject({ effect: "applied" });
    expect(effect("pre_compact", { answer: { hook_specific_output: "not an object" } })).toMatchObject({
      effect: "nothing",
    });
  });

  test("an excerpt is the argument a person reads first, cut between characters", () => {
    const excerpt = (tool_input: object) =>
      of("on_tool_approval_decision", { tool_name: "x", tool_input }).decision?.excerpt;
    expect(excerpt({ timeout: 3, path: "/etc/passwd" })).toBe("/etc/passwd");
    expect(excerpt({ b: 1 })).toBe('{"b":1}');
    expect(excerpt({})).toBe("");
    expect(excerpt({ cmd: `${"a".repeat(239)}😀` })).toBe("a".repeat(239));
    expect(excerpt({ cmd: `${"a".repeat(238)}😀` })).toBe(`${"a".repeat(238)}😀`);
  });

  test("names that an index must hold are bounded, and different ones stay different", () => {
    const long = (end: string) => "x".repeat(5_000) + end;
    const one = of("after_llm_call", { session_id: long("1"), model_id: long("1") });
    const two = of("after_llm_call", { session_id: long("2"), model_id: long("2") });
    expect(one.sessionId.length).toBeLessThanOrEqual(256);
    expect(one.sessionId).not.toBe(two.sessionId);
    expect(one.call?.modelId).not.toBe(two.call?.modelId);
  });
});
