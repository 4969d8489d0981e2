import { describe, expect, it } from "vitest";
import { manualClock } from "../conformance/manual-clock.ts";
import { exited, type Script, scriptedKind } from "../conformance/scripted-kind.ts";
import type { HooksConfig } from "../contract/hook.ts";
import type { HookOutput } from "../contract/output.ts";
import { answerOf } from "./answer.ts";
import { createExecutor } from "./executor.ts";
import type { HandlerReply } from "./ports.ts";

const GUARDS = ["skill_content_guard", "prompt_file_guard"] as const;
const SECRET = "leaked-words";

async function dispatch(event: (typeof GUARDS)[number], script: Script, hook: object = {}) {
  const hooks = Object.keys(script).map((command) => ({ type: "command", command, ...hook }));
  const kinds = [scriptedKind(script)];
  const config: HooksConfig = { [event]: hooks };
  const executor = createExecutor({ config, profile: "2026-11", kinds, clock: manualClock(), workingDir: "/" });
  return executor.dispatch({ event, input: {} });
}
const json = (text: string) => exited(0, text, SECRET);
const answered = (output: HookOutput | null): HandlerReply => ({ kind: "answered", output });

describe.each(GUARDS)("%s", (event) => {
  it.each([
    ["continue", json('{"continue": true}')],
    ["white space around it", json(' \n{"continue":true}\t')],
    ["all keys", json(`{"continue":true,"reason":"${SECRET}","system_message":"${SECRET}","suppress_output":false}`)],
    ["its own name", json(`{"continue":true,"hook_specific_output":{"hook_event_name":"${event}"}}`)],
    ["an answer without a process", answered({ continue: true, system_message: SECRET })],
  ])("accepts a yes: %s", async (_name, reply) => {
    const { result, hooks } = await dispatch(event, { a: reply });
    expect(result).toMatchObject({ allowed: true, message: "", system_message: "", failed_hooks: [] });
    expect(JSON.stringify([result, hooks])).not.toContain(SECRET);
    expect(answerOf(result, event, "default", "2026-11")).toEqual({ continue: true });
  });

  it.each([
    ["a block", json(`{"decision":"block","reason":"${SECRET}"}`), 0, []],
    ["continue false", json(`{"continue":false,"stop_reason":"${SECRET}"}`), 0, []],
    ["both words", json('{"continue":true,"decision":"block"}'), 0, []],
    ["exit 2", exited(2, SECRET, SECRET), 2, ["a"]],
  ])("refuses without words: %s", async (_name, reply, exit_code, failed_hooks) => {
    const { result, hooks } = await dispatch(event, { a: reply });
    expect(result).toMatchObject({ allowed: false, exit_code, message: "", stderr: "", failed_hooks });
    expect(JSON.stringify([result, hooks])).not.toContain(SECRET);
    expect(answerOf(result, event, "default", "2026-11")).toEqual({ decision: "block" });
  });

  it.each([
    ["nothing", json("")],
    ["an empty object", json("{}")],
    ["text", json(SECRET)],
    ["broken JSON", json('{"continue":true')],
    ["text in front", json(`${SECRET} {"continue":true}`)],
    ["text behind", json(`{"continue":true} ${SECRET}`)],
    ["a list", json('[{"continue":true}]')],
    ["null", json("null")],
    ["a key twice", json('{"continue":false,"continue":true}')],
    ["an escaped key twice", json('{"continue":false,"\\u0063ontinue":true}')],
    [
      "a key twice inside",
      json(`{"continue":true,"hook_specific_output":{"hook_event_name":"${event}","hook_event_name":"${event}"}}`),
    ],
    ["another case", json('{"Continue":true}')],
    ["an unknown key", json('{"continue":true,"note":1}')],
    ["a wrong type", json('{"continue":"true"}')],
    ["a reason of a wrong type", json('{"continue":true,"reason":4}')],
    ["continue null", json('{"continue":null,"decision":"block"}')],
    ["another decision", json('{"continue":true,"decision":"allow"}')],
    ["suppress_output", json('{"continue":true,"suppress_output":true}')],
    ["another event's name", json('{"continue":true,"hook_specific_output":{"hook_event_name":"stop"}}')],
    ["context", json('{"continue":true,"hook_specific_output":{"additional_context":"x"}}')],
    ["metadata", json('{"continue":true,"hook_specific_output":{"metadata":{}}}')],
    ["exit 1", exited(1, '{"continue":true}', SECRET)],
    ["an error", { kind: "failed", message: SECRET, stderr: SECRET }],
    ["no answer", answered(null)],
    ["an answer without a verdict", answered({ system_message: SECRET })],
    ["a panic", () => Promise.reject(new Error(SECRET))],
  ] as const)("counts as a failure, whatever on_error says: %s", async (_name, reply) => {
    for (const on_error of ["warn", "ignore", "block"]) {
      const { result, hooks } = await dispatch(event, { gate: reply }, { on_error });
      const message = `${event} hook failed to execute: hook "gate": content check failed`;
      expect(result).toMatchObject({ allowed: false, exit_code: -1, message, stderr: "", system_message: "" });
      expect(result.failed_hooks).toEqual(["gate"]);
      expect(JSON.stringify([result, hooks])).not.toContain(SECRET);
    }
  });

  it("needs the yes of every hook", async () => {
    const yes = json('{"continue":true}');
    expect((await dispatch(event, { a: yes, b: yes })).result.allowed).toBe(true);
    expect((await dispatch(event, { a: yes, b: json("{}"), c: yes })).result.allowed).toBe(false);
  });

  it("withholds the words of a time-out", async () => {
    const clock = manualClock();
    const kinds = [scriptedKind({ [SECRET]: () => new Promise(() => {}) })];
    const config: HooksConfig = { [event]: [{ type: "command", name: "slow", command: SECRET, timeout: 3 }] };
    const executor = createExecutor({ config, profile: "2026-11", kinds, clock, workingDir: "/" });
    const dispatched = executor.dispatch({ event, input: {} });
    clock.advance(5_000);
    const { result } = await dispatched;
    expect(result.message).toBe(`${event} hook failed to execute: hook "slow": content check failed`);
  });
});

it("takes a text of 4 MiB, and refuses one of 4 MiB that is no verdict", async () => {
  const long = "x".repeat(4 * 1_024 * 1_024);
  const said = json(JSON.stringify({ continue: true, reason: long }));
  expect((await dispatch("skill_content_guard", { a: said })).result.allowed).toBe(true);
  const { result } = await dispatch("skill_content_guard", { a: json(long) });
  expect(result).toMatchObject({ allowed: false, exit_code: -1 });
  expect(JSON.stringify(result).length).toBeLessThan(1_000);
});
