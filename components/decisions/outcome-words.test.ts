import { expect, it } from "vitest";
import type { CallDecision } from "@/server/decisions/schema";
import { decisiveOf, outcomeWords } from "./outcome-words";

const AT = new Date("2026-11-20T12:00:00Z");
const decision = (kind: "gate" | "final", verdict: string, source: string, reason = ""): CallDecision => ({
  occurredAt: AT,
  id: "0193a5f0-0000-7000-8000-000000000000",
  kind,
  event: kind === "gate" ? "pre_tool_use" : "on_tool_approval_decision",
  verdict,
  source,
  reason,
});
const BY_ADA = decision("gate", "allow", "pre_tool_use_hook_allow", "Allowed by Ada (QD-79).");
const SILENT = decision("gate", "none", "rules_silent");
const labelOf = (...chain: CallDecision[]) => outcomeWords({ chain, request: null }).label;

it("names the person who allowed a call, also when the agent runs in auto-approve mode", () => {
  const yolo = decision("final", "allow", "yolo");
  expect(labelOf(BY_ADA, SILENT, yolo)).toBe("Allowed by Ada, QD-79");
  expect(decisiveOf([BY_ADA, SILENT, yolo])).toBe(BY_ADA);
  const edited = { ...BY_ADA, reason: "Allowed with an edited input by Ada (QD-80): shorter." };
  expect(labelOf(edited, decision("final", "allow", "user_approved"))).toBe("Allowed by Ada, QD-80");
  expect(labelOf(yolo)).toBe("Allowed by auto-approve mode");
});

it("names the rule that denied a call that a person had allowed", () => {
  const denied = decision("gate", "deny", "pre_tool_use_hook_deny", 'Denied by "no push" (git revision 3, gates): no.');
  expect(labelOf(BY_ADA, denied)).toContain("Denied by");
  expect(decisiveOf([BY_ADA, denied])).toBe(denied);
});
