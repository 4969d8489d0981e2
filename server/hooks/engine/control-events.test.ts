import { describe, expect, it } from "vitest";
import { manualClock } from "../conformance/manual-clock.ts";
import { exited, printed, type Script, scriptedKind } from "../conformance/scripted-kind.ts";
import type { EventName } from "../contract/events.ts";
import type { HooksConfig } from "../contract/hook.ts";
import type { Profile } from "../contract/profiles.ts";
import { answerOf } from "./answer.ts";
import { createExecutor } from "./executor.ts";

const CONTROL = ["before_agent_run", "after_agent_complete"] as const;
const to = (agent: string, more: object = {}) =>
  printed({ ...more, hook_specific_output: { transition: { action: "route", agent } } });
const specific = (fields: object) => printed({ hook_specific_output: fields });

async function dispatch(event: EventName, script: Script, hook: object = {}, profile: Profile = "2026-11") {
  const hooks = Object.keys(script).map((command) => ({ type: "command", command, ...hook }));
  const isScoped = event === "tool_guard" || event === "post_tool_use";
  const config = { [event]: isScoped ? [{ hooks }] : hooks } as HooksConfig;
  const kinds = [scriptedKind(script)];
  const executor = createExecutor({ config, profile, kinds, clock: manualClock(), workingDir: "/" });
  return executor.dispatch({ event, input: { tool_name: "shell" } });
}

describe.each(CONTROL)("%s", (event) => {
  it("hands the run to the agent that a hook names, and answers so", async () => {
    const { result } = await dispatch(event, { a: to("billing") });
    expect(result).toMatchObject({
      allowed: true,
      transition: { action: "route", agent: "billing" },
      failed_hooks: [],
    });
    expect(answerOf(result, event, "default", "2026-11")).toEqual({
      hook_specific_output: { hook_event_name: event, transition: { action: "route", agent: "billing" } },
    });
  });

  it.each([
    ["nothing", exited(0)],
    ["an empty object", printed({})],
    ["continue", printed({ continue: true })],
    ["no transition", specific({ transition: null })],
  ])("has no opinion: %s", async (_name, reply) => {
    const { result } = await dispatch(event, { a: reply });
    expect(result).toMatchObject({
      allowed: true,
      transition: null,
      message: "",
      system_message: "",
      failed_hooks: [],
    });
  });

  it.each([
    ["text", exited(0, "billing"), "strict_output requires a JSON object or empty stdout"],
    ["data behind the object", exited(0, "{} {}"), "hook output must contain a single JSON object"],
    ["an unknown field", printed({ agent: "billing" }), 'unknown field "agent"'],
    [
      "an unknown field of the transition",
      specific({ transition: { action: "route", agent: "b", why: 1 } }),
      'unknown field "why"',
    ],
    [
      "an action that is none",
      specific({ transition: { action: "goto", agent: "b" } }),
      'invalid transition action "goto": expected route',
    ],
    ["no action", specific({ transition: { agent: "b" } }), 'invalid transition action "": expected route'],
    [
      "a blank agent",
      specific({ transition: { action: "route", agent: " \t" } }),
      "route transition requires an agent",
    ],
    ["a transition that is a text", specific({ transition: "billing" }), "invalid hook output"],
    [
      "another event's name",
      specific({ hook_event_name: "turn_end" }),
      `output hook_event_name "turn_end" does not match ${event}`,
    ],
    ["suppress_output", printed({ suppress_output: true }), "suppress_output is not supported"],
    ["a verdict", specific({ permission_decision: "deny" }), `${event} does not support permission_decision`],
    ["context", specific({ additional_context: "x" }), `${event} does not support additional_context`],
    ["instructions", specific({ instruction_context: [] }), `${event} does not support instruction_context`],
    ["a summary", specific({ summary: "x" }), `${event} does not support summary`],
    ["exit 7", exited(7), "exited with status 7"],
  ])("fails closed, whatever on_error says: %s", async (_name, reply, error) => {
    for (const on_error of ["warn", "ignore", "block"]) {
      const { result } = await dispatch(event, { gate: reply }, { on_error });
      expect(result).toMatchObject({ allowed: false, exit_code: -1, transition: null, failed_hooks: ["gate"] });
      expect(result.message).toContain(`${event} hook failed to execute: hook "gate": `);
      expect(result.message).toContain(error);
    }
  });

  it("lets a block of any hook beat every route", async () => {
    const own = await dispatch(event, { a: to("billing", { decision: "block", reason: "closed" }) });
    expect(own.result).toMatchObject({
      allowed: false,
      transition: null,
      message: "closed",
      exit_code: 0,
      failed_hooks: [],
    });
    const other = await dispatch(event, { a: to("billing"), b: exited(2, "", "stop\n") });
    expect(other.result).toMatchObject({
      allowed: false,
      transition: null,
      message: "stop",
      exit_code: 2,
      failed_hooks: ["b"],
    });
  });

  it("blocks once for each hook that differs from the first", async () => {
    const { result, hooks } = await dispatch(event, { a: to("x"), b: to("y"), c: to("x"), d: to("z") });
    const conflict = `${event} hooks returned conflicting route transitions`;
    expect(result).toMatchObject({
      allowed: false,
      transition: null,
      message: `${conflict}\n${conflict}`,
      exit_code: 0,
    });
    expect(hooks.map(({ blocked }) => blocked)).toEqual([false, true, false, true]);
  });

  it("joins metadata, the later hook winning", async () => {
    const facts = (metadata: object) => specific({ metadata });
    const { result } = await dispatch(event, { a: facts({ k: "1", only: "a" }), b: facts({ k: "2" }) });
    expect(result.metadata).toEqual({ k: "2", only: "a" });
  });
});

it("a transition is a failure on every other event, and ignored as unknown in the older profile", async () => {
  const guard = await dispatch("tool_guard", { g: to("billing") });
  expect(guard.result).toMatchObject({ allowed: false, exit_code: -1, decision: "" });
  expect(guard.result.message).toContain("tool_guard does not support transition");
  const context = { hook_specific_output: { additional_context: "lost", transition: { action: "route", agent: "b" } } };
  const warned = await dispatch("turn_start", { s: printed(context) });
  expect(warned.result).toMatchObject({ allowed: true, additional_context: "", failed_hooks: ["s"] });
  expect(warned.result.system_message).toContain("turn_start does not support transition");
  const older = await dispatch("turn_start", { s: printed(context) }, {}, "2026-08");
  expect(older.result).toMatchObject({ additional_context: "lost", system_message: "", failed_hooks: [] });
  const strict = await dispatch("turn_start", { s: printed(context) }, { strict_output: true }, "2026-08");
  expect(strict.result.system_message).toContain('unknown field "transition"');
});

it("keeps instructions in order where the event takes them, and only in the profile that reads them", async () => {
  const script = {
    a: specific({ instruction_context: [{ key: "a", content: "one", stray: 1 }] }),
    b: specific({ instruction_context: [{ key: "b", removed: true, label: null }] }),
  };
  const items = [
    { key: "a", content: "one" },
    { key: "b", removed: true },
  ];
  for (const event of ["session_start", "turn_start"] as const) {
    const { result } = await dispatch(event, script);
    expect(result.instruction_context).toEqual(items);
    expect(answerOf(result, event, "default", "2026-11").hook_specific_output).toMatchObject({
      instruction_context: items,
    });
    const older = await dispatch(event, script, {}, "2026-08");
    expect(older.result.instruction_context).toEqual([]);
  }
  expect((await dispatch("turn_end", script)).result.instruction_context).toEqual([]);
  const wrong = await dispatch("turn_start", { a: specific({ instruction_context: [{ key: 4 }] }) });
  expect(wrong.result).toMatchObject({ instruction_context: [], failed_hooks: ["a"] });
});

it("names every hook that failed, in configuration order, by name, command or type", async () => {
  const config = {
    stop: [
      { type: "command", command: "two" },
      { type: "command", command: "block" },
      { type: "command", command: "three", name: "lint", on_error: "ignore" },
      { type: "teleport" },
    ],
  };
  const script = { two: exited(2), block: printed({ decision: "block" }), three: exited(3) };
  const kinds = [scriptedKind(script)];
  const executor = createExecutor({ config, profile: "2026-11", kinds, clock: manualClock(), workingDir: "/" });
  const { result } = await executor.dispatch({ event: "stop", input: {} });
  expect(result.failed_hooks).toEqual(["two", "lint", "teleport"]);
});
