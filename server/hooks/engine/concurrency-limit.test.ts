import { expect, it } from "vitest";
import { manualClock } from "../conformance/manual-clock.ts";
import { exited, type Script, scriptedKind } from "../conformance/scripted-kind.ts";
import { contractOf, eventNames, PROFILES } from "../contract/events.ts";
import type { HooksConfig } from "../contract/hook.ts";
import { createConcurrencyLimit } from "./concurrency-limit.ts";
import { createExecutor } from "./executor.ts";
import { explainDispatch } from "./explain.ts";

/** A room with one hook in it that stays until told. */
function crowded() {
  let leave: () => void = () => {};
  const script: Script = {
    slow: () => new Promise((resolve) => (leave = () => resolve(exited(0)))),
    quick: exited(0, "context"),
  };
  const room = createConcurrencyLimit({ hooksMax: 1, perTenantMax: 1 });
  const executorOf = (config: HooksConfig, profile: (typeof PROFILES)[number], tenant = "mine") =>
    createExecutor({
      config,
      profile,
      kinds: [scriptedKind(script)],
      clock: manualClock(),
      workingDir: "/",
      tenant,
      room,
    });
  const slow = executorOf({ stop: [{ type: "command", command: "slow" }] }, "2026-07");
  const staying = slow.dispatch({ event: "stop", input: {} });
  return { room, executorOf, staying, leave: () => leave() };
}

for (const profile of PROFILES) {
  it.each(eventNames(profile))(
    `${profile}: without room %s is denied where it can be, and told as skipped elsewhere`,
    async (event) => {
      const { executorOf, staying, leave, room } = crowded();
      const contract = contractOf(event, profile);
      for (const on_error of ["warn", "ignore", "block"]) {
        const hook = { type: "command", command: "quick", on_error };
        const config: HooksConfig = { [event]: contract.matchesTools ? [{ hooks: [hook] }] : [hook] };
        const report = await executorOf(config, profile).dispatch({ event, input: { tool_name: "shell" } });
        expect(report.result.allowed).toBe(!contract.canBlock);
        expect(report.result.additional_context).toBe("");
        expect(report.hooks[0]).toMatchObject({
          said: "failed",
          blocked: contract.canBlock,
          error: expect.stringContaining("overloaded"),
        });
        expect(explainDispatch(report)).toContain("was skipped: overloaded: 1 hooks of this workspace are under way");
      }
      leave();
      await staying;
      expect(room.underWay).toBe(0);
    },
  );
}

it("a tenant with nothing under way still gets in beside a busy one, up to a bound", async () => {
  const { executorOf, staying, leave, room } = crowded();
  const config: HooksConfig = { session_start: [{ type: "command", command: "quick" }] };
  const report = await executorOf(config, "2026-07", "theirs").dispatch({ event: "session_start", input: {} });
  expect(report.result.additional_context).toBe("context");
  expect(room.acquire("theirs", 1)).toBeTypeOf("function");
  expect(room.acquire("third", 1)).toBe("overloaded: 2 hooks are under way on this server");
  leave();
  await staying;
});

it("a dispatch that is larger than the room runs when it is alone, and leaving twice frees nothing twice", () => {
  const room = createConcurrencyLimit({ hooksMax: 2, perTenantMax: 2 });
  const leave = room.acquire("mine", 5);
  expect(room.underWay).toBe(5);
  if (typeof leave === "string") throw new Error(leave);
  leave();
  leave();
  expect(room.underWay).toBe(0);
});
