import { describe, expect, it } from "vitest";
import { manualClock } from "../conformance/manual-clock.ts";
import { exited, printed, type Script, scriptedKind } from "../conformance/scripted-kind.ts";
import type { HookDefinition, HooksConfig } from "../contract/hook.ts";
import { compilePlan } from "./compile.ts";
import { createExecutor } from "./executor.ts";
import { explainDispatch } from "./explain.ts";
import type { LiftVerdict } from "./lift-verdict.ts";
import type { PlannedHook } from "./plan.ts";

const say = (command: string, more: Partial<HookDefinition> = {}) => ({ type: "command", command, ...more });
const decision = (permission_decision: string, more: object = {}) =>
  printed({ ...more, hook_specific_output: { permission_decision, permission_decision_reason: "because" } });
const EXCEPTION = { id: "1", label: "exception EX-1 of Ada" };
const always: LiftVerdict = async () => EXCEPTION;

const SCRIPT: Script = {
  denies: decision("deny"),
  asks: decision("ask"),
  blocks: printed({ decision: "block", reason: "because" }),
  refuses: exited(2, "", "because"),
  fails: exited(3),
  ends: printed({ continue: false, stop_reason: "because" }),
  rewrites: printed({ hook_specific_output: { updated_input: { cmd: "rm" } } }),
};

function dispatch(names: readonly string[], liftVerdict: LiftVerdict, more: Partial<HookDefinition> = {}) {
  const config: HooksConfig = { pre_tool_use: [{ hooks: names.map((name) => say(name, more)) }] };
  const kinds = [scriptedKind(SCRIPT)];
  const executor = createExecutor({ config, profile: "2026-08", kinds, clock: manualClock(), workingDir: "/work" });
  const input = { tool_name: "shell", tool_input: { cmd: "ls" } };
  return executor.dispatch({ event: "pre_tool_use", input, liftVerdict });
}

describe("an exception lifts", () => {
  it.each(["denies", "asks", "blocks", "refuses"])("the verdict of a hook that %s", async (name) => {
    const { result, hooks } = await dispatch([name], always);
    expect(result).toMatchObject({ allowed: true, decision: "", message: "" });
    expect(hooks).toMatchObject([{ said: "nothing", blocked: false, exception: EXCEPTION }]);
  });

  it("is named where nothing stricter was said", async () => {
    const report = await dispatch(["denies"], always);
    expect(explainDispatch(report)).toBe(
      'Not denied by "denies" (hooks.pre_tool_use[0].hooks[0]): exception EX-1 of Ada.',
    );
    const some: LiftVerdict = async ({ name }) => (name === "asks" ? EXCEPTION : null);
    expect(explainDispatch(await dispatch(["asks", "denies"], some))).toMatch(/^Denied by "denies"/);
  });

  it("is asked when every hook has ended, about the word that the hook said", async () => {
    const asked: string[] = [];
    await dispatch(["asks", "denies", "rewrites"], async ({ name }, verdict) => {
      asked.push(`${name} ${verdict}`);
      return null;
    });
    expect(asked).toEqual(["asks ask", "denies deny"]);
  });
});

describe("no exception lifts", () => {
  it.each(["fails", "ends"])("the word of a hook that %s", async (name) => {
    expect((await dispatch([name], always)).result.allowed).toBe(false);
  });

  it("the word of an ungrantable hook", async () => {
    expect((await dispatch(["denies"], always, { ungrantable: true })).result.allowed).toBe(false);
  });

  it("a verdict on arguments that an earlier hook had rewritten", async () => {
    expect((await dispatch(["rewrites", "denies"], always)).result.allowed).toBe(false);
    expect((await dispatch(["denies", "rewrites"], always)).result).toMatchObject({
      allowed: true,
      modified_input: { cmd: "rm" },
    });
  });

  it("what an equal hook of another rule says, unless that is excepted too", async () => {
    const source = (policyId: string, matcher: string) => ({
      origin: { policyId },
      hooks: { pre_tool_use: [{ matcher, hooks: [say("denies")] }] } satisfies HooksConfig,
    });
    const sources = [source("a", "shell"), source("a", "sh.*"), source("b", "shell")];
    const { plan } = compilePlan({ sources, profile: "2026-08", kinds: [scriptedKind(SCRIPT)] });
    const executor = createExecutor({ plan, clock: manualClock(), workingDir: "/work" });
    const isAllowed = async (lifted: (hook: PlannedHook) => boolean) => {
      const liftVerdict: LiftVerdict = async (hook) => (lifted(hook) ? EXCEPTION : null);
      const input = { tool_name: "shell", tool_input: { cmd: "ls" } };
      return (await executor.dispatch({ event: "pre_tool_use", input, liftVerdict })).result.allowed;
    };
    expect(await isAllowed(({ origin }) => origin.policyId === "a")).toBe(false);
    expect(await isAllowed(({ rule }) => rule.includes('"shell"'))).toBe(false);
    expect(await isAllowed(() => true)).toBe(true);
  });

  it("what a hook says of an event that decides nothing", async () => {
    const config: HooksConfig = { stop: [say("blocks")] };
    const kinds = [scriptedKind(SCRIPT)];
    const executor = createExecutor({ config, profile: "2026-08", kinds, clock: manualClock(), workingDir: "/work" });
    const { hooks } = await executor.dispatch({ event: "stop", input: {}, liftVerdict: always });
    expect(hooks[0]?.exception).toBeUndefined();
  });
});
