/** A policy whose approval does not count still denies and asks, and covers no equal hook whose approval counts. */
import { describe, expect, it } from "vitest";
import { systemClock } from "../clock.ts";
import type { EventName } from "../contract/events.ts";
import { compilePlan } from "./compile.ts";
import { createExecutor } from "./executor.ts";
import type { HandlerKind } from "./ports.ts";

type Verdict = "allow" | "ask" | "deny";

/** A hook says its own command. */
const saying: HandlerKind = {
  type: "command",
  build: ({ command }) => ({
    run: async () => ({
      kind: "exited",
      exitCode: 0,
      stdout: JSON.stringify({ hook_specific_output: { permission_decision: command } }),
      stderr: "",
    }),
  }),
};

async function dispatched(event: EventName, ...policies: readonly { says: Verdict; cannotAllow?: boolean }[]) {
  const sources = policies.map(({ says, cannotAllow = false }, index) => ({
    origin: { policy: `policy ${index}` },
    hooks: { [event]: [{ matcher: "*", hooks: [{ type: "command" as const, command: says }] }] },
    cannotAllow,
  }));
  const { plan, problems } = compilePlan({ sources, profile: "2026-11", kinds: [saying] });
  expect(problems).toEqual([]);
  const executor = createExecutor({ plan, clock: systemClock, env: {}, workingDir: "/" });
  return executor.dispatch({ event, lane: "default", input: { tool_name: "read", tool_input: {} } });
}

describe("a policy that cannot allow", () => {
  it("approves no permission request and no tool call", async () => {
    expect((await dispatched("permission_request", { says: "allow" })).result.permission_allowed).toBe(true);
    const dropped = await dispatched("permission_request", { says: "allow", cannotAllow: true });
    expect(dropped.result).toMatchObject({ permission_allowed: false, allowed: true });
    expect((await dispatched("pre_tool_use", { says: "allow", cannotAllow: true })).result.decision).toBe("");
  });

  it.each(["ask", "deny"] as const)("says %s like any other", async (says) => {
    const [plain, marked] = [
      await dispatched("pre_tool_use", { says }),
      await dispatched("pre_tool_use", { says, cannotAllow: true }),
    ];
    expect(marked.result).toEqual(plain.result);
    expect(marked.result.decision).toBe(says);
  });

  it.each([
    ["first", [true, false]],
    ["last", [false, true]],
  ] as const)("leaves the approval of an equal hook of another policy: %s", async (_order, marks) => {
    const policies = marks.map((cannotAllow) => ({ says: "allow", cannotAllow }) as const);
    const { result, hooks } = await dispatched("permission_request", ...policies);
    expect(hooks).toHaveLength(2);
    expect(result.permission_allowed).toBe(true);
  });
});
