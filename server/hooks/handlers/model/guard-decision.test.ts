import { describe, expect, it } from "vitest";
import type { HooksConfig } from "../../contract/hook.ts";
import type { Profile } from "../../contract/profiles.ts";
import { createExecutor, type EventName, type ModelQuestion, modelKind, systemClock } from "../../index.ts";
import { readGuardDecision } from "./guard-decision.ts";

describe("a guard's reply", () => {
  it("is one object with both keys, white space around it or not", () => {
    expect(readGuardDecision('{"decision":"allow","reason":""}')).toEqual({ decision: "allow", reason: "" });
    expect(readGuardDecision(' \n{"reason":"no","decision":"deny"}\n')).toEqual({ decision: "deny", reason: "no" });
  });

  it.each([
    ["", "empty model reply"],
    ["```json\n{}\n```", "not one JSON object"],
    ['{"decision":"allow","reason":"x"} ok', "not one JSON object"],
    ['[{"decision":"allow","reason":"x"}]', "not one JSON object"],
    ["null", "not one JSON object"],
    ["{}", "decision must be"],
    ['{"decision":"ask","reason":"x"}', "decision must be"],
    ['{"decision":"ALLOW","reason":"x"}', "decision must be"],
    ['{"decision":"allow"}', "reason must be a text"],
    ['{"decision":"allow","reason":null}', "reason must be a text"],
    ['{"decision":"allow","reason":3}', "reason must be a text"],
    ['{"Decision":"allow","reason":"x"}', 'unknown key "Decision"'],
    ['{"decision":"allow","reason":"x","sure":1}', 'unknown key "sure"'],
    ['{"decision":"deny","decision":"allow","reason":"x"}', 'the key "decision" is there twice'],
    ['{"decision":"allow","reason":"a","re\\u0061son":"b"}', 'the key "reason" is there twice'],
  ])("is refused: %s", (reply, message) => {
    expect(() => readGuardDecision(reply)).toThrow(message);
  });
});

async function guarded(event: EventName, reply: string, more: object = {}, profile: Profile = "2026-11") {
  const asked: ModelQuestion[] = [];
  const kind = modelKind({
    ask: async (question) => {
      asked.push(question);
      return { text: reply };
    },
  });
  const hook = { type: "model", model: "p/m", prompt: "May it?", schema: "guard_decision", name: "judge", ...more };
  const isScoped = event.includes("tool") || event === "permission_request";
  const config = { [event]: isScoped ? [{ hooks: [hook] }] : [hook] } as HooksConfig;
  const executor = createExecutor({ config, profile, kinds: [kind], clock: systemClock, env: {}, workingDir: "/" });
  const { result } = await executor.dispatch({ event, input: { tool_name: "shell" } });
  return { result, asked };
}

it("blocks or says nothing, and is never a verdict on the call", async () => {
  const denied = await guarded("tool_guard", '{"decision":"deny","reason":"not here"}');
  expect(denied.result).toMatchObject({ allowed: false, decision: "", message: "not here" });
  const allowed = await guarded("permission_request", '{"decision":"allow","reason":"fine"}');
  expect(allowed.result).toMatchObject({ allowed: true, permission_allowed: false, decision_reason: "" });
});

it("asks no model on an event that cannot block", async () => {
  const { result, asked } = await guarded("turn_end", '{"decision":"allow","reason":""}');
  expect(asked).toEqual([]);
  expect(result.system_message).toContain("guard_decision requires a blocking event");
});

it("is asked for as a strict structured output, with the hook's own system message as it is", async () => {
  const own = "Judge {{ .ToolName }} yourself";
  const { asked } = await guarded("pre_compact", '{"decision":"allow","reason":""}', { system_prompt: own });
  expect(asked).toMatchObject([{ system: own, schema: { name: "guard_decision", strict: true } }]);
  const plain = await guarded("pre_compact", '{"decision":"allow","reason":""}', { system_prompt: "" });
  expect(plain.asked[0]?.system).toContain("You are a hook");
});

it("is unknown in an older profile, and so is system_prompt", async () => {
  const { result, asked } = await guarded("pre_compact", '{"decision":"allow","reason":""}', {}, "2026-08");
  expect(result.system_message).toContain('unknown schema "guard_decision"');
  const stored = await guarded("pre_tool_use", '{"decision":"allow"}', { system_prompt: "x", schema: "" }, "2026-08");
  expect(stored.result.message).toContain('the key "system_prompt" is unknown');
  expect([...asked, ...stored.asked]).toEqual([]);
});
