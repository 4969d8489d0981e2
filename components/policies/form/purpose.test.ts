import { contractOf } from "@quarterdeck/hooks/contract/events";
import { expect, it } from "vitest";
import { eventsFor, powers } from "@/components/policies/form/purpose";

it("names what only events of profile 2026-11 may do", () => {
  const of = (event: Parameters<typeof contractOf>[0]) => powers(contractOf(event, "2026-11"), "2026-11");
  expect(of("before_agent_run")).toEqual(["can block", "can hand over to another agent", "fails closed"]);
  expect(of("skill_content_guard")).toEqual(["can block", "needs a verdict for each text", "fails closed"]);
  expect(of("turn_start")).toContain("can add instructions");
  expect(powers(contractOf("turn_start", "2026-08"), "2026-08")).not.toContain("can add instructions");
});

it("offers the four newest events as gates", () => {
  const gates = eventsFor("gate", "2026-11");
  for (const event of ["before_agent_run", "after_agent_complete", "skill_content_guard", "prompt_file_guard"] as const)
    expect(gates).toContain(event);
});
