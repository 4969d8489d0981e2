import { NEUTRAL, type Result } from "@quarterdeck/hooks";
import { expect, it } from "vitest";
import { compared } from "./compare-outcomes.ts";

const outcome = (result: Partial<Result>) => ({
  report: { result: { ...NEUTRAL, ...result }, hooks: [], durationMs: 1 },
  unrun: [],
  why: null,
});
const route = (agent: string) => outcome({ transition: { action: "route", agent } });
const instructed = (content: string) => outcome({ instruction_context: [{ key: "rules", content }] });

it("another route and other instructions are a change, whatever the verdict", () => {
  const changed = { kind: "changed", from: "none", to: "none" };
  expect(compared(route("writer"), route("writer"), "before_agent_run")).toEqual({ kind: "unchanged" });
  expect(compared(route("writer"), route("root"), "before_agent_run")).toEqual(changed);
  expect(compared(outcome({}), route("root"), "before_agent_run")).toEqual(changed);
  expect(compared(instructed("Be kind."), instructed("Be kind."), "turn_start")).toEqual({ kind: "unchanged" });
  expect(compared(instructed("Be kind."), instructed("Be brief."), "turn_start")).toEqual(changed);
});
