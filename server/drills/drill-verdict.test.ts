import type { Verdict } from "@quarterdeck/hooks";
import { expect, it } from "vitest";
import type { DispatchRequest } from "../dispatches/index.ts";
import { drillAnswer } from "./drill-verdict.ts";

it.each([
  ["allow", true, "allow"],
  ["none", true, "none"],
  ["ask", true, "deny"],
  ["deny", true, "deny"],
  ["allow", false, "deny"],
  ["none", false, "deny"],
  ["ask", false, "deny"],
] as const)(
  "a drill's call of which the policy says %s (before the event's own: %s) is answered %s",
  (said, isStage, given) => {
    const request = { event: "tool_guard", lane: "default", isStage } as DispatchRequest; // holds: no more of it is read
    const own = { verdict: said satisfies Verdict, reason: "", answer: {} };
    expect(drillAnswer(own, request).verdict).toBe(given);
  },
);
