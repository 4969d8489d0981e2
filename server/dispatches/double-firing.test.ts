import type { HookInput } from "@quarterdeck/hooks";
import { expect, it } from "vitest";
import { createDoubleFiring } from "./double-firing.ts";

/** The hooks of a client that runs another client's files beside its own. */
const [OWN, OTHER] = ["qwen/PreToolUse", "claude-code/PreToolUse"] as const;

function firings() {
  let nowMs = 0;
  let judged = 0;
  const once = createDoubleFiring<number>({ now: () => nowMs, monotonic: () => nowMs });
  const fire = (hook: string, id?: string, fails = false, own: Partial<HookInput> = {}) => {
    const call = { session_id: "s", cwd: "/test", hook_event_name: "pre_tool_use", tool_name: "read_file", ...own };
    const input: HookInput = { ...call, tool_input: { path: "a" }, ...(id !== undefined && { tool_use_id: id }) };
    return once({ agentId: "agent", hook, input }, async () => {
      judged += 1;
      if (fails) throw new Error("no verdict");
      return judged;
    });
  };
  return { fire, pass: (ms: number) => (nowMs += ms) };
}

it("knows a call by its id, among others that look alike", async () => {
  const { fire } = firings();
  const both = [await fire(OWN, "1"), await fire(OWN, "2"), await fire(OTHER, "1"), await fire(OTHER, "2")];
  expect(both).toEqual([1, 2, 1, 2]);
});

it("takes calls whose ids differ for two, also through two hooks", async () => {
  const { fire } = firings();
  expect([await fire(OWN, "1"), await fire(OTHER, "2")]).toEqual([1, 2]);
});

it("tells long ids apart by all of them", async () => {
  const { fire } = firings();
  const long = "x".repeat(1_000_000);
  expect([await fire(OWN, `${long}1`), await fire(OTHER, `${long}2`), await fire(OTHER, `${long}1`)]).toEqual([
    1, 2, 1,
  ]);
});

it("knows a call by its arguments where the second hook sends no id, or neither does", async () => {
  const first = firings();
  expect([await first.fire(OWN, "1"), await first.fire(OTHER)]).toEqual([1, 1]);
  const second = firings();
  expect([await second.fire(OWN), await second.fire(OTHER), await second.fire(OWN)]).toEqual([1, 1, 2]);
});

it("judges a call with an id anew, whatever was asked without one before", async () => {
  const { fire } = firings();
  expect([await fire(OTHER), await fire(OWN, "1"), await fire(OTHER, "1")]).toEqual([1, 2, 2]);
});

it.each<[string, Partial<HookInput>]>([
  ["folder", { cwd: "/prod" }],
  ["agent", { agent_name: "reviewer" }],
  ["mode", { ext: { permission_mode: "bypassPermissions" } }],
])("judges a call of another %s by itself", async (_name, own) => {
  const { fire } = firings();
  const both = [await fire(OWN, "1"), await fire(OTHER, "1", false, own), await fire(OTHER, undefined, false, own)];
  expect(both).toEqual([1, 2, 3]);
});

it("judges anew after two seconds, and after a failure", async () => {
  const late = firings();
  expect(await late.fire(OWN, "1")).toBe(1);
  late.pass(2_001);
  expect(await late.fire(OTHER, "1")).toBe(2);
  const failed = firings();
  await expect(failed.fire(OWN, "1", true)).rejects.toThrow("no verdict");
  expect([await failed.fire(OTHER, "1"), await failed.fire(OTHER)]).toEqual([2, 3]);
});

it("knows the calls of two seconds among thousands, and forgets older ones", async () => {
  const { fire, pass } = firings();
  const judged: number[] = [];
  for (let call = 0; call < 4_000; call += 1) {
    judged.push(await fire(OWN, `${call}`));
    pass(1);
  }
  // Calls 2,000 and later are at most two seconds old.
  const again = [];
  for (const call of [0, 1_999, 2_000, 3_000, 3_999]) again.push(await fire(OTHER, `${call}`));
  expect(judged).toEqual(Array.from({ length: 4_000 }, (_, at) => at + 1));
  expect(again).toEqual([4_001, 4_002, 2_001, 3_001, 4_000]);
});

it("forgets older calls first where there are too many", async () => {
  const { fire } = firings();
  for (let call = 0; call < 12_000; call += 1) await fire(OWN, `${call}`);
  expect([await fire(OTHER, "11999"), await fire(OTHER, "0")]).toEqual([12_000, 12_001]);
});

it("judges a call anew whose newest delivery failed, although an older one did not", async () => {
  const { fire, pass } = firings();
  expect(await fire(OWN)).toBe(1);
  pass(2_001);
  expect(await fire(OWN)).toBe(2);
  pass(1_000);
  await expect(fire(OWN, undefined, true)).rejects.toThrow("no verdict");
  expect(await fire(OTHER)).toBe(4);
});
