/** Policies of several profiles in one plan: the plan follows the newest, and a builtin acts by its own policy's. */
import { expect, it } from "vitest";
import { systemClock } from "../clock.ts";
import type { Profile } from "../contract/events.ts";
import type { HooksConfig } from "../contract/hook.ts";
import { saferShell } from "../handlers/builtin/safer-shell.ts";
import { builtinKind } from "../index.ts";
import { compilePlan, type PlanSource } from "./compile.ts";
import { createExecutor } from "./executor.ts";

const GATE: HooksConfig = {
  pre_tool_use: [{ matcher: "shell", preempt_yolo: true, hooks: [{ type: "builtin", command: "safer_shell" }] }],
};
const sourceOf = (policy: string, profile?: Profile): PlanSource => ({
  ...{ origin: { policy }, hooks: GATE },
  ...(profile && { profile }),
});

async function dispatched(...sources: readonly PlanSource[]) {
  const kinds = [builtinKind([saferShell])];
  const { plan } = compilePlan({ sources, profile: "2026-11", kinds });
  const executor = createExecutor({ plan, clock: systemClock, env: {}, workingDir: "/" });
  const input = { tool_name: "shell", tool_input: { cmd: "shred notes.txt" } };
  return executor.dispatch({ event: "pre_tool_use", lane: "preempt_yolo", input });
}

it("a gate of an older policy still asks where a neighbour moves the plan to 2026-11", async () => {
  const { result } = await dispatched(sourceOf("old", "2026-08"));
  expect(result.decision).toBe("ask");
});

it("a policy of 2026-11 labels, and so does one whose profile is not named", async () => {
  for (const source of [sourceOf("new", "2026-11"), sourceOf("new")])
    expect((await dispatched(source)).result).toMatchObject({ allowed: true, decision: "" });
});

it.each([
  ["the older first", ["2026-07", "2026-11"]],
  ["the newer first", ["2026-11", "2026-07"]],
] as const)("equal hooks of two profiles are two hooks: %s", async (_order, profiles) => {
  const { result, hooks } = await dispatched(...profiles.map((profile) => sourceOf(profile, profile)));
  expect(result.decision).toBe("ask");
  expect(hooks).toHaveLength(2);
});

it("equal hooks of profiles that do the same are one", async () => {
  const { hooks } = await dispatched(sourceOf("one", "2026-07"), sourceOf("other", "2026-08"));
  expect(hooks).toHaveLength(1);
});
