/** The rules of an exported policy, and rules beside an agent, without a console. */
import { Readable } from "node:stream";
import { RULES_VARIABLE } from "@quarterdeck/hooks/contract/native-hooks";
import { describe, expect, it } from "vitest";
import type { World } from "./call.ts";
import { Trouble } from "./errors.ts";
import { concernsOf, type Policy } from "./policy.ts";
import { rulesHook } from "./rules-hook.ts";

const RULES = JSON.stringify([{ deny: "Not from here.", command: { program: "rm" } }]);
const world = (input: unknown, rules: string | undefined): World => ({
  env: rules === undefined ? {} : { [RULES_VARIABLE]: rules },
  workingDir: "/",
  stdin: Readable.from([typeof input === "string" ? input : JSON.stringify(input)]),
  now: Date.now,
  signal: new AbortController().signal,
  runningMs: () => 0,
  flushCommand: [],
});
const call = (cmd: string) => ({ tool_name: "shell", tool_input: { cmd } });
const AT = { kind: "rules", event: "pre_tool_use", lane: "preempt_yolo" } as const;

describe("quarterdeck hook --rules", () => {
  it.each([
    ["/bin/sh -c 'rm -rf build'", "deny"],
    ["ls", undefined],
  ])("%s: %s", async (cmd, decision) => {
    const { code, stdout } = await rulesHook(AT, world(call(cmd), RULES));
    expect(code).toBe(0);
    expect(JSON.parse(stdout).hook_specific_output?.permission_decision).toBe(decision);
  });

  it("blocks a call that cannot be read", async () => {
    const { stdout } = await rulesHook(AT, world({ tool_name: "shell" }, RULES));
    expect(JSON.parse(stdout)).toMatchObject({ decision: "block" });
  });

  it.each([
    ["no rules", call("ls"), undefined],
    ["rules that are no JSON", call("ls"), "["],
    ["an unknown condition", call("ls"), '[{"deny":"x","programs":"rm"}]'],
    ["no rule", call("ls"), "[]"],
    ["a condition that the server knows", call("ls"), '[{"deny":"x","after":"m"}]'],
    ["an input that is no object", "x", RULES],
  ])("%s is trouble, for which its caller denies", async (_name, input, rules) => {
    await expect(rulesHook(AT, world(input, rules))).rejects.toBeInstanceOf(Trouble);
  });

  it("takes no event that judges no call", async () => {
    const stop = { ...AT, event: "stop", lane: "default" } as const;
    await expect(rulesHook(stop, world({}, RULES))).rejects.toBeInstanceOf(Trouble);
  });
});

it("rules with run_on: agent concern this machine, the others the console", () => {
  const policyOf = (run_on: "agent" | "server"): Policy => ({
    version: 2,
    agent: "a",
    revision: "r",
    profile: "2026-08",
    sources: [
      {
        policy: "p",
        revision: 1,
        hooks: { pre_tool_use: [{ hooks: [{ type: "rules", rules: [{ deny: "x", kind: "shell" }], run_on }] }] },
      },
    ],
  });
  expect(concernsOf(policyOf("agent"), "pre_tool_use", "default", "shell")).toEqual({ here: true, there: false });
  expect(concernsOf(policyOf("server"), "pre_tool_use", "default", "shell")).toEqual({ here: false, there: true });
});
